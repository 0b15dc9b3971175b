import type { z } from 'zod';
import { type Endpoint, isWrite, takesIfMatch } from '../../contract/endpoint.ts';
import { RUNNER_TOKEN } from '../helpers/app.ts';
import { shapeOf } from '../torture/bad-input/catalogue.ts';
import { isObject, type Json, withValue } from '../torture/bad-input/samples.ts';
import type { Again, AnyCall, Step } from './any-call.ts';
import { checkDeleted, checkListVersion, checkRepeated, checkShown, checkVersion, type Looked } from './effect-rules.ts';
import { Fault } from './fault.ts';
import { listBelowOrder, readerOf, recordOf } from './find-endpoint.ts';
import { type Claimed, prefixesOf } from './memory.ts';
import { PIXEL } from './opening.ts';
import type { Answer, Sent, Session } from './session.ts';
import { resolved, type Sketch } from './sketch.ts';
import { pathWords } from './words.ts';

/** Plays one step of a sequence: sends it, checks its answer, and looks at what it did. */
export async function playAny(session: Session, step: Step): Promise<void> {
  if (step.kind === 'again') await playAgain(session, step);
  else await playCall(session, step);
}

async function playCall(session: Session, call: AnyCall): Promise<void> {
  const { endpoint } = call;
  const { memory } = session;
  const claim = call.as === 'claim' ? memory.claims[call.n % Math.max(1, memory.claims.length)] : undefined;
  const path = pathOf(session, call, claim);
  const record = call.aim.at === 'hostile' ? null : recordOf(endpoint, path);
  const list = record && isWrite(endpoint) ? listBelowOrder(path) : null;
  const before = record && isWrite(endpoint) ? await look(session, record) : null;
  const listBefore = list && (await session.look(list.reader, list.path)).body;
  const sent = requestOf(session, call, { path, claim, recordPath: record?.path ?? path, before });
  const stale = call.ifMatch === 'stale' && sent.headers?.['if-match'] !== undefined;
  const answer = await session.send(endpoint, sent);
  const isAccepted = answer.status < 300;

  const parsed = sent.body === undefined || !endpoint.body ? null : endpoint.body.safeParse(sent.body);
  if (isAccepted && parsed && !parsed.success)
    throw new Fault(`${endpoint.id}: accepted a body that its schema refuses: ${parsed.error.message}`);
  if (isAccepted && stale && takesIfMatch(endpoint))
    throw new Fault(`${endpoint.id}: accepted the stale ETag ${sent.headers?.['if-match']}`);
  if (answer.status < 400) learn(session, endpoint, path, answer);
  if (claim) return;
  const after = record && isWrite(endpoint) ? await look(session, record) : null;
  const given = valuesIn(parsed);
  if (record && before && after) checkVersion(endpoint, { before, after, answer, given, isOwn: record.path === path });
  if (list && before && after) {
    const listAfter = (await session.look(list.reader, list.path)).body;
    checkListVersion(endpoint, { before, after, listBefore, listAfter });
  }
  if (!isAccepted) return;
  if (endpoint.method === 'DELETE') await forget(session, endpoint, path);
  else if (endpoint.location !== undefined) await checkMade(session, endpoint, answer, given);
  else if (after && record?.path === path) checkShown(endpoint, given, after.body);
  const { key } = call;
  if (key !== null && sent.headers?.['idempotency-key'] !== undefined && isWrite(endpoint)) {
    memory.keyed.push({ endpoint, sent, status: answer.status, body: answer.body, recordPath: record?.path ?? null });
  }
}

