import { randomUUID } from 'node:crypto';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import type { NewRow } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import * as lineages from './lineage-store.ts';
import * as store from './store.ts';

export type { RunRow } from './store.ts';

/** A run of a task, as it is stored. */
export function findRun(db: Db, taskId: number, id: number): Promise<store.RunRow | undefined> {
  return store.selectRun(db, taskId, id);
}

/** The run, held against changes by another transaction until this one ends. */
export function lockRun(db: Db, id: number): Promise<store.RunRow | undefined> {
  return store.lockRun(db, id);
}

export function changeRun(db: Db, id: number, changes: store.RunChanges): Promise<void> {
  return store.updateRun(db, id, changes);
}

/** `seed` empty: nothing can be resumed. `startedAt`: of the epoch. `permissions`: JSON of what its scripts may do. */
type NewLineage = { seed: string; epoch: number; startedAt: string; permissions: string };

/** Inserts a lineage that has no run yet; returns its id. */
export async function beginLineage(db: Db, { seed, epoch, startedAt, permissions }: NewLineage): Promise<string> {
  const id = randomUUID();
  await lineages.insertLineage(db, { id, seed, epoch, epoch_started_at: startedAt, journal_bytes: 0, permissions });
  return id;
}

/** What a run is where its opener says nothing else: it runs, and nobody has claimed it. */
const fresh = {
  status: 'running',
  error_message: null,
  last_checkpoint: null,
  finished_at: null,
  attempt: 1,
  claim_id: null,
  claimed_by: null,
  claimed_at: null,
  dry_run: 0,
  record: 0,
  priority: 0,
  resumed_from_run_id: null,
  resumed_by_run_id: null,
  reported: 0,
  end_reason: null,
  isolation: '[]',
  progress: null,
  result: null,
  log_lines: 0,
  log_bytes: 0,
  concurrency_key: null,
  concurrency_limit: null,
} as const;

type NewRun = Omit<NewRow<'runs'>, keyof typeof fresh | 'started_at'> & Partial<NewRow<'runs'>>;

/** Inserts a run that starts now; returns its id. */
export function insertRun(ctx: Pick<Ctx, 'db' | 'now'>, run: NewRun): Promise<number> {
  return store.insertRun(ctx.db, { ...fresh, started_at: ctx.now, ...run });
}

/** When a runner was last seen, in milliseconds before now; null: never. */
export function runnerAgeMs(db: Db, dialect: Dialect): Promise<number | null> {
  return store.selectRunnerAge(db, dialect);
}
