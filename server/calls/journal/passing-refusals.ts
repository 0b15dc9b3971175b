import type { Db } from '../../db/open.ts';
import { PASSING } from '../../db/queries/passing.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Call, Executor, ScriptCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { answerOfRefusal, toRefusal } from '../problem.ts';
import { isPassing } from '../verb/stored-refusals.ts';
import { keepAnswerOrder } from './answer-order.ts';
import { countCall } from './budgets.ts';
import { answerOfRow, type CallKey, findCall, type JournalledAnswer, journalledCall, keepCall } from './journal.ts';
import { markAsked, selectPassing } from './journal-store.ts';

/**
 * Refusals that a script is told of although the same call may succeed a moment later, such as that another system cannot be reached. They
 * are stored for the attempt that got them and for its replay, and move the script's clock. A later attempt makes the call anew, unless the
 * script of one that was lost had gone on from its refusal.
 */

type Made = { call: Call; actor: TaskActor; key: CallKey };

/** The stored answer of this call; undefined: it has to be carried out. */
export async function findKnown(executor: Executor, db: Db, actor: TaskActor, key: CallKey): Promise<JournalledAnswer | undefined> {
  return (await findCall({ db, dialect: executor.services.store.dialect }, actor, key)) ?? (await findEarlier(executor, db, actor, key));
}

/**
 * The refusal that a lost attempt got for this call. It counts as long as the journal has answers that this attempt has not asked for, because
 * until then the attempt repeats the lost one. After that the call is made anew, unless the script has waited since.
 */
async function findEarlier({ earlier }: Executor, db: Db, actor: TaskActor, key: CallKey): Promise<JournalledAnswer | undefined> {
  const row = await selectPassing(db, actor.lineageId, key);
  if (!row || (row.passing === PASSING && (await earlier.clock(db, actor, key.epoch)) === null)) return undefined;
  await markAsked(db, { lineageId: actor.lineageId, epoch: key.epoch, key: row.key }, actor.claimId);
  return answerOfRow(row);
}

/** Stores such a refusal, and returns it with the time that is stored. */
export async function keepPassing({ earlier }: Executor, { call, actor, key }: Made, db: Db, refusal: Refusal): Promise<Refusal> {
  const answer = answerOfRefusal(call, refusal);
  const at = (await earlier.clock(db, actor, key.epoch)) ?? answer.at;
  await keepCall(db, actor, key, journalledCall(call), { ...answer, at, passing: true });
  const { code, message, errors, extra, sent, cause } = refusal;
  return new Refusal(code, message, { errors, extra, sent, cause, at });
}

/** A refusal of a call whose transaction failed, of which the script is told, is stored in a transaction of its own. */
export function passingRefusals(executor: Executor): Wrapper<ScriptCall> {
  return async (call, next) => {
    try {
      return await next(call);
    } catch (error) {
      throw await keptFailure(executor, call, error);
    }
  };
}

/** What to throw of a call whose transaction failed. */
async function keptFailure(executor: Executor, call: ScriptCall, error: unknown): Promise<unknown> {
  const refusal = toRefusal(error);
  const { actor, callKey } = call;
  if (actor.dryRun || !isPassing(refusal)) return error;
  const { store, log } = executor.services;
  try {
    return await store.write(async (db) => {
      if (await findCall({ db, dialect: store.dialect }, actor, callKey)) return error;
      await keepAnswerOrder(db, actor, call);
      const kept = await keepPassing(executor, { call, actor, key: callKey }, db, refusal);
      await countCall(db, actor, 0);
      return kept;
    });
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    log.debug({ err: cause }, 'the refusal of a call could not be stored');
    return error;
  }
}