async function playAgain(session: Session, { n, changed }: Again): Promise<void> {
  const { keyed } = session.memory;
  const first = keyed[n % Math.max(1, keyed.length)];
  if (!first) return;
  const { endpoint, recordPath } = first;
  // An empty body and no body are the same bytes for an endpoint without a body, so there is nothing to change.
  if (changed && (first.sent.body === undefined || !isObject(first.sent.body))) return;
  const sent = changed ? { ...first.sent, body: withValue(first.sent.body ?? {}, ['changed_by_a_repeat'], n) } : first.sent;
  const reader = recordPath === null ? undefined : readerOf(recordPath);
  const record = recordPath === null || !reader ? null : { reader, path: recordPath };
  const before = record && (await look(session, record));
  const entries = await newestEntry(session);
  const answer = await session.send(endpoint, sent);
  if (changed) {
    if (answer.status !== 422) throw new Fault(`${endpoint.id}: ${answer.status} for another body under a used Idempotency-Key`);
  } else checkRepeated(first, answer);
  const after = record && (await look(session, record));
  if (before?.etag !== after?.etag)
    throw new Fault(`${endpoint.id}: a repeated request changed ${recordPath} from ${before?.etag} to ${after?.etag}`);
  if (entries !== (await newestEntry(session))) throw new Fault(`${endpoint.id}: a repeated request made an entry in the audit log`);
}

const auditLog = readerOf('/audit-log');

/** The newest entry of the audit log that an admin has made: every write makes one. */
async function newestEntry(session: Session): Promise<number> {
  if (!auditLog) throw new Error('there is no audit log');
  const { body } = await session.look(auditLog, '/audit-log?actor_id=1&per_page=1');
  const rows = isObject(body) && Array.isArray(body['data']) ? body['data'] : [];
  const [row] = rows;
  return row !== undefined && isObject(row) ? Number(row['id']) : 0;
}

/** Reads a record; null if it does not exist. */
async function look(session: Session, { reader, path }: { reader: Endpoint; path: string }): Promise<Looked | null> {
  const { status, headers, body } = await session.look(reader, path);
  if (status !== 200) return null;
  const etag = headers['etag'] ?? '';
  session.memory.noteEtag(path, etag);
  return { etag, body };
}

/** Reads what a Location names, and compares it with what was sent. */
async function checkMade(session: Session, endpoint: Endpoint, answer: Answer, given: Looked['body']): Promise<void> {
  const path = (answer.headers['location'] ?? '').replace(/^\/admin\/api/, '');
  const reader = readerOf(path);
  if (!reader) return;
  const found = await look(session, { reader, path });
  if (!found) throw new Fault(`${endpoint.id}: there is nothing at its Location ${path}`);
  checkShown(endpoint, given, found.body);
}

async function forget(session: Session, endpoint: Endpoint, path: string): Promise<void> {
  const reader = readerOf(path);
  const found = reader && shapeOf(endpoint.path).endsWith('}') ? await session.look(reader, path) : null;
  if (found) checkDeleted(endpoint, found);
  if (found?.status !== 200) session.memory.forget(path);
}

function learn(session: Session, endpoint: Endpoint, path: string, { body, headers }: Answer): void {
  session.memory.learn(endpoint, path.split('?')[0] ?? path, body, headers['location']);
}

/** The values that a body gave, as the contract reads them: texts are trimmed, defaults are filled in. */
function valuesIn(parsed: z.ZodSafeParseResult<unknown> | null): Json {
  return parsed?.success ? JSON.parse(JSON.stringify(parsed.data ?? null)) : null;
}

const MISSING = 424_242;

function pathOf({ memory }: Session, { endpoint, aim, n }: AnyCall, claim: Claimed | undefined): string {
  const segments = endpoint.path.split('/');
  if (aim.at === 'hostile') return segments.map((segment) => (segment.startsWith('{') ? aim.id : segment)).join('/');
  if (claim && endpoint.ownRun) {
    return endpoint.path
      .replace('{run_id}', String(claim.run_id))
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? String(claim.task_id) : wordOf(name, n)));
  }
  const shape = shapeOf(endpoint.path);
  for (const prefix of aim.at === 'missing' ? [] : prefixesOf(shape)) {
    if (!prefix.endsWith('{}')) continue;
    const found = aim.at === 'gone' ? memory.gone(prefix, aim.n) : memory.pathOf(prefix, aim.n);
    if (found === undefined) continue;
    const rest = segments.slice(prefix.split('/').length);
    return [found, ...rest.map((segment) => filled(segment, n))].join('/');
  }
  return segments.map((segment) => filled(segment, n)).join('/');
}

