import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { insertInto, rowStatement, statement } from '../../../db/queries/statement.ts';
import type { Row } from '../../../db/tables.ts';
import type { Counted, Waits } from './rules.ts';

const insertFigures = insertInto('run_figures');

export async function keepFigures(db: Db, row: Row<'run_figures'>): Promise<void> {
  await insertFigures(db, row);
}

/** `tokens`: of all runs of the lineage but those that were counted before. */
export type Facts = { claimed_at: string | null; wall_ms: number | null; effects: number; tokens: number };

/** What is known of a run that ends. */
export const selectFacts = rowStatement<{ runId: number; lineageId: string }, Facts>(
  (value) => sql`
    SELECT
      (SELECT min(claimed_at) FROM run_claims WHERE run_id = ${value('runId')}) AS claimed_at,
      (SELECT max(wall_ms) FROM run_claims WHERE run_id = ${value('runId')}) AS wall_ms,
      (SELECT count(*) FROM run_effects WHERE run_id = ${value('runId')}) AS effects,
      l.llm_tokens - coalesce((
        SELECT CAST(sum(f.llm_tokens) AS bigint) FROM runs o JOIN run_figures f ON f.run_id = o.id WHERE o.lineage_id = ${value('lineageId')}
      ), 0) AS tokens
    FROM lineages l WHERE l.id = ${value('lineageId')}`,
);

type Days = { taskId: number; from: string };
type Place = { day: string; version_id: number };

/** By an index that has all of it, so that a hundred thousand runs are read in its order and grouped without sorting. */
export const selectCounted = statement<Days, Place & Counted>(
  (value) => sql`
    SELECT day, version_id, took_bucket AS took, outcome, count(*) AS runs,
      CAST(sum(effects) AS bigint) AS effects, CAST(sum(llm_tokens) AS bigint) AS tokens
    FROM run_figures WHERE task_id = ${value('taskId')} AND day >= ${value('from')}
    GROUP BY day, version_id, took_bucket, outcome`,
);

export const selectWaits = statement<Days, Place & Waits>(
  (value) => sql`
    SELECT day, version_id, waited_bucket AS waited, count(*) AS runs
    FROM run_figures WHERE task_id = ${value('taskId')} AND day >= ${value('from')} AND waited_bucket IS NOT NULL
    GROUP BY day, version_id, waited_bucket`,
);

/** The numbers of these versions; drafts have none. */
export async function selectNumbers(db: Db, ids: readonly number[]): Promise<Map<number, number | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('task_versions').select(['id', 'version']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}
