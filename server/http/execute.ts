import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Endpoint, isWrite, readsOne, tellsEtag } from '../../contract/endpoint.ts';
import { isPlanEmpty } from '../automation/dry-runs/domain.ts';
import type { Actor, AuditEntry, Ctx, Prepared, RandomBytes, TaskActor } from '../context.ts';
import type { Db, Store, WriteOptions } from '../db/open.ts';
import { Refusal } from '../problem.ts';
import type { RecordVersions } from '../record-versions.ts';
import { type Notes, storeNotes } from '../resources/audit/domain.ts';
import type { Settings } from '../resources/settings/domain.ts';
import type { Services } from '../services.ts';
import type { RequestBody } from './body.ts';
import { countCall } from './budgets.ts';
import { answerStaged } from './dry-run.ts';
import type { EarlierAttempts } from './earlier-attempts.ts';
import { findAnswer, fingerprintOf, keepAnswer, parseKey, type StoredAnswer, scopeOf } from './idempotency.ts';
import { findCall, holdClaim, type JournalledCall, keepCall, parseCallKey, refuseMismatch } from './journal.ts';
import { linkHeader } from './links.ts';
import { problemOf, statusOf, toRefusal } from './problem.ts';
import { checkIfMatch, currentEtag, findRecord, matchesNone, wholeEtag } from './records.ts';
import type { Params } from './route.ts';
import { isOfSample } from './sample.ts';
import { type HeldTimes, takingTurns } from './turns.ts';
import type { UsageNotes } from './usage.ts';
import type { Validator } from './validate.ts';

export type Input = { params: Params; query: unknown; body: unknown };

/** A request that has passed token, route, permission and body. */
export type Asked = {
  endpoint: Endpoint;
  validator: Validator;
  /** What the caller needed for it. */
  permission: string | null;
  params: Params;
  /** Path below /admin/api with its query. */
  target: string;
  search: URLSearchParams;
  body: RequestBody;
  prepared: Prepared;
  actor: Actor;
  requestId: string;
  ip: string;
  header(name: string): string | undefined;
  /** Of a write of a dry run, and of one that is carried out as it was planned. */
  staging?: Staging;
};

/** The time and the random bytes of a write that is carried out more than once, and who is told what it changed. */
export type Staging = { now: string; random: RandomBytes; noted(entries: readonly AuditEntry[]): void };

export type Call = Asked & {
  verb: (ctx: Ctx, input: Input) => Promise<unknown>;
  /** A read that may take more than some milliseconds: it keeps off the server's own thread. */
  heavy: boolean;
  /** Of a dry run: the verb may have to ask somebody outside the shop, and tells whether it would have; then its answer is a sample. */
  outside?: { isAsked: boolean };
};

export type Answer = StoredAnswer & {
  replayed: boolean;
  /** The time the effect carries: what the script's clock moves to. */
  at: string;
  after: (() => void)[];
};

/** What a call that is made again does not have of its own. */
export type Again = Pick<Asked, 'actor' | 'requestId' | 'ip' | 'prepared'> & { staging: Staging };

export type Executor = {
  services: Services;
  usage: UsageNotes;
  heldTimes: HeldTimes;
  earlier: EarlierAttempts;
  versions: RecordVersions;
  etagOfLocation(ctx: Ctx, location: string): Promise<string | null>;
  /** A write that was asked for before, as a call; refused where its actor may not make it. */
  callOf(write: { method: string; path: string; body: string | null }, asked: Again): Call;
};

/** Runs the verb behind a call: a read in one snapshot, a write in one transaction, a run's call with its journal. */
export function execute(executor: Executor, call: Call): Promise<Answer> {
  if (call.actor.type === 'task' && !call.endpoint.ownRun) return executeJournalled(executor, call, call.actor);
  if (isWrite(call.endpoint)) return executeWrite(executor, call);
  return readWith(executor.services.store, call)((db) => executeOnce(executor, call, db));
}

function readWith(store: Store, { heavy }: Call): Store['snapshot'] {
  return heavy ? store.heavySnapshot : store.snapshot;
}

async function executeWrite(executor: Executor, call: Call): Promise<Answer> {
  const { store } = executor.services;
  const key = parseKey(call.header('idempotency-key'));
  return store.write(async (db) => {
    if (key === undefined) {
      await holdOwnClaim(call, db);
      return noted(executor, call, db, await executeOnce(executor, call, db));
    }
    const scope = scopeOf(call.actor, call.endpoint.method, call.target, key);
    const fingerprint = fingerprintOf(call.body.raw);
    const known = await lockedAnswer(executor, db, scope, fingerprint);
    if (known) return { ...known, replayed: true, after: [] };
    await holdOwnClaim(call, db);
    const answer = await executeOnce(executor, call, db);
    await keepAnswer(db, scope, fingerprint, withoutSecrets(answer, call.endpoint), answer.at);
    return answer;
  }, guarded(call));
}