function filled(segment: string, n: number): string {
  return segment.startsWith('{') ? wordOf(segment.slice(1, -1), n) : segment;
}

function wordOf(name: string, n: number): string {
  if (name.endsWith('id')) return String(MISSING);
  const words = pathWords[name] ?? ['x'];
  return words[n % words.length] ?? 'x';
}

function requestOf(
  session: Session,
  call: AnyCall,
  at: { path: string; claim: Claimed | undefined; recordPath: string; before: Looked | null },
): Sent {
  const { endpoint } = call;
  const { memory } = session;
  const find = (sketch: Sketch): Json => resolved(sketch, memory.find);
  const made = call.body === undefined ? undefined : find(call.body);
  const plain = call.echoes && at.before && at.recordPath === at.path ? echoOf(made, at.before.body) : made;
  const body = plain === undefined || !call.spoiled ? plain : withValue(plain, call.spoiled.place, call.spoiled.value);
  const query = Object.entries(call.query).map(([name, value]) => [name, textOf(find(value))]);
  const search = new URLSearchParams(query).toString();
  const headers = headersOf(session, call, at);
  return {
    method: endpoint.method,
    path: search === '' ? at.path : `${at.path}?${search}`,
    ...(endpoint.multipart ? { form: formOf(body, call.n) } : { body }),
    headers,
    token: tokenOf(endpoint, at.claim),
  };
}

/** The body with those of its fields that the record shows too, as it shows them. */
function echoOf(body: Json | undefined, shown: Json): Json | undefined {
  if (body === undefined || !isObject(body) || !isObject(shown)) return body;
  return Object.fromEntries(Object.entries(body).flatMap(([name]) => (shown[name] === undefined ? [] : [[name, shown[name]]])));
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}

function formOf(body: Json | undefined, n: number): NonNullable<Sent['form']> {
  const entries = body !== undefined && isObject(body) ? Object.entries(body) : [];
  const fields = Object.fromEntries(entries.filter(([name]) => name !== 'file').map(([name, value]) => [name, textOf(value)]));
  return { fields, filename: `file ${n % 3}.png`, content: n % 5 === 0 ? '' : PIXEL };
}

function headersOf(
  { memory }: Session,
  call: AnyCall,
  { claim, recordPath, path }: { claim: Claimed | undefined; recordPath: string; path: string },
) {
  const headers: Record<string, string> = {};
  const { endpoint, n } = call;
  if (claim && !endpoint.ownRun) headers['idempotency-key'] = `"0/${String(n % 10).repeat(64)}/${n % 3}"`;
  else if (call.key !== null && isWrite(endpoint)) headers['idempotency-key'] = `"${call.key}"`;
  if (!isWrite(endpoint)) {
    const known = call.ifNoneMatch ? memory.latestOf(path) : undefined;
    if (known !== undefined) headers['if-none-match'] = known;
    return headers;
  }
  const stale = memory.staleOf(recordPath, n);
  const matches: Record<AnyCall['ifMatch'], string | undefined> = {
    none: undefined,
    right: memory.latestOf(recordPath),
    stale,
    any: '*',
    malformed: '"x',
  };
  const match = matches[call.ifMatch];
  if (match !== undefined) headers['if-match'] = match;
  return headers;
}

function tokenOf(endpoint: Endpoint, claim: Claimed | undefined): string | undefined {
  if (claim) return endpoint.ownRun ? claim.report_token : claim.token;
  return endpoint.id.startsWith('runner.') && endpoint.id !== 'runner.status' ? RUNNER_TOKEN : undefined;
}
