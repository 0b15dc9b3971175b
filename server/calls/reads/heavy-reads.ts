import type { Answer, Executor, InTransaction, ScriptCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { requireEmptyPlan } from '../dry-run/passes.ts';
import { findCall } from '../journal/journal.ts';
import { answerOrRefusal } from '../verb/stored-refusals.ts';
import { writeOptionsOf } from '../verb/transaction.ts';

/** `ahead`: the answer of a read that has been carried out. */
type ReadCall = ScriptCall & { ahead?: Answer };

/** A heavy read of a script runs before the write transaction that stores its answer, so that no writer waits for it. */
export function heavyReads(executor: Executor): Wrapper<ScriptCall, ReadCall> {
  return (call, next) => (call.isHeavy ? readFirst(executor, call).then(next) : next(call));
}

async function readFirst(executor: Executor, call: ScriptCall): Promise<ReadCall> {
  const { store } = executor.services;
  const isNew = await store.write(async (db) => {
    await requireEmptyPlan({ db, dialect: store.dialect }, call.actor);
    return !(await findCall({ db, dialect: store.dialect }, call.actor, call.callKey));
  }, writeOptionsOf(call));
  return isNew ? { ...call, ahead: await store.heavySnapshot((db) => answerOrRefusal(executor, { ...call, db })) } : call;
}

export const readAhead: Wrapper<InTransaction<ReadCall>, InTransaction<ScriptCall>> = (call, next) =>
  call.ahead ? Promise.resolve(call.ahead) : next(call);
