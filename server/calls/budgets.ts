import type { Db } from '../db/open.ts';
import type { TaskActor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import { addCalls, type Calls } from './run-store.ts';

/**
 * Counts a call that is carried out for a script, in its transaction, and refuses the one past the budget: with it goes
 * all that the call did. Last in the transaction, so that concurrent calls of a run wait for one another no longer than
 * a commit takes.
 */
export async function countCall(db: Db, { lineageId, limits }: TaskActor, writes: number): Promise<void> {
  const [counted] = await addCalls(db, { lineageId, hostCalls: 1, writes });
  if (!counted || limits === null) return;
  if (counted.host_calls > limits.hostCalls) throw spent('host_calls', limits.hostCalls);
  if (writes > 0 && limits.writes !== null && counted.writes > limits.writes) throw spent('writes', limits.writes);
}

/** Of what was counted before it was carried out: what came to nothing. */
export async function giveBackCalls(db: Db, { lineageId }: TaskActor, { hostCalls, writes }: Calls): Promise<void> {
  await addCalls(db, { lineageId, hostCalls: -hostCalls, writes: -writes });
}

function spent(budget: 'host_calls' | 'writes', limit: number): Refusal {
  return new Refusal('budget_spent', `The budget ${budget} of ${limit} is spent; the call was not carried out and the run ends.`, {
    extra: { budget, limit },
  });
}

/** The budget for which a refusal ends the run that asked, else null. */
export function budgetOf(error: unknown): { budget: string; limit: number } | null {
  if (!(error instanceof Refusal) || (error.code !== 'budget_spent' && error.code !== 'log_too_large')) return null;
  const { budget, limit } = error.extra;
  return typeof budget === 'string' && typeof limit === 'number' ? { budget, limit } : null;
}
