import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertApproval(db: Db, row: NewRow<'version_approvals'>): Promise<void> {
  await db.insertInto('version_approvals').values(row).execute();
}

/** Newest first, by the index on (task_id, id) or on (version_id, id). */
export function selectApprovals(
  db: Db,
  of: { taskId: number } | { versionId: number },
  limit: number,
): Promise<Row<'version_approvals'>[]> {
  const all = db.selectFrom('version_approvals').selectAll();
  const some = 'taskId' in of ? all.where('task_id', '=', of.taskId) : all.where('version_id', '=', of.versionId);
  return some.orderBy('id', 'desc').limit(limit).execute();
}
