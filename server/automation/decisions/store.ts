import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertApproval(db: Db, row: NewRow<'version_approvals'>): Promise<number> {
  const { id } = await db.insertInto('version_approvals').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export type DecisionRow = Pick<Row<'version_approvals'>, 'id' | 'admin_id' | 'at'> & { comment: string; admin_name: string | null };

/** A request for changes with the name of who made it, by its primary key. */
export async function selectChangeRequest(db: Db, id: number): Promise<DecisionRow | null> {
  const { rows } = await sql<DecisionRow>`
    SELECT d.id, d.admin_id, coalesce(nullif(a.name, ''), a.email) AS admin_name, coalesce(d.comment, '') AS comment, d.at
    FROM version_approvals d LEFT JOIN admins a ON a.id = d.admin_id WHERE d.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Newest first; the indexes on (task_id, id) and (version_id, id) serve the two filters. */
export function selectApprovals(
  db: Db,
  of: { taskId: number } | { versionId: number },
  limit: number,
): Promise<Row<'version_approvals'>[]> {
  const all = db.selectFrom('version_approvals').selectAll();
  const some = 'taskId' in of ? all.where('task_id', '=', of.taskId) : all.where('version_id', '=', of.versionId);
  return some.orderBy('id', 'desc').limit(limit).execute();
}
