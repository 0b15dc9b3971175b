import type { Db } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import * as store from './lineage-store.ts';

/** Which of these runs have a question that nobody has answered. */
export function findAsking(db: Db, runIds: readonly number[]): Promise<Set<number>> {
  return store.selectAsking(db, runIds);
}

/**
 * Which of these questions let a claim give its run back, and which of those are answered. A question counts if this run
 * asked it and it is unanswered, or was answered since this claim was made.
 */
export async function findAwaited(
  db: Db,
  { runId, claimId }: Pick<TaskActor, 'runId' | 'claimId'>,
  ids: readonly number[],
): Promise<{ awaited: Set<number>; answered: number[] }> {
  const asked = await store.selectAsked(db, runId, ids);
  const awaited = asked.filter(({ answered_at, answered_claim_id }) => answered_at === null || answered_claim_id === claimId);
  return {
    awaited: new Set(awaited.map(({ id }) => id)),
    answered: awaited.filter(({ answered_at }) => answered_at !== null).map(({ id }) => id),
  };
}
