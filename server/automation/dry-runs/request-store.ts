import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** Keeps that a plan waits for a second person; false: somebody asked before. */
export async function insertRequest(db: Db, row: NewRow<'plan_requests'>): Promise<boolean> {
  const made = await db
    .insertInto('plan_requests')
    .values(row)
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returning('run_id')
    .executeTakeFirst();
  return made !== undefined;
}

export function lockRequest({ db, dialect }: At, runId: number): Promise<Row<'plan_requests'> | undefined> {
  return db.selectFrom('plan_requests').selectAll().where('run_id', '=', runId).modifyEnd(dialect.forUpdate).executeTakeFirst();
}

export async function updateRequest(db: Db, runId: number, changes: Partial<NewRow<'plan_requests'>>): Promise<void> {
  await db.updateTable('plan_requests').set(changes).where('run_id', '=', runId).execute();
}

export type WaitingRow = Pick<Row<'plan_requests'>, 'run_id' | 'asked_by' | 'asked_at' | 'comment'> & {
  task_id: number;
  task_name: string;
  one_off: number;
  version_id: number;
  lineage_id: string;
  undo_of_run_id: number | null;
  asked_by_name: string;
  writes: number;
};

/** Oldest first, by the index of those that wait; without those of tasks that are deleted and of versions that were rejected. */
export async function selectWaiting(db: Db, limit: number): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    SELECT q.run_id, q.asked_by, q.asked_at, q.comment, r.task_id, t.name AS task_name, t.one_off, r.version_id, r.lineage_id, r.undo_of_run_id,
      coalesce(nullif(a.name, ''), a.email) AS asked_by_name,
      (SELECT count(*) FROM planned_writes w WHERE w.lineage_id = r.lineage_id) AS writes
    FROM plan_requests q JOIN runs r ON r.id = q.run_id JOIN task_versions v ON v.id = r.version_id JOIN tasks t ON t.id = r.task_id
      JOIN admins a ON a.id = q.asked_by
    WHERE q.state = 'waiting' AND t.deleted_at IS NULL AND v.rejected_at IS NULL ORDER BY q.run_id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, writes: Number(row.writes) }));
}
