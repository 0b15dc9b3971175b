import type { Db } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { addCalls, type Calls } from './run-store.ts';

/**
 * Counts a script's call in the transaction of its effect, and refuses the call beyond the budget, which undoes the effect too. The count
 * is the last statement of the transaction, so that concurrent calls of a run wait for one another only as long as a commit takes.
 */
export async function countCall(db: Db, { lineageId, limits }: TaskActor, writes: number): Promise<void> {
  const [counted] = await addCalls(db, { lineageId, hostCalls: 1, writes });
  if (!counted || limits === null) return;
  if (counted.host_calls > limits.hostCalls) throw spent('host_calls', limits.hostCalls);
  if (writes > 0 && limits.writes !== null && counted.writes > limits.writes) throw spent('writes', limits.writes);
}

/** Gives back calls and writes that were counted before they were carried out and then came to nothing. */
export async function giveBackCalls(db: Db, { lineageId }: TaskActor, { hostCalls, writes }: Calls): Promise<void> {
  await addCalls(db, { lineageId, hostCalls: -hostCalls, writes: -writes });
}

function spent(budget: 'host_calls' | 'writes', limit: number): Refusal {
  return new Refusal('budget_spent', `The budget ${budget} of ${limit} is spent; the call was not carried out and the run ends.`, {
    extra: { budget, limit },
  });
}

/** The budget that a refusal reports as spent, which ends the run that made the call; null for any other error. */
export function budgetOf(error: unknown): { budget: string; limit: number } | null {
  if (!(error instanceof Refusal) || (error.code !== 'budget_spent' && error.code !== 'log_too_large')) return null;
  const { budget, limit } = error.extra;
  return typeof budget === 'string' && typeof limit === 'number' ? { budget, limit } : null;
}
