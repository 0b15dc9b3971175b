import { namedEvent, SIGNAL_EVENT } from '../../../../contract/wait-rules.ts';
import type { Db } from '../../../db/open.ts';
import type { TaskActor } from '../../../verbs/context.ts';
import * as store from '../rows/lineage-store.ts';

/** What a run may wait for after it was claimed, what counts most first: where it waits for several, the first of them is shown. */
export const asked = ['prompt', 'task', 'event', 'signal', 'sleep'] as const;
export type Asked = (typeof asked)[number];

/** `awaits`: the name of the event; null: none. `dueMs`: when the wait ends in any case; null: that is not known. */
export type Asking = { reason: Asked; awaits: string | null; dueMs: number | null };

/** What these runs wait for: of several the one that counts most, and of those of a kind the one that ends first. */
export async function findAsking(db: Db, runIds: readonly number[]): Promise<Map<number, Asking>> {
  const found = new Map<number, Asking>();
  for (const row of await store.selectAsking(db, runIds)) {
    const one: Asking = { reason: reasonOf(row), awaits: eventOf(row), dueMs: row.due_ms };
    const known = found.get(row.asked_by_run_id);
    if (!known || isBefore(one, known)) found.set(row.asked_by_run_id, one);
  }
  return found;
}

function eventOf({ awaits }: Pick<store.Asking, 'awaits'>): string | null {
  return awaits === null || awaits === 'sleep' ? null : namedEvent(awaits);
}

function reasonOf({ awaits_run_id, awaits }: Pick<store.Asking, 'awaits_run_id' | 'awaits'>): Asked {
  if (awaits_run_id === null) return 'prompt';
  if (awaits === null) return 'task';
  if (awaits === 'sleep') return 'sleep';
  return awaits.startsWith(SIGNAL_EVENT) ? 'signal' : 'event';
}

function isBefore(one: Asking, other: Asking): boolean {
  const [a, b] = [asked.indexOf(one.reason), asked.indexOf(other.reason)];
  return a === b ? (one.dueMs ?? 0) < (other.dueMs ?? 0) : a < b;
}

/**
 * Which of these questions and waits let a claim give its run back, and what has come of those that are over. One counts if this run
 * asked it and it is open, or was answered since this claim was made. Of sleeps nothing is told.
 */
export async function findAwaited(
  db: Db,
  { runId, claimId }: Pick<TaskActor, 'runId' | 'claimId'>,
  ids: readonly number[],
): Promise<{ awaited: Set<number>; isOver: boolean; told: string[] }> {
  const rows = await store.selectAsked(db, runId, ids);
  const awaited = rows.filter(({ answered_at, answered_claim_id }) => answered_at === null || answered_claim_id === claimId);
  const over = awaited.filter(({ answered_at }) => answered_at !== null);
  return {
    awaited: new Set(awaited.map(({ id }) => id)),
    isOver: over.length > 0,
    told: over.flatMap(({ id, awaits_run_id, awaits }) => {
      if (awaits_run_id === null) return `prompt ${id} was answered`;
      if (awaits === null) return `run ${awaits_run_id} ended`;
      return awaits === 'sleep' ? [] : `the wait for ${namedEvent(awaits)} ended`;
    }),
  };
}
