import type { Db } from '../../../db/open.ts';
import type { TaskActor } from '../../../verbs/context.ts';
import * as store from '../rows/lineage-store.ts';

/** What these runs wait for: the answer of a person, which comes first, or the end of a run that they have started. */
export async function findAsking(db: Db, runIds: readonly number[]): Promise<Map<number, 'prompt' | 'task'>> {
  const found = new Map<number, 'prompt' | 'task'>();
  for (const { asked_by_run_id: id, awaits_run_id } of await store.selectAsking(db, runIds))
    if (found.get(id) !== 'prompt') found.set(id, awaits_run_id === null ? 'prompt' : 'task');
  return found;
}

/**
 * Which of these questions let a claim give its run back, and what has come of those that are answered. A question counts if this run
 * asked it and it is unanswered, or was answered since this claim was made.
 */
export async function findAwaited(
  db: Db,
  { runId, claimId }: Pick<TaskActor, 'runId' | 'claimId'>,
  ids: readonly number[],
): Promise<{ awaited: Set<number>; answered: string[] }> {
  const asked = await store.selectAsked(db, runId, ids);
  const awaited = asked.filter(({ answered_at, answered_claim_id }) => answered_at === null || answered_claim_id === claimId);
  return {
    awaited: new Set(awaited.map(({ id }) => id)),
    answered: awaited
      .filter(({ answered_at }) => answered_at !== null)
      .map(({ id, awaits_run_id }) => (awaits_run_id === null ? `prompt ${id} was answered` : `run ${awaits_run_id} ended`)),
  };
}
