import type { Db } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import * as store from './lineage-store.ts';

/** Of these runs those that wait for a person. */
export function findAsking(db: Db, runIds: readonly number[]): Promise<Set<number>> {
  return store.selectAsking(db, runIds);
}

/**
 * For which of these questions a claim may give its run back, and which of them are answered: those that the run has
 * asked and nobody has answered yet, or somebody has since the claim was made.
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
