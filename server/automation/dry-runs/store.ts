import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { insertInto, rowStatement, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

export type PlannedRow = Row<'planned_writes'>;

/** The planned writes after a position. */
export function selectPlan(db: Db, lineageId: string, after: number): Promise<PlannedRow[]> {
  return plannedWrites(db, { lineageId, after });
}

const plannedWrites = statement<{ lineageId: string; after: number }, PlannedRow>(
  (value) => sql`SELECT * FROM planned_writes WHERE lineage_id = ${value('lineageId')} AND position > ${value('after')} ORDER BY position`,
);

/** Who started the runs of a lineage, and of those that it was restarted from. */
export async function selectStarters(db: Db, lineageId: string): Promise<(number | null)[]> {
  const { rows } = await sql<{ started_by_admin_id: number | null }>`
    WITH RECURSIVE chain (lineage_id) AS (
      SELECT id FROM lineages WHERE id = ${lineageId}
      UNION
      SELECT f.lineage_id FROM chain c JOIN runs r ON r.lineage_id = c.lineage_id JOIN runs f ON f.id = r.restarted_from_run_id
    )
    SELECT DISTINCT r.started_by_admin_id FROM chain c JOIN runs r ON r.lineage_id = c.lineage_id`.execute(db);
  return rows.map((row) => row.started_by_admin_id);
}

export async function isPlanEmpty(db: Db, lineageId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM planned_writes WHERE lineage_id = ${lineageId} LIMIT 1`.execute(db);
  return rows.length === 0;
}

export const insertPlanned = insertInto('planned_writes');

export type LockedLineage = { seed: string; carried_out_again: number };

/** Locks the lineage, so that calls of one dry run are carried out one after the other. */
export const lockLineage = rowStatement<{ lineageId: string }, LockedLineage>(
  (value, dialect) => sql`SELECT seed, carried_out_again FROM lineages WHERE id = ${value('lineageId')} ${dialect.forUpdate}`,
);

export async function addCarriedOut(db: Db, lineageId: string, count: number): Promise<void> {
  await sql`UPDATE lineages SET carried_out_again = carried_out_again + ${count} WHERE id = ${lineageId}`.execute(db);
}

export async function deletePlans(db: Db, lineageIds: readonly string[]): Promise<void> {
  await db.deleteFrom('planned_writes').where('lineage_id', 'in', lineageIds).execute();
}
