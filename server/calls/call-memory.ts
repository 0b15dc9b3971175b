import type { Db } from '../db/open.ts';
import type { Actor, TaskActor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import { countCall, giveBackCalls } from './budgets.ts';
import type { Answer, Call, Executor } from './call.ts';
import { lockedAnswer, refusedAnswer } from './execute.ts';
import { fingerprintOf, keepAnswer, parseKey, type StoredAnswer, scopeOf } from './idempotency.ts';
import { findCall, holdClaim, journalledCall, keepCall, parseCallKey, refuseMismatch } from './journal.ts';
import { isClaimEnded } from './run-store.ts';
import { beginCall, endCall, refuseOtherStarted } from './started-calls.ts';

type Known = StoredAnswer & { at: string };

/** Where the answer of a call of several transactions is kept for its repeats. */
export type CallMemory = {
  /** The same for a call and its repeats; null: nothing is kept. */
  scope: string | null;
  /** The answer that a request before this one was given; holds the scope until the transaction ends. */
  find(db: Db): Promise<Known | undefined>;
  /** In the first transaction. True where an earlier request began and nobody knows what became of it. */
  begin(db: Db): Promise<boolean>;
  /** Refuses a transaction between the first and the last where the caller may not go on. */
  check(db: Db): Promise<void>;
  keep(db: Db, answer: Answer): Promise<void>;
  /** The refusal as an answer that is kept; null where it is not one. */
  keepRefusal(db: Db, error: unknown): Promise<Answer | null>;
  /** What to do once a transaction that used this memory is committed. */
  after: (() => void)[];
};

export function memoryOf(executor: Executor, call: Call): CallMemory {
  return call.actor.type === 'task' ? runMemory(executor, call, call.actor) : keyMemory(executor, call, call.actor);
}

/** By the Idempotency-Key, where there is one. */
function keyMemory(executor: Executor, call: Call, actor: Actor): CallMemory {
  const key = parseKey(call.header('idempotency-key'));
  const scope = key === undefined ? null : scopeOf(actor, call.endpoint.method, call.target, key);
  const fingerprint = fingerprintOf(call.body.raw);
  return {
    scope,
    find: async (db) => (scope === null ? undefined : lockedAnswer(executor, db, scope, fingerprint)),
    begin: async () => false,
    check: async () => undefined,
    keep: async (db, answer) => {
      if (scope !== null) await keepAnswer(db, scope, fingerprint, answer, answer.at);
    },
    keepRefusal: async () => null,
    after: [],
  };
}

/** By the journal of the run, whose claim each transaction locks (automation.md §5). */
function runMemory({ services, usage, earlier }: Executor, call: Call, actor: TaskActor): CallMemory {
  const { dialect } = services.store;
  const text = parseKey(call.header('idempotency-key'));
  const key = parseCallKey(text);
  const scope = scopeOf(actor, call.endpoint.method, call.target, text ?? '');
  const request = journalledCall(call);
  const writes = request.isWrite ? 1 : 0;
  const started = { scope, actor, call: key, request };
  const after: CallMemory['after'] = [];
  let wasBegun = false;

  async function find(db: Db): Promise<Known | undefined> {
    const known = await findCall(db, dialect, actor, key);
    after.push(await usage.note(db, actor.runId, call.permission));
    return known;
  }

  async function keep(db: Db, answer: Answer): Promise<void> {
    answer.at = (await earlier.clock(db, actor, key.epoch)) ?? answer.at;
    await keepCall(db, actor, key, request, answer);
    if (request.isWrite && answer.status >= 400) await giveBackCalls(db, actor, { hostCalls: 0, writes: 1 });
    await endCall(db, scope);
  }

  return {
    scope,
    find,
    async begin(db) {
      if (request.isWrite && (await earlier.clock(db, actor, key.epoch)) !== null) await refuseMismatch(db, actor, key, request);
      await refuseOtherStarted(db, started);
      wasBegun = await beginCall(db, started);
      // What is asked outside cannot be undone: it is counted before.
      if (!wasBegun) await countCall(db, actor, writes);
      return wasBegun;
    },
    check: (db) => holdClaim(db, actor, false),
    keep,
    async keepRefusal(db, error) {
      if (isOfTheMoment(error)) {
        // The verb asked nobody for anything.
        if (error instanceof Refusal && error.code === 'busy' && !wasBegun) {
          await endCall(db, scope);
          await giveBackCalls(db, actor, { hostCalls: 1, writes });
        }
        return null;
      }
      const refused = refusedAnswer(call, error);
      if (!refused) return null;
      const known = await find(db);
      if (known) return { ...known, replayed: true, after: [] };
      await keep(db, refused);
      return refused;
    },
    after,
  };
}

const OF_THE_MOMENT = new Set([
  'llm_budget_spent',
  'idempotency_in_progress',
  'run_fenced',
  'resume_mismatch',
  'journal_full',
  'budget_spent',
  'busy',
]);

/** Refusals that say nothing of the call itself: asked again, it may be carried out. */
function isOfTheMoment(error: unknown): boolean {
  return error instanceof Refusal && OF_THE_MOMENT.has(error.code);
}

/** Whether the run of a call has ended meanwhile. */
export async function isEnded(db: Db, actor: Actor): Promise<boolean> {
  return actor.type === 'task' && isClaimEnded(db, actor.claimId);
}
