import type { Db } from '../../db/open.ts';
import { isClaimEnded } from '../../db/queries/claims.ts';
import type { Actor, TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Answer, Call, Executor } from '../call.ts';
import { keepAnswerOrder } from '../journal/answer-order.ts';
import { countCall, giveBackCalls } from '../journal/budgets.ts';
import { holdClaim } from '../journal/claims.ts';
import { journalledCall, keepCall, parseCallKey, refuseMismatch } from '../journal/journal.ts';
import { findKnown, keepPassing } from '../journal/passing-refusals.ts';
import { findAnswer, fingerprintOf, keepAnswer, parseKey, type StoredAnswer, scopeOf } from '../keys/idempotency.ts';
import { toRefusal } from '../problem.ts';
import { isPassing, refusedAnswer } from '../verb/stored-refusals.ts';
import { beginCall, endCall, refuseOtherStarted } from './started-calls.ts';

type Known = StoredAnswer & { at: string };

/** Stores the answer of a call that takes several transactions, so that its repeats get the same answer. */
export type CallMemory = {
  /** A key that the call shares with its repeats; null: nothing is stored. */
  scope: string | null;
  /** The stored answer of an earlier request with this scope. It also locks the scope until the transaction ends. */
  find(db: Db): Promise<Known | undefined>;
  /** Called in the first transaction. Returns true if an earlier request began the call and its outcome is not known. */
  begin(db: Db): Promise<boolean>;
  /** Called in every transaction between the first and the last; refuses if the caller's claim has ended. */
  check(db: Db): Promise<void>;
  keep(db: Db, answer: Answer): Promise<void>;
  /** Stores the refusal as the call's answer and returns that answer; null if the refusal must not be stored. A passing one it returns. */
  keepRefusal(db: Db, error: unknown): Promise<Answer | Refusal | null>;
  /** Functions to call after a transaction that used this memory has committed. */
  after: (() => void)[];
};

export function memoryOf(executor: Executor, call: Call): CallMemory {
  return call.actor.type === 'task' ? runMemory(executor, call, call.actor) : keyMemory(executor, call, call.actor);
}

/** The memory of an admin's call: it is keyed by the Idempotency-Key, if there is one. */
function keyMemory(executor: Executor, call: Call, actor: Actor): CallMemory {
  const key = parseKey(call.header('idempotency-key'));
  const scope = key === undefined ? null : scopeOf(actor, call.endpoint.method, call.target, key);
  const fingerprint = fingerprintOf(call.body.raw);
  const { dialect } = executor.services.store;
  return {
    scope,
    find: async (db) => (scope === null ? undefined : findAnswer({ db, dialect }, scope, fingerprint)),
    begin: async () => false,
    check: async () => undefined,
    keep: async (db, answer) => {
      if (scope !== null) await keepAnswer(db, scope, fingerprint, answer, answer.at);
    },
    keepRefusal: async () => null,
    after: [],
  };
}

/** The memory of a run's call: the run's journal. Each transaction locks the claim (spec JO7). */
function runMemory(executor: Executor, call: Call, actor: TaskActor): CallMemory {
  const { usage, earlier } = executor;
  const text = parseKey(call.header('idempotency-key'));
  const key = parseCallKey(text);
  const scope = scopeOf(actor, call.endpoint.method, call.target, text ?? '');
  const request = journalledCall(call);
  const writes = request.isWrite ? 1 : 0;
  const started = { scope, actor, call: key, request };
  const after: CallMemory['after'] = [];
  let wasBegun = false;

  async function find(db: Db): Promise<Known | undefined> {
    const known = await findKnown(executor, db, actor, key);
    await keepAnswerOrder(db, actor, call);
    after.push(await usage.record(db, actor.runId, call.permission));
    return known;
  }

  async function keep(db: Db, answer: Answer, sent = false): Promise<void> {
    answer.at = (await earlier.clock(db, actor, key.epoch)) ?? answer.at;
    await keepCall(db, actor, key, request, { ...answer, sent });
    if (request.isWrite && answer.status >= 400 && !sent) await giveBackCalls(db, actor, { hostCalls: 0, writes: 1 });
    await endCall(db, scope);
  }

  return {
    scope,
    find,
    async begin(db) {
      if (request.isWrite && (await earlier.clock(db, actor, key.epoch)) !== null) await refuseMismatch(db, actor, key, request);
      await refuseOtherStarted(db, started);
      wasBegun = await beginCall(db, started);
      // The call is counted before it asks anybody outside, because such a request cannot be undone.
      if (!wasBegun) await countCall(db, actor, writes);
      return wasBegun;
    },
    check: (db) => holdClaim(db, actor, false),
    keep: (db, answer) => keep(db, answer),
    async keepRefusal(db, error) {
      if (isTemporary(error)) {
        // The verb has asked nobody outside yet, so the call counts as never begun.
        if (error instanceof Refusal && error.code === 'busy' && !wasBegun) {
          await endCall(db, scope);
          await giveBackCalls(db, actor, { hostCalls: 1, writes });
        }
        return null;
      }
      const refusal = toRefusal(error);
      const refused = refusedAnswer(call, refusal);
      if (!refused && !isPassing(refusal)) return null;
      const known = await find(db);
      if (known) return { ...known, replayed: true, after: [] };
      if (refused) {
        await keep(db, refused, refusal.sent);
        return refused;
      }
      if (refusal.code === 'http_failed' && !wasBegun) {
        // The request has had no effect, so it does not count as a write, and a later attempt may send it.
        await endCall(db, scope);
        await giveBackCalls(db, actor, { hostCalls: 0, writes });
      }
      return keepPassing(executor, { call, actor, key }, db, refusal);
    },
    after,
  };
}

const TEMPORARY_CODES = new Set([
  'llm_budget_spent',
  'idempotency_in_progress',
  'run_fenced',
  'resume_mismatch',
  'journal_full',
  'budget_spent',
  'busy',
]);

/** Refusals that depend only on the present moment: the same call may succeed later, so they are not stored. */
function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && TEMPORARY_CODES.has(error.code);
}

/** Whether the claim of the run that made the call has ended. */
export async function isEnded(db: Db, actor: Actor): Promise<boolean> {
  return actor.type === 'task' && isClaimEnded(db, actor.claimId);
}
