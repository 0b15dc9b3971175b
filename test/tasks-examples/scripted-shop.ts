import assert from 'node:assert/strict';
import type { JsonObject } from '../../contract/run-events.ts';
import type { ShopFacts } from '../../contract/runner.ts';
import { loadExample } from '../../ops/example-tasks.ts';
import { type RunReport, runScript } from '../helpers/worker.ts';

export type Row = Record<string, unknown>;
export type ScriptedShop = Partial<ShopFacts> & {
  /** The time of the shop's clock. */
  now?: string;
  /** What every list has, as far as its `status` is asked for; a single record is the row with its id. */
  rows?: readonly Row[];
  /** The answer to a read of this path; undefined: as without it. */
  answer?: (pathname: string, query: URLSearchParams) => unknown;
  /** The task's state by its keys; runs read and change it. */
  state?: Map<string, unknown>;
  /** The code with which a write is refused; null: it is carried out. With it, the run may fail. */
  refuse?: (asked: Asked) => string | null;
  /** The content of each file that was uploaded. */
  upload?: Buffer;
  /** The answers to each question. */
  answers?: Row;
};
export type Asked = { method: string; path: string; body: Row };
export type ScriptedRun = {
  report: RunReport;
  results: unknown[];
  reads: URLSearchParams[];
  writes: Asked[];
  files: string[];
  questions: string[];
};

/** Runs an example in the real sandbox, in a shop of which a test can choose everything, also the clock. Its parameters have their defaults. */
export async function runScripted(
  name: string,
  { now, rows = [], answer: answerOf, state = new Map(), refuse, upload = Buffer.alloc(0), answers = {}, ...shop }: ScriptedShop,
  parameters: JsonObject = {},
): Promise<ScriptedRun> {
  const example = await loadExample(name);
  const defaults = example.parameters.flatMap(({ name: key, default: value }) => (value === undefined ? [] : [[key, value]]));
  const reads: URLSearchParams[] = [];
  const writes: Asked[] = [];
  const files: string[] = [];
  const questions: string[] = [];
  const report = await runScript(example.source_code, {
    ...(now === undefined ? {} : { nowMs: Date.parse(now) }),
    shop,
    parameters: { ...Object.fromEntries(defaults), ...parameters },
    respond({ operation, text }) {
      const { method, path, body, value, data, label } = JSON.parse(text);
      if (operation === 'once') return { value: JSON.stringify({ stored: value !== undefined, value, drawn: 0 }) };
      if (operation === 'file_read') return { value: JSON.stringify({ size: upload.length, data: upload.toString('base64') }) };
      if (operation === 'file_write') files.push(Buffer.from(data, 'base64').toString());
      if (operation === 'prompt') questions.push(label);
      if (operation !== 'admin_api')
        return { value: JSON.stringify(operation === 'prompt' ? answers : operation === 'file_write' ? { id: 1 } : null) };
      const code = method === 'GET' ? null : (refuse?.({ method, path, body }) ?? null);
      if (code !== null)
        return { error: { name: 'AdminApiError', message: code, fields: { status: 409, code, detail: code, errors: [] } } };
      if (method !== 'GET') writes.push({ method, path, body });
      const answer = method === 'GET' ? answerTo(String(path)) : answerToWrite(String(path), body ?? {});
      return { value: JSON.stringify({ status: 200, body: answer }) };
    },
  });
  if (!refuse) assert.equal(report.done.error_message, null, name);
  const results = report.events.filter((event) => JSON.stringify(event).includes('"kind":"result"'));
  return { report, results, reads, writes, files, questions };

  function answerTo(path: string): unknown {
    const { pathname, searchParams } = new URL(path, 'http://shop.example');
    if (pathname.endsWith('/state'))
      return [...state.keys()].map((key) => ({ key })).filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? ''));
    if (pathname.includes('/state/')) return state.has(keyOf(pathname)) ? { value: state.get(keyOf(pathname)), version: 1 } : null;
    if (pathname === '/order-statuses') return { data: [{ id: 1, name: 'Late' }] };
    const given = answerOf?.(pathname, searchParams);
    if (given !== undefined) return given;
    const one = rows.find(({ id }) => pathname === `/orders/${String(id)}`);
    if (one) return one;
    reads.push(searchParams);
    return pageOf(
      rows.filter(({ status }) => (searchParams.get('status') ?? status) === status),
      searchParams,
    );
  }

  function answerToWrite(path: string, body: Row): unknown {
    if (path.includes('/state/')) {
      if (body['value'] === undefined) state.delete(keyOf(path));
      else state.set(keyOf(path), body['value']);
    }
    return path.startsWith('/http/') ? sampleOf(body) : { id: 1, mails: [{ id: 1, to: '' }], left_out: [] };
  }
}

/** A page of a list, as large as was asked for. */
export function pageOf(data: readonly Row[], query: URLSearchParams): Row {
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('per_page') ?? PAGE);
  return { data: data.slice(from, to), total: data.length, next_cursor: to < data.length ? String(to) : null, changes_cursor: 'c' };
}

const PAGE = 100;
const keyOf = (path: string): string => path.split('/state/')[1] ?? '';

/** The answers of other systems are the samples that the script itself gives. */
function sampleOf({ sample }: { sample?: { status?: number; body?: unknown } }): unknown {
  const { status = 200, body = '' } = sample ?? {};
  return { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body), encoding: 'text', url: '' };
}

export const scriptedOrder = (values: Row): Row => ({
  ...{
    id: 1,
    public_id: 'A1',
    status: 'pending',
    payment_status: 'pending',
    customer_id: 1,
    customer_name: 'Ann',
    customer_email: 'ann@example.com',
  },
  ...{ total: 100, currency: 'EUR', delivery_date: null, internal_status_id: null, created_at: '2026-01-01T00:00:00.000Z' },
  ...{ shipping_country: 'AT', ip_address: '', billing_address: null, shipping_method: 'Post', pickup_location_id: null },
  ...{ shipping_line1: '', shipping_line2: '', shipping_city: '', shipping_postal_code: '' },
  ...values,
});