/** What is shown once is not kept: a token is stored as its hash alone. */
function withoutSecrets(answer: Answer, { secretFields = [] }: Endpoint): StoredAnswer {
  if (secretFields.length === 0 || answer.body === null) return answer;
  const body: unknown = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify({ ...Object(body), ...Object.fromEntries(secretFields.map((field) => [field, null])) }) };
}

/** What a run's own bookkeeping needed of its version counts as used. */
async function noted({ usage }: Executor, { actor, permission }: Call, db: Db, answer: Answer): Promise<Answer> {
  if (actor.type !== 'task' || permission === null) return answer;
  return { ...answer, after: [...answer.after, await usage.note(db, actor.runId, permission)] };
}

async function holdOwnClaim({ actor }: Call, db: Db): Promise<void> {
  if (actor.type === 'task') await holdClaim(db, actor, true);
}

/** With If-Match nothing may slip in between the check and the verb's own lock. What a dry run asks or reports meanwhile undoes none of its passes. */
export function guarded(call: Asked): WriteOptions {
  const { actor } = call;
  return { unchanged: call.header('if-match') !== undefined, patient: actor.type === 'task' && actor.dryRun };
}

export async function lockedAnswer(executor: Executor, db: Db, scope: string, fingerprint: string): ReturnType<typeof findAnswer> {
  try {
    return await findAnswer(db, executor.services.store.dialect, scope, fingerprint);
  } catch (error) {
    const LOCK_NOT_AVAILABLE = '55P03';
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) throw inProgress(error);
    throw error;
  }
}

export function inProgress(cause?: unknown): Refusal {
  return new Refusal('idempotency_in_progress', 'The first request with this Idempotency-Key is still being processed.', { cause });
}

/** The effect of a run's call and the note of its answer are one transaction, but for heavy reads. */
async function executeJournalled(executor: Executor, call: Call, actor: TaskActor): Promise<Answer> {
  const { store } = executor.services;
  const key = parseCallKey(parseKey(call.header('idempotency-key')));
  const write = isWrite(call.endpoint);
  const request = journalledCall(call);
  // What a heavy read finds is noted a moment after it was read, so that no writer waits for it.
  const isAhead = call.heavy && (!actor.dryRun || (await isPlanEmpty(store.reader, actor.lineageId)));
  const read = isAhead && !(await store.write((db) => findCall(db, store.dialect, actor, key), guarded(call)));
  const found = read ? await store.heavySnapshot((db) => answerOrRefusal(executor, call, db)) : undefined;
  return takingTurns(executor, actor.runId, (turn) =>
    store.write(async (db) => {
      const noted = await findCall(db, store.dialect, actor, key);
      const remember = await executor.usage.note(db, actor.runId, call.permission);
      if (noted) return { ...noted, replayed: true, after: [remember] };
      const clock = await executor.earlier.clock(db, actor, key.epoch);
      if (write && clock !== null) await refuseMismatch(db, actor, key, request);
      const live = (one: Call) => answerOrRefusal(executor, one, db);
      const answer = found ?? (await (actor.dryRun ? answerStaged(executor, call, db, { actor, turn, carryOut: live }) : live(call)));
      answer.at = clock ?? answer.at;
      await keepCall(db, actor, key, request, answer);
      await countCall(db, actor, write && answer.status < 400 ? 1 : 0);
      return { ...answer, after: [...answer.after, remember] };
    }, guarded(call)),
  );
}

export function journalledCall({ endpoint, target, body }: Asked): JournalledCall {
  return {
    method: endpoint.method,
    path: target,
    body: body.raw.length > 0 ? body.raw.toString() : null,
    isWrite: isWrite(endpoint),
  };
}

/** A refused write is rolled back to a savepoint, and its refusal is an answer: a resumed script gets the same one. */
async function answerOrRefusal(executor: Executor, call: Call, db: Db): Promise<Answer> {
  const write = isWrite(call.endpoint);
  if (write) await sql`SAVEPOINT effect`.execute(db);
  try {
    return await executeOnce(executor, call, db);
  } catch (error) {
    const refused = refusedAnswer(call, error);
    if (!refused) throw error;
    if (write) await sql`ROLLBACK TO SAVEPOINT effect`.execute(db);
    return refused;
  }
}

/** What a run is told again when it asks again; null for a failure, and what is told of the moment. */
export function refusedAnswer(call: Asked, error: unknown): Answer | null {
  const refusal = toRefusal(error);
  const status = statusOf(refusal.code);
  if (status >= 500 || status === 401 || status === 429) return null;
  const body = JSON.stringify(problemOf(refusal, `/admin/api${call.target}`, call.requestId));
  return { status, headers: {}, body, replayed: false, at: new Date().toISOString(), after: [] };
}

