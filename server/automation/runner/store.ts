import { sql } from 'kysely';
import type { Dialect } from '../../db/dialect.ts';
import type { At, Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

/** A runner whose slots are all taken asks for no work, so it is known by its claims. */
const works = sql`name IN (SELECT runner_name FROM run_claims WHERE ended_at IS NULL)`;

function isHere(dialect: Dialect, withinMs: number) {
  return sql`(last_seen > ${dialect.nowMs} - ${withinMs} OR ${works})`;
}

/** The runners that have asked for work within the time or work on a run now. */
export async function selectRunners({ db, dialect }: At, withinMs: number): Promise<(Row<'runners'> & { running: number })[]> {
  const { rows } = await sql<Row<'runners'> & { running: number }>`
    SELECT name, version, isolation, slots, last_seen,
      (SELECT count(*) FROM run_claims c WHERE c.ended_at IS NULL AND c.runner_name = runners.name) AS running
    FROM runners WHERE ${isHere(dialect, withinMs)} ORDER BY name`.execute(db);
  return rows;
}

/** The number of open runs that wait for a runner, and the start of the oldest one, by the partial index runs_open. */
export async function selectQueue(db: Db): Promise<{ depth: number; oldest: string | null }> {
  const { rows } = await sql<{ depth: number; oldest: string | null }>`
    SELECT count(*) AS depth, min(started_at) AS oldest FROM runs WHERE status = 'running' AND claim_id IS NULL AND executor = 'runner'`.execute(
    db,
  );
  return rows[0] ?? { depth: 0, oldest: null };
}

/** Whether a runner may find a run that waits. */
export async function hasOpenRun(db: Db): Promise<boolean> {
  return (await anOpenRun(db, {})).length > 0;
}

const anOpenRun = statement(
  (_, { nowMs }) => sql`SELECT 1 AS open FROM runs WHERE status = 'running' AND claim_id IS NULL AND executor = 'runner'
    AND (start_by_ms IS NULL OR start_by_ms > ${nowMs}) LIMIT 1`,
);

/** How many such runners there are, and how many runs they can work on at a time. */
export async function countRunners({ db, dialect }: At, withinMs: number): Promise<{ runners: number; slots: number }> {
  const { rows } = await sql<{ runners: number; slots: number }>`
    SELECT count(*) AS runners, CAST(coalesce(sum(slots), 0) AS bigint) AS slots FROM runners WHERE ${isHere(dialect, withinMs)}`.execute(
    db,
  );
  return rows[0] ?? { runners: 0, slots: 0 };
}

/** The number of claims that have not ended, by the partial index run_claims_active. */
export async function countOpenClaims(db: Db): Promise<number> {
  const { rows } = await sql<{ claims: number }>`SELECT count(*) AS claims FROM run_claims WHERE ended_at IS NULL`.execute(db);
  return rows[0]?.claims ?? 0;
}

/**
 * Deletes runners that were last seen before `before`, an instant, and work on no run. The one seen last stays, because `/readyz` tells
 * when that was. Returns how many were deleted.
 */
export async function deleteGone({ db }: Pick<At, 'db'>, before: string, limit: number): Promise<number> {
  const { rows } = await sql`DELETE FROM runners WHERE name IN (
    SELECT name FROM runners WHERE last_seen < ${Date.parse(before)} AND NOT ${works}
      AND last_seen < (SELECT max(last_seen) FROM runners) LIMIT ${limit}) RETURNING name`.execute(db);
  return rows.length;
}
