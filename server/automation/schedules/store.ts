import { type RawBuilder, sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { rowStatement } from '../../db/queries/statement.ts';
import { taskPart } from '../../db/queries/task-part.ts';
import type { Row } from '../../db/tables.ts';

export type ScheduleRow = Row<'schedules'>;

export const schedules = taskPart('schedules');

/** Stores the outcome of a time. The row version is not raised, so that an admin's edit does not conflict with it. */
export async function noteTime(
  db: Db,
  id: number,
  changes: Partial<Pick<ScheduleRow, 'next_at' | 'due_ms' | 'last_run_id' | 'last_at' | 'last_error'>>,
): Promise<void> {
  await db.updateTable('schedules').set(changes).where('id', '=', id).execute();
}

export async function isAnyDue({ db, dialect: { nowMs } }: At): Promise<boolean> {
  const { rows } = await sql`SELECT id FROM schedules WHERE due_ms <= ${nowMs} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The schedule that has been due the longest, with the database's time. It is locked until the transaction ends; other servers skip it. */
export const takeDue = rowStatement<object, ScheduleRow & { now_ms: number }>(
  (_, { nowMs, skipLocked }) => sql`
    SELECT s.*, ${nowMs} AS now_ms FROM schedules s WHERE due_ms <= ${nowMs} ORDER BY due_ms, id LIMIT 1 ${skipLocked}`,
);

/** Puts off the next look at a due schedule; the time that is due stays the same. */
export async function postpone({ db, dialect: { nowMs } }: At, id: number, ms: number): Promise<void> {
  await sql`UPDATE schedules SET due_ms = ${nowMs} + ${ms} WHERE id = ${id} AND due_ms <= ${nowMs}`.execute(db);
}

export async function selectNowMs({ db, dialect }: At): Promise<number> {
  const { rows } = await sql<{ now_ms: number }>`SELECT ${dialect.nowMs} AS now_ms`.execute(db);
  if (!rows[0]) throw new Error('the database gave no time');
  return rows[0].now_ms;
}

type Text = RawBuilder<string>;

/** Open runs that the schedule opened, or that continue one of its runs. */
const openRuns = (taskId: RawBuilder<unknown>, startedBy: Text) => sql<{ id: number }>`
  SELECT r.id FROM runs r WHERE r.task_id = ${taskId} AND r.status = 'running'
    AND EXISTS (SELECT 1 FROM runs o WHERE o.lineage_id = r.lineage_id AND o.started_by = ${startedBy})`;

export async function selectOpenRun(db: Db, { id, task_id }: ScheduleRow): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`${openRuns(sql`${task_id}`, sql`${`schedule:${id}`}`)} LIMIT 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Schedules that have queued times and no open run any more. */
export async function selectUnblocked({ db, dialect: { nowMs } }: At): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT s.id FROM schedules s WHERE s.queued > 0 AND s.queue_due_ms <= ${nowMs}
      AND NOT EXISTS (${openRuns(sql.ref('s.task_id'), sql`'schedule:' || s.id`)})
    ORDER BY s.queue_due_ms, s.id LIMIT 100`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks a schedule until the transaction ends; undefined if it has no queued time any more. */
export function lockQueued({ db, dialect }: At, id: number): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('schedules')
    .selectAll()
    .where('id', '=', id)
    .where('queued', '>', 0)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}

/** Puts off the next look at the queued times. */
export async function postponeQueue({ db, dialect: { nowMs } }: At, id: number, ms: number): Promise<void> {
  await sql`UPDATE schedules SET queue_due_ms = ${nowMs} + ${ms} WHERE id = ${id}`.execute(db);
}
