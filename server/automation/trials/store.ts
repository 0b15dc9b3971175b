import { sql } from 'kysely';
import { TRIAL_LEAST_RUNS, type VersionTrial } from '../../../contract/trials.ts';
import type { Db } from '../../db/open.ts';
import { insertInto, rowStatement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface Database {
    /** Trials of new versions, as their tasks' settings asked for them when they were approved. */
    version_trials: {
      version_id: number;
      state: VersionTrial['state'];
      failures: number;
      /** JSON: how many effects each run had that succeeded. */
      effects: string;
      /** JSON: the figures of the version before. */
      before: string;
      reason: VersionTrial['reason'];
      run_id: number | null;
      decided_at: string | null;
    };
  }
}

export type TrialRow = Row<'version_trials'>;

export const insertTrial = insertInto('version_trials');

export const selectTrial = rowStatement<{ versionId: number }, TrialRow>(
  (value) => sql`SELECT * FROM version_trials WHERE version_id = ${value('versionId')}`,
);

/** Locks it, so that ends at the same time are judged one after the other. */
export const lockTrial = rowStatement<{ versionId: number }, TrialRow>(
  (value, { forUpdate }) => sql`SELECT * FROM version_trials WHERE version_id = ${value('versionId')} ${forUpdate}`,
);

export async function updateTrial(db: Db, versionId: number, changes: Partial<Omit<TrialRow, 'version_id'>>): Promise<void> {
  await db.updateTable('version_trials').set(changes).where('version_id', '=', versionId).execute();
}

const isReal = sql`r.dry_run = 0 AND r.replay_of_run_id IS NULL`;
/** Before there were errors, a run that had failed named none. */
const failed = sql`(r.error_id IS NOT NULL OR r.status IN ('failed', 'timed_out'))`;
const counts = sql`${isReal} AND (r.status = 'success' OR ${failed})`;

/** The newest approved version before this one of which enough runs have ended. */
export async function selectVersionBefore(
  db: Db,
  { taskId, version }: { taskId: number; version: number },
): Promise<{ id: number; version: number } | undefined> {
  const { rows } = await sql<{ id: number; version: number }>`
    SELECT v.id, v.version FROM task_versions v
    WHERE v.task_id = ${taskId} AND v.version < ${version} AND v.approved_by IS NOT NULL AND (
      SELECT count(*) FROM (SELECT 1 FROM runs r WHERE r.version_id = v.id AND ${counts} LIMIT ${TRIAL_LEAST_RUNS}) AS enough
    ) >= ${TRIAL_LEAST_RUNS}
    ORDER BY v.version DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** The latest runs of a version that succeeded or failed, with the number of their effects. */
export async function selectOutcomes(db: Db, versionId: number, limit: number): Promise<{ failed: number; effects: number }[]> {
  const { rows } = await sql<{ failed: number; effects: number }>`
    SELECT CASE WHEN ${failed} THEN 1 ELSE 0 END AS failed, (SELECT count(*) FROM run_effects e WHERE e.run_id = r.id) AS effects
    FROM runs r WHERE r.version_id = ${versionId} AND ${counts} ORDER BY r.id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export const countEffects = rowStatement<{ runId: number }, { n: number }>(
  (value) => sql`SELECT count(*) AS n FROM run_effects WHERE run_id = ${value('runId')}`,
);
