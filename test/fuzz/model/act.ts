import type { Endpoint } from '../../../contract/endpoint.ts';
import { type EndpointId, endpoints } from '../../../contract/index.ts';
import { isObject, type Json } from '../../torture/bad-input/samples.ts';
import { Fault } from '../fault.ts';
import { readerOf, recordOf } from '../find-endpoint.ts';
import { versionOf } from '../memory.ts';
import type { Answer, Sent, Session } from '../session.ts';
import { isSame } from '../sketch.ts';
import type { Manner } from './model.ts';

/** A write, and what the model expects of it. */
export type Act = {
  id: EndpointId;
  path: string;
  body?: Json;
  manner: Manner;
  token?: string;
  /** The refusal that the model expects; null: it is accepted. */
  refusal: string | null;
  /** Whether the record that the path names gets another row version; undefined where the model does not say. */
  raises?: boolean;
};

let keys = 0;

/** Sends a write as it is to be sent, and compares what happened with what was expected. Returns the answer if it was accepted. */
export async function act(session: Session, { id, path, body, manner, token, refusal, raises }: Act): Promise<Answer | null> {
  const endpoint: Endpoint = endpoints[id];
  const record = recordOf(endpoint, path);
  const before = record && (await etagOf(session, record.path));
  const stale = record === null || before === null ? undefined : session.memory.staleOf(record.path, 0);
  const match = { none: undefined, right: before ?? undefined, stale, any: '*' }[manner.match];
  keys += 1;
  const sent: Sent = {
    method: endpoint.method,
    path,
    body,
    token,
    headers: { ...(match !== undefined && { 'if-match': match }), ...(manner.twice && { 'idempotency-key': `"key-${keys}"` }) },
  };
  const isStale = manner.match === 'stale' && stale !== undefined;
  const answer = await session.send(endpoint, sent);
  expectOutcome(endpoint, answer, isStale ? 'precondition_failed' : refusal);
  const isAccepted = answer.status < 300;
  if (isAccepted && manner.twice) await sendAgain(session, endpoint, sent, answer);
  const after = record && (await etagOf(session, record.path));
  if (before !== null && after !== null && record !== null) expectVersion(endpoint, { before, after, raises: isAccepted ? raises : false });
  return isAccepted ? answer : null;
}

function expectOutcome(endpoint: Endpoint, { status, text, body }: Answer, refusal: string | null): void {
  const code = isObject(body) && typeof body['code'] === 'string' ? body['code'] : null;
  if (refusal === null ? status < 300 : status >= 400 && code === refusal) return;
  throw new Fault(`${endpoint.id}: expected ${refusal ?? 'that it is accepted'}, got ${status} ${text.slice(0, 500)}`);
}

function expectVersion(
  endpoint: Endpoint,
  { before, after, raises }: { before: string; after: string; raises: boolean | undefined },
): void {
  const isRaised = versionOf(before) !== versionOf(after);
  if (raises === undefined || isRaised === raises) return;
  throw new Fault(`${endpoint.id}: the record ${raises ? 'changed' : 'did not change'}, but its ETag went from ${before} to ${after}`);
}

async function sendAgain(session: Session, endpoint: Endpoint, sent: Sent, first: Answer): Promise<void> {
  const again = await session.send(endpoint, sent);
  if (again.status === first.status && isSame(again.body, first.body) && again.headers['idempotency-replayed'] === 'true') return;
  throw new Fault(
    `${endpoint.id}: ${first.status} ${first.text} at first, then ${again.status} ${again.text} under the same Idempotency-Key`,
  );
}

async function etagOf(session: Session, path: string): Promise<string | null> {
  const { status, headers } = await read(session, path);
  const etag = headers['etag'];
  if (status !== 200 || etag === undefined) return null;
  session.memory.noteEtag(path, etag);
  return etag;
}

/** Reads a path below `/admin/api`, which may have a query. */
export function read(session: Session, path: string): Promise<Answer> {
  const reader = readerOf(path.split('?')[0] ?? path);
  if (!reader) throw new Error(`nothing reads ${path}`);
  return session.look(reader, path);
}

/** The id in an accepted answer. */
export function idOf(answer: Answer, field = 'id'): number {
  const { body } = answer;
  if (!isObject(body) || typeof body[field] !== 'number') throw new Fault(`there is no ${field} in ${answer.text}`);
  return body[field];
}

/** Compares a record with what the model expects of some of its fields; `expected` null: it must not exist. */
export async function expectRecord(session: Session, path: string, expected: { [name: string]: Json } | null): Promise<void> {
  const { status, body, text } = await read(session, path);
  if (expected === null) {
    if (status !== 404) throw new Fault(`GET ${path}: ${status} for a record that must not exist`);
    return;
  }
  if (status !== 200 || !isObject(body)) throw new Fault(`GET ${path}: ${status} ${text.slice(0, 300)} for a record that must exist`);
  for (const [name, value] of Object.entries(expected)) {
    if (!isSame(value, body[name]))
      throw new Fault(`GET ${path}: ${name} is ${JSON.stringify(body[name])}, expected is ${JSON.stringify(value)}`);
  }
}

/** Reads a whole list, page by page, as its rows. */
export async function readAll(session: Session, path: string): Promise<{ [name: string]: Json }[]> {
  const rows: { [name: string]: Json }[] = [];
  for (let page = 1; ; page += 1) {
    const { body, text } = await read(session, `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=100`);
    const list = Array.isArray(body) ? body : isObject(body) ? Object.values(body).find(Array.isArray) : undefined;
    if (!list) throw new Fault(`GET ${path}: there is no list in ${text.slice(0, 300)}`);
    rows.push(...list.filter(isObject));
    const pages = isObject(body) ? Number(body['total_pages'] ?? 1) : 1;
    if (page >= pages) return rows;
  }
}

/** A list has exactly these records. */
export async function expectList(session: Session, path: string, ids: Iterable<number>): Promise<void> {
  const found = (await readAll(session, path)).map((row) => Number(row['id'])).sort((a, b) => a - b);
  const expected = [...ids].sort((a, b) => a - b);
  if (!isSame(found, expected)) throw new Fault(`GET ${path}: has the records ${found.join()}, expected are ${expected.join()}`);
}
