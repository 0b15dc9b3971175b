import { type Endpoint, isWrite } from '../../contract/endpoint.ts';
import { isPlanEmpty } from '../automation/dry-runs/domain.ts';
import { isLockNotAvailable } from '../db/faults.ts';
import type { Db, Store, WriteOptions } from '../db/open.ts';
import { savepoint } from '../db/savepoint.ts';
import type { TaskActor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import { countCall } from './budgets.ts';
import type { Answer, Call, Executor, VerbCall } from './call.ts';
import { carryOut } from './carry-out.ts';
import { answerStaged } from './dry-run.ts';
import { findAnswer, fingerprintOf, keepAnswer, parseKey, type StoredAnswer, scopeOf } from './idempotency.ts';
import { findCall, holdClaim, journalledCall, keepCall, parseCallKey, refuseMismatch } from './journal.ts';
import { answerOfRefusal, statusOf, toRefusal } from './problem.ts';
import { runInTurns } from './turns.ts';

/** Carries out a call: a read in one snapshot, a write in one transaction, a script's call together with its journal entry. */
export function execute(executor: Executor, call: VerbCall): Promise<Answer> {
  if (call.actor.type === 'task' && !call.endpoint.ownRun) return executeJournalled(executor, call, call.actor);
  if (isWrite(call.endpoint)) return executeWrite(executor, call);
  return readWith(executor.services.store, call)((db) => carryOut(executor, call, db));
}

function readWith(store: Store, { isHeavy }: VerbCall): Store['snapshot'] {
  return isHeavy ? store.heavySnapshot : store.snapshot;
}

async function executeWrite(executor: Executor, call: VerbCall): Promise<Answer> {
  const { store } = executor.services;
  const key = parseKey(call.header('idempotency-key'));
  return store.write(async (db) => {
    if (key === undefined) {
      await holdOwnClaim(call, db);
      return recordUsage(executor, call, db, await carryOut(executor, call, db));
    }
    const scope = scopeOf(call.actor, call.endpoint.method, call.target, key);
    const fingerprint = fingerprintOf(call.body.raw);
    const known = await lockedAnswer(executor, db, scope, fingerprint);
    if (known) return { ...known, replayed: true, after: [] };
    await holdOwnClaim(call, db);
    const answer = await carryOut(executor, call, db);
    await keepAnswer(db, scope, fingerprint, withoutSecrets(answer, call.endpoint), answer.at);
    return answer;
  }, writeOptionsOf(call));
}

/** Secrets that are shown once are not stored, since the database keeps only hashes of tokens. */
function withoutSecrets(answer: Answer, { secretFields = [] }: Endpoint): StoredAnswer {
  if (secretFields.length === 0 || answer.body === null) return answer;
  const body: unknown = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify({ ...Object(body), ...Object.fromEntries(secretFields.map((field) => [field, null])) }) };
}

/** Records the permission that a runner's report about its run needed as used by the version. */
async function recordUsage({ usage }: Executor, { actor, permission }: Call, db: Db, answer: Answer): Promise<Answer> {
  if (actor.type !== 'task' || permission === null) return answer;
  return { ...answer, after: [...answer.after, await usage.record(db, actor.runId, permission)] };
}

async function holdOwnClaim({ actor }: Call, db: Db): Promise<void> {
  if (actor.type === 'task') await holdClaim(db, actor, true);
}

/**
 * With If-Match, nothing may change the record between the check and the verb's own lock. Calls and reports of a dry run are `patient`:
 * they do not end the pass of a dry run that holds the writer.
 */
export function writeOptionsOf(call: Call): WriteOptions {
  const { actor } = call;
  return { unchanged: call.header('if-match') !== undefined, patient: actor.type === 'task' && actor.dryRun };
}

export async function lockedAnswer(executor: Executor, db: Db, scope: string, fingerprint: string): ReturnType<typeof findAnswer> {
  try {
    return await findAnswer(db, executor.services.store.dialect, scope, fingerprint);
  } catch (error) {
    throw isLockNotAvailable(error) ? inProgress(error) : error;
  }
}

export function inProgress(cause?: unknown): Refusal {
  return new Refusal('idempotency_in_progress', 'The first request with this Idempotency-Key is still being processed.', { cause });
}

/** Stores the effect of a script's call and its journal entry in one transaction; a heavy read runs before that transaction. */
async function executeJournalled(executor: Executor, call: VerbCall, actor: TaskActor): Promise<Answer> {
  const { store } = executor.services;
  const key = parseCallKey(parseKey(call.header('idempotency-key')));
  const write = isWrite(call.endpoint);
  const request = journalledCall(call);
  // A heavy read runs outside the write transaction, so that no writer waits for it; its answer is stored afterwards.
  const isAhead = call.isHeavy && (!actor.dryRun || (await isPlanEmpty(store.reader, actor.lineageId)));
  const read = isAhead && !(await store.write((db) => findCall(db, store.dialect, actor, key), writeOptionsOf(call)));
  const found = read ? await store.heavySnapshot((db) => answerOrRefusal(executor, call, db)) : undefined;
  return runInTurns(executor, actor.runId, (turn) =>
    store.write(async (db) => {
      const stored = await findCall(db, store.dialect, actor, key);
      const remember = await executor.usage.record(db, actor.runId, call.permission);
      if (stored) return { ...stored, replayed: true, after: [remember] };
      const clock = await executor.earlier.clock(db, actor, key.epoch);
      if (write && clock !== null) await refuseMismatch(db, actor, key, request);
      const live = (one: VerbCall) => answerOrRefusal(executor, one, db);
      const answer = found ?? (await (actor.dryRun ? answerStaged(executor, call, db, { actor, turn, carryOut: live }) : live(call)));
      answer.at = clock ?? answer.at;
      await keepCall(db, actor, key, request, answer);
      await countCall(db, actor, write && answer.status < 400 ? 1 : 0);
      return { ...answer, after: [...answer.after, remember] };
    }, writeOptionsOf(call)),
  );
}

/** A refused write is rolled back to a savepoint. The refusal becomes the answer, so that a resumed script gets the same one. */
async function answerOrRefusal(executor: Executor, call: VerbCall, db: Db): Promise<Answer> {
  try {
    return await (isWrite(call.endpoint) ? savepoint(db, () => carryOut(executor, call, db)) : carryOut(executor, call, db));
  } catch (error) {
    const refused = refusedAnswer(call, error);
    if (!refused) throw error;
    return refused;
  }
}

/** The stored answer for a refusal; null for failures and for refusals that may be different a moment later. */
export function refusedAnswer(call: Call, error: unknown): Answer | null {
  const refusal = toRefusal(error);
  const status = statusOf(refusal.code);
  const isPassing = status >= 500 || status === 401 || status === 429 || refusal.code === 'daily_mail_limit_reached';
  return isPassing ? null : answerOfRefusal(call, refusal);
}

/** File contents are sent outside of transactions. Before that, this checks that the run's claim is in force, and counts the call. */
export async function countTaskRead({ services, usage }: Executor, actor: TaskActor, permission: string | null): Promise<void> {
  const remember = await services.store.write(async (db) => {
    await holdClaim(db, actor, false);
    const remembered = await usage.record(db, actor.runId, permission);
    if (actor.token === 'call') await countCall(db, actor, 0);
    return remembered;
  });
  remember();
}