/** 404 record, 412, 422, then the verb, then what it noted: all with the handle of one transaction. */
export async function executeOnce(executor: Executor, call: Call, db: Db): Promise<Answer> {
  const { services, versions } = executor;
  const { endpoint, params } = call;
  const settings = await services.settings.get(db);
  const etagBefore = call.outside && isOfSample(params) ? null : await findRecord(versions, db, endpoint, params);
  const work = openWork(services, call, db, settings);
  if (isWrite(endpoint)) await checkIfMatch(call.header('if-match'), etagBefore, () => currentEtag(versions, work.ctx, endpoint, params));
  const etagShown = await shownEtag(executor, call, work.ctx, etagBefore);
  if (etagShown !== null && matchesNone(call.header('if-none-match'), etagShown)) {
    return { status: 304, headers: { ETag: etagShown }, body: null, replayed: false, at: work.ctx.now, after: [] };
  }
  const input = inputOf(call);
  const result = await call.verb(work.ctx, input);
  if (isWrite(endpoint)) {
    if (endpoint.audited !== false && work.notes.entries.length === 0) throw new Error(`${endpoint.id} wrote without an audit entry`);
    return finishWrite(executor, call, work, result);
  }
  if (services.checkResponses) endpoint.response?.parse(result);
  const headers: Record<string, string> = {};
  if (etagShown !== null) headers['ETag'] = etagShown;
  else if (endpoint.query && 'page' in endpoint.query.shape) {
    const link = linkHeader(`/admin/api${call.target.split('?')[0]}`, call.search, result);
    if (link !== null) headers['Link'] = link;
  }
  return answerOf(endpoint, result, headers, work);
}

/** Of a read of one record: with what is derived. */
async function shownEtag({ versions }: Executor, { endpoint, params }: Call, ctx: Ctx, etag: string | null): Promise<string | null> {
  if (!readsOne(endpoint) || endpoint.record === undefined || etag === null) return null;
  return wholeEtag(versions, ctx, { record: endpoint.record, params, etag, answers: 'read' });
}

/** The checked values of a request, or a 422. */
export function inputOf({ params, validator, search, body }: Asked): Input {
  return { params, query: validator.query(search), body: validator.body(body.value) };
}

/** What a verb works with in one transaction, and what it notes there. */
export type Work = { ctx: Ctx; notes: Notes; headers: Record<string, string>; after: (() => void)[] };

export function openWork(services: Services, call: Asked, db: Db, settings: Settings): Work {
  const notes: Notes = { entries: [], events: [] };
  const headers: Record<string, string> = {};
  const after: (() => void)[] = [];
  const ctx: Ctx = {
    db,
    dialect: services.store.dialect,
    now: call.staging?.now ?? new Date().toISOString(),
    actor: call.actor,
    settings,
    requestId: call.requestId,
    ip: call.ip,
    log: services.log,
    random: call.staging?.random ?? randomBytes,
    prepared: call.prepared,
    audit: (entry) => void notes.entries.push(entry),
    emit: (event) => void notes.events.push(event),
    setHeader(name, value) {
      headers[name] = value;
    },
    after: (work) => void after.push(work),
  };
  return { ctx, notes, headers, after };
}

export async function storeWork({ endpoint, target, staging }: Asked, { ctx, notes }: Work): Promise<void> {
  staging?.noted(notes.entries);
  await storeNotes(ctx, notes, { endpointId: endpoint.id, method: endpoint.method, path: target, status: endpoint.status });
}

/** Stores what was noted, and makes the answer with the headers of a write. */
export async function finishWrite(executor: Executor, call: Asked, work: Work, result: unknown): Promise<Answer> {
  const { services, versions, etagOfLocation } = executor;
  const { endpoint, params } = call;
  if (services.checkResponses) endpoint.response?.parse(result);
  await storeWork(call, work);
  const headers: Record<string, string> = { ...work.headers };
  await addWriteHeaders(
    headers,
    call,
    result,
    () => currentEtag(versions, work.ctx, endpoint, params),
    (location) => etagOfLocation(work.ctx, location),
  );
  return answerOf(endpoint, result, headers, work);
}

function answerOf(endpoint: Endpoint, result: unknown, headers: Record<string, string>, { ctx, after }: Work): Answer {
  const body = endpoint.status === 204 ? null : JSON.stringify(result);
  return { status: endpoint.status, headers, body, replayed: false, at: ctx.now, after };
}

async function addWriteHeaders(
  headers: Record<string, string>,
  { endpoint, params }: Asked,
  result: unknown,
  recordEtag: () => Promise<string | null>,
  locationEtag: (location: string) => Promise<string | null>,
): Promise<void> {
  if (endpoint.location !== undefined) {
    const location = fillPath(endpoint.location, { ...params, ...(typeof result === 'object' ? result : {}) });
    headers['Location'] = `/admin/api${location}`;
    const etag = await locationEtag(location);
    if (etag !== null) headers['ETag'] = etag;
  } else if (tellsEtag(endpoint)) {
    const etag = await recordEtag();
    if (etag !== null) headers['ETag'] = etag;
  }
}

function fillPath(template: string, values: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
