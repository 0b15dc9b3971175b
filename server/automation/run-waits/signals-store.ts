import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type Signal = Row<'run_signals'>;
/** Where a signal goes: to the runs of a lineage, or to any of a task. */
export type Box = { taskId: number; lineageId: string | null; key: string };

export type Receiver = { id: number; run_id: number; lineage_id: string; version_id: number };

/** The open waits for a signal of one of these runs, the oldest first. */
export async function selectReceivers(db: Db, { taskId, lineageId, key }: Box, foundBy: string): Promise<Receiver[]> {
  const of = lineageId === null ? sql`p.found_by = ${foundBy} AND p.found_by IS NOT NULL` : sql`p.lineage_id = ${lineageId}`;
  const { rows } = await sql<Receiver>`
    SELECT p.id, r.id AS run_id, r.lineage_id, r.version_id FROM run_prompts p JOIN runs r ON r.id = p.asked_by_run_id
    WHERE ${of} AND p.awaits = ${`signal:${key}`} AND p.answered_at IS NULL AND r.task_id = ${taskId} AND r.status IN ('running', 'interrupted')
    ORDER BY p.id LIMIT 100`.execute(db);
  return rows;
}

export async function countKept(db: Db, box: Box): Promise<number> {
  const { count } = await inBox(db, box)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** What is kept, the oldest first. */
export function selectKept(db: Db, box: Box): Promise<Signal[]> {
  return inBox(db, box).selectAll().orderBy('id').execute();
}

function inBox(db: Db, { taskId, lineageId, key }: Box) {
  const query = db.selectFrom('run_signals').where('key', '=', key).where('task_id', '=', taskId);
  return lineageId === null ? query.where('lineage_id', 'is', null) : query.where('lineage_id', '=', lineageId);
}

export async function insertSignal(db: Db, row: NewRow<'run_signals'>): Promise<number> {
  return (await db.insertInto('run_signals').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function removeSignal(db: Db, id: number): Promise<void> {
  await db.deleteFrom('run_signals').where('id', '=', id).execute();
}

export const deleteOldSignals = deleteOldest('run_signals', 'at', 'id');
