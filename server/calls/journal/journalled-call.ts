import { isWrite } from '../../../contract/endpoint.ts';
import type { Executor, InTransaction, ScriptCall, TaskCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { parseKey } from '../keys/idempotency.ts';
import { keepAnswerOrder } from './answer-order.ts';
import { countCall } from './budgets.ts';
import { journalledCall, keepCall, parseCallKey, refuseMismatch } from './journal.ts';
import { findKnown } from './passing-refusals.ts';

export const withCallKey: Wrapper<TaskCall, ScriptCall> = async (call, next) =>
  next({ ...call, callKey: parseCallKey(parseKey(call.header('idempotency-key'))) });

/** Stores a script's call in the journal, in the transaction of its effect; a repeated call gets the stored answer. */
export function journalled(executor: Executor): Wrapper<InTransaction<ScriptCall>> {
  const { usage, earlier } = executor;
  return async (call, next) => {
    const { db, actor, callKey } = call;
    const write = isWrite(call.endpoint);
    const request = journalledCall(call);
    const stored = await findKnown(executor, db, actor, callKey);
    await keepAnswerOrder(db, actor, call);
    const remember = await usage.record(db, actor.runId, call.permission);
    if (stored) return { ...stored, replayed: true, after: [remember] };
    const clock = await earlier.clock(db, actor, callKey.epoch);
    if (write && clock !== null) await refuseMismatch(db, actor, callKey, request);
    const answer = await next(call);
    answer.at = clock ?? answer.at;
    await keepCall(db, actor, callKey, request, answer);
    await countCall(db, actor, write && answer.status < 400 ? 1 : 0);
    return { ...answer, after: [...answer.after, remember] };
  };
}
