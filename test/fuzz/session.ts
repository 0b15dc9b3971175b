import { FormData } from 'undici';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { RawAnswer, TestApp } from '../helpers/app.ts';
import { watchEtags } from '../helpers/etag-watch.ts';
import type { Json } from '../torture/bad-input/samples.ts';
import { checkAnswer } from './answer-rules.ts';
import { Fault } from './fault.ts';
import { createMemory, type Memory } from './memory.ts';

/** A request as it is sent. `path` is the one below `/admin/api`, with its query; a body with `form` is sent as a form with a file. */
export type Sent = {
  method: string;
  path: string;
  body?: Json | undefined;
  form?: { fields: Readonly<Record<string, string>>; filename: string; content: string } | undefined;
  headers?: Readonly<Record<string, string>>;
  token?: string | undefined;
};
export type Answer = { status: number; headers: Readonly<Record<string, string>>; body: Json; text: string };

/** How often an endpoint was called in all sequences, and how often it accepted. */
export type Tally = Map<string, { calls: number; accepted: number }>;

/** One sequence of calls to one server. */
export type Session = {
  app: TestApp;
  memory: Memory;
  /** The calls so far, a line each, for the report of a failure. */
  trace: string[];
  /** Sends a request and checks what is true of every answer. */
  send(endpoint: Endpoint, sent: Sent): Promise<Answer>;
  /** The same for a read that only looks at what another call did: it does not count as a call. */
  look(endpoint: Endpoint, path: string): Promise<Answer>;
};

const SHOWN = 600;

export function openSession(app: TestApp, tally: Tally): Session {
  const memory = createMemory();
  const trace: string[] = [];
  /** Of writes; the server under test watches the reads. */
  const etags = watchEtags();

  async function request(endpoint: Endpoint, sent: Sent, mark: string): Promise<Answer> {
    const line = `${mark}${shown(sent)}`;
    trace.push(`${line} → no answer`);
    const raw = await app.request({
      method: sent.method,
      path: `/admin/api${sent.path}`,
      ...(sent.body === undefined ? {} : { body: sent.body }),
      ...(sent.form === undefined ? {} : { form: formOf(sent.form) }),
      ...(sent.headers === undefined ? {} : { headers: { ...sent.headers } }),
      ...(sent.token === undefined ? {} : { token: sent.token }),
    });
    const answer = answerOf(raw);
    trace[trace.length - 1] = `${line} → ${told(answer)}`;
    checkAnswer(endpoint, sent, answer);
    return answer;
  }

  return {
    app,
    memory,
    trace,
    async send(endpoint, sent) {
      const count = tally.get(endpoint.id) ?? { calls: 0, accepted: 0 };
      tally.set(endpoint.id, count);
      count.calls += 1;
      const answer = await request(endpoint, sent, '');
      if (answer.status >= 300) return answer;
      count.accepted += 1;
      const stale = changesOwnRecord(endpoint) ? etags(sent.path, { etag: answer.headers['etag'], text: answer.text }) : null;
      if (stale !== null) throw new Fault(`${endpoint.id}: one ETag for two states: ${stale}`);
      return answer;
    },
    look: (endpoint, path) => request(endpoint, { method: endpoint.method, path }, '  '),
  };
}

/** Whether the answer shows the record of which it has the ETag. A preference has the ETag of its event type, which never changes. */
function changesOwnRecord({ id, method, path, record }: Endpoint): boolean {
  return record !== undefined && path.endsWith('}') && (method === 'PATCH' || method === 'PUT') && id !== 'preferences.update';
}

function answerOf({ status, headers, text }: RawAnswer): Answer {
  const isJson = /^application\/(problem\+)?json/.test(headers['content-type'] ?? '');
  const body: Json = isJson && text !== '' ? JSON.parse(text) : null;
  return { status, headers, body, text };
}

function formOf({ fields, filename, content }: NonNullable<Sent['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from(content, 'base64')], { type: 'image/png' }), filename);
  return form;
}

function shown({ method, path, body, form, headers = {}, token }: Sent): string {
  const marks = Object.entries(headers).map(([name, value]) => ` [${name}: ${value}]`);
  if (token !== undefined) marks.push(token.startsWith('run_') ? ' [as a run]' : ' [as a runner]');
  const content = form ? ` form ${JSON.stringify(form.fields)}` : body === undefined ? '' : ` ${JSON.stringify(body)}`;
  return `${method} ${path}${cut(content)}${marks.join('')}`;
}

function told({ status, text }: Answer): string {
  return status < 300 ? String(status) : `${status} ${cut(text)}`;
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}
