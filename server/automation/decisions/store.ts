import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertApproval(db: Db, row: NewRow<'version_approvals'>): Promise<void> {
  await db.insertInto('version_approvals').values(row).execute();
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
