import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import { statement, updateVersioned } from '../../db/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type At = Pick<Ctx, 'db' | 'dialect'>;
export type ScheduleRow = Row<'schedules'>;

export function selectSchedules(db: Db, taskId: number): Promise<ScheduleRow[]> {
  return db.selectFrom('schedules').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
}

export async function countSchedules(db: Db, taskId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM schedules WHERE task_id = ${taskId}`.execute(db);
  return rows[0]?.n ?? 0;
}

export function selectSchedule(db: Db, taskId: number, id: number): Promise<ScheduleRow | undefined> {
  return db.selectFrom('schedules').selectAll().where('id', '=', id).where('task_id', '=', taskId).executeTakeFirst();
}

/** Held against changes by another transaction until this one ends. */
export function lockSchedule({ db, dialect }: At, taskId: number, id: number): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('schedules')
    .selectAll()
    .where('id', '=', id)
    .where('task_id', '=', taskId)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}

export async function insertSchedule(db: Db, row: NewRow<'schedules'>): Promise<number> {
  const { id } = await db.insertInto('schedules').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateSchedule(db: Db, id: number, changes: Partial<Omit<ScheduleRow, 'id' | 'row_version'>>): Promise<void> {
  await updateRow(db, id, changes);
}

const updateRow = updateVersioned('schedules');

export async function deleteSchedule(db: Db, id: number): Promise<void> {
  await db.deleteFrom('schedules').where('id', '=', id).execute();
}

export async function isAnyDue(db: Db, { nowMs }: Dialect): Promise<boolean> {
  const { rows } = await sql`SELECT id FROM schedules WHERE due_ms <= ${nowMs} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The longest due, held until this transaction ends, and the database's time; no other server gets it. */
export async function takeDue(db: Db): Promise<(ScheduleRow & { now_ms: number }) | undefined> {
  const [row] = await longestDue(db, {});
  return row;
}

const longestDue = statement<object, ScheduleRow & { now_ms: number }>(
  (_, { nowMs, skipLocked }) => sql`
    SELECT s.*, ${nowMs} AS now_ms FROM schedules s WHERE due_ms <= ${nowMs} ORDER BY due_ms, id LIMIT 1 ${skipLocked}`,
);

/** It is looked at again later; which time is due does not change. */
export async function postpone(db: Db, { nowMs }: Dialect, id: number, ms: number): Promise<void> {
  await sql`UPDATE schedules SET due_ms = ${nowMs} + ${ms} WHERE id = ${id} AND due_ms <= ${nowMs}`.execute(db);
}

export async function selectNowMs({ db, dialect }: At): Promise<number> {
  const { rows } = await sql<{ now_ms: number }>`SELECT ${dialect.nowMs} AS now_ms`.execute(db);
  if (!rows[0]) throw new Error('the database gave no time');
  return rows[0].now_ms;
}

/** An open run that the schedule opened, or that goes on with the last one it opened. */
export async function selectOpenRun(db: Db, { id, task_id, last_run_id }: ScheduleRow): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    SELECT r.id FROM runs r WHERE r.task_id = ${task_id} AND r.status = 'running'
      AND (r.started_by = ${`schedule:${id}`} OR r.lineage_id = (SELECT l.lineage_id FROM runs l WHERE l.id = ${last_run_id}))
    LIMIT 1`.execute(db);
  return rows[0]?.id ?? null;
}
