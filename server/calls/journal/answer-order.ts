import type { Db } from '../../db/open.ts';
import type { Actor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Call, InTransaction } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import type { KeyedCall } from '../keys/idempotency.ts';
import { insertAnswerOrder } from './journal-store.ts';

/** `<epoch>:<number of the last answer>:<place>/<name>,…` */
const TOLD = /^(\d{1,9}):(\d{1,9}):(\d{1,9}\/[0-9a-f]{12}(?:,\d{1,9}\/[0-9a-f]{12}){0,999})$/;

/**
 * Stores what a request of a run tells about the order in which its script got its answers, in the transaction of the request. So all that an
 * effect may depend on is stored with it, and the next attempt gets its answers in the same order (spec JO13).
 */
export async function keepAnswerOrder(db: Db, actor: Actor, call: Pick<Call, 'header'>): Promise<void> {
  const told = call.header('backroom-answers');
  if (told === undefined || actor.type !== 'task' || actor.replay) return;
  const [, epoch, upto, names] = TOLD.exec(told) ?? [];
  if (names === undefined)
    throw new Refusal('malformed_header', 'Backroom-Answers has the form <epoch>:<number>:<place>/<name>,…; only runners send it.');
  await insertAnswerOrder(db, { lineageId: actor.lineageId, claimId: actor.claimId, epoch: Number(epoch), upto: Number(upto), names });
}

/** Stores it of what a runner reports; of a script's call its entry in the journal does. */
export const answerOrder: Wrapper<InTransaction<KeyedCall>> = async (call, next) => {
  await keepAnswerOrder(call.db, call.actor, call);
  return next(call);
};
