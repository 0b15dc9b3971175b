import { type Endpoint, isWrite } from '../../contract/endpoint.ts';
import { lockEmptyPlan } from '../automation/dry-runs/domain.ts';
import type { Dialect } from '../db/dialect.ts';
import { isLockNotAvailable } from '../db/faults.ts';
import type { Db, Store, WriteOptions } from '../db/open.ts';
import type { TaskActor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Answer, Call, Executor, VerbCall } from './call.ts';
import { afterPass, answerInPass } from './dry-run/pass.ts';
import { refuseUnsettled } from './dry-run/pass-marks.ts';
import { keepAnswerOrder } from './journal/answer-order.ts';
import { countCall } from './journal/budgets.ts';
import { type CallKey, findCall, holdClaim, journalledCall, keepCall, parseCallKey, refuseMismatch } from './journal/journal.ts';
import { findKnown, keptFailure } from './journal/passing-refusals.ts';
import { findAnswer, fingerprintOf, keepAnswer, parseKey, type StoredAnswer, scopeOf } from './keys/idempotency.ts';
import { answerOrRefusal, carryOut } from './verb/execution.ts';

/** Carries out a call: a read in one snapshot, a write in one transaction, a script's call together with its journal entry. */
export async function execute(executor: Executor, call: VerbCall): Promise<Answer> {
  const { actor } = call;
  if (actor.type === 'task' && !call.endpoint.ownRun) {
    return executeJournalled(executor, call, actor).catch(async (error: unknown) => {
      throw await keptFailure(executor, call, actor, error);
    });
  }
  if (isWrite(call.endpoint)) return executeWrite(executor, call);
  await afterPass(executor, call.params['run_id']);
  return readWith(executor.services.store, call)((db) => carryOut(executor, call, db));
}

function readWith(store: Store, { isHeavy }: VerbCall): Store['snapshot'] {
  return isHeavy ? store.heavySnapshot : store.snapshot;
}

async function executeWrite(executor: Executor, call: VerbCall): Promise<Answer> {
  const { store } = executor.services;
  const key = parseKey(call.header('idempotency-key'));
  return store.write(async (db) => {
    await keepAnswerOrder(db, call.actor, call);
    if (key === undefined) {
      await holdOwnClaim(executor, call, db);
      return recordUsage(executor, call, db, await carryOut(executor, call, db));
    }
    const scope = scopeOf(call.actor, call.endpoint.method, call.target, key);
    const fingerprint = fingerprintOf(call.body.raw);
    const known = await lockedAnswer(executor, db, scope, fingerprint);
    if (known) return { ...known, replayed: true, after: [] };
    await holdOwnClaim(executor, call, db);
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

async function holdOwnClaim({ services, queues }: Executor, { actor }: Call, db: Db): Promise<void> {
  if (actor.type !== 'task') return;
  await holdClaim(db, actor, true);
  if (actor.dryRun && !queues.has(actor.claimId)) await refuseUnsettled({ db, dialect: services.store.dialect }, actor);
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
  const inPass = () => answerInPass(executor, call, actor, (one, db, work) => journalled(executor, one, actor, db, work));
  if (actor.dryRun && (isWrite(call.endpoint) || call.outside || executor.queues.has(actor.claimId))) return inPass();
  /** A read before all writes of a dry run needs no pass. */
  const needsPass = async (db: Db): Promise<boolean> => actor.dryRun && !(await hasEmptyPlan(db, store.dialect, actor));
  const found = call.isHeavy ? await readAhead(executor, call, actor, key, needsPass) : undefined;
  const answer = await store.write(async (db) => {
    if (await needsPass(db)) return null;
    const mayBeLoose = !isWrite(call.endpoint) && executor.usage.hasRecorded(actor.runId, call.permission);
    const remember = mayBeLoose ? await executor.looseReads.begin({ db, dialect: store.dialect }, actor) : undefined;
    const made = await journalled(executor, call, actor, db, async (one) => found ?? (await answerOrRefusal(executor, one, db)));
    return remember ? { ...made, after: [...made.after, remember] } : made;
  }, writeOptionsOf(call));
  return answer ?? inPass();
}

/** A heavy read runs outside the write transaction, so that no writer waits for it; its answer is stored afterwards. */
async function readAhead(
  executor: Executor,
  call: VerbCall,
  actor: TaskActor,
  key: CallKey,
  needsPass: (db: Db) => Promise<boolean>,
): Promise<Answer | undefined> {
  const { store } = executor.services;
  const isAhead = await store.write(
    async (db) => !(await needsPass(db)) && !(await findCall(db, store.dialect, actor, key)),
    writeOptionsOf(call),
  );
  return isAhead ? store.heavySnapshot((db) => answerOrRefusal(executor, call, db)) : undefined;
}

async function hasEmptyPlan(db: Db, dialect: Dialect, actor: TaskActor): Promise<boolean> {
  const isEmpty = await lockEmptyPlan(db, actor.lineageId);
  await refuseUnsettled({ db, dialect }, actor);
  return isEmpty;
}

async function journalled(
  executor: Executor,
  call: VerbCall,
  actor: TaskActor,
  db: Db,
  work: (call: VerbCall) => Promise<Answer>,
): Promise<Answer> {
  const key = parseCallKey(parseKey(call.header('idempotency-key')));
  const write = isWrite(call.endpoint);
  const request = journalledCall(call);
  const stored = await findKnown(executor, db, actor, key);
  await keepAnswerOrder(db, actor, call);
  const remember = await executor.usage.record(db, actor.runId, call.permission);
  if (stored) return { ...stored, replayed: true, after: [remember] };
  const clock = await executor.earlier.clock(db, actor, key.epoch);
  if (write && clock !== null) await refuseMismatch(db, actor, key, request);
  const answer = await work(call);
  answer.at = clock ?? answer.at;
  await keepCall(db, actor, key, request, answer);
  await countCall(db, actor, write && answer.status < 400 ? 1 : 0);
  return { ...answer, after: [...answer.after, remember] };
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
