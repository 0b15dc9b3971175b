import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { rowStatement, statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type Place = { taskId: number; key: string };
export type EntryRow = Row<'task_state'>;

/** The version of a value: null if there is no such task, 0 if the task has no such value. */
export async function selectStateVersion(db: Db, place: Place): Promise<number | null> {
  const [row] = await versionAt(db, place);
  return row ? (row.version ?? 0) : null;
}

const versionAt = statement<Place, { version: number | null }>(
  (value) => sql`
    SELECT s.version FROM tasks t LEFT JOIN task_state s ON s.task_id = t.id AND s.key = ${value('key')} WHERE t.id = ${value('taskId')}`,
);

export const selectEntry = rowStatement<Place, EntryRow>(
  (value) => sql`SELECT * FROM task_state WHERE task_id = ${value('taskId')} AND key = ${value('key')}`,
);

/** Locks the value until the transaction ends. */
export const lockEntry = rowStatement<Place, EntryRow>(
  (value, { forUpdate }) => sql`SELECT * FROM task_state WHERE task_id = ${value('taskId')} AND key = ${value('key')} ${forUpdate}`,
);

export type ListedRow = Omit<EntryRow, 'task_id' | 'value'>;

/** The keys with this prefix, in their order. In the order of code points, `\u{10ffff}` comes after every character that a key can have. */
export async function selectEntries(db: Db, taskId: number, prefix: string): Promise<ListedRow[]> {
  return db
    .selectFrom('task_state')
    .select(['key', 'version', 'size_bytes', 'updated_at', 'updated_by_run_id'])
    .where('task_id', '=', taskId)
    .where('key', '>=', prefix)
    .where('key', '<', `${prefix}\u{10ffff}`)
    .orderBy('key')
    .execute();
}

export async function countEntries(db: Db, taskId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM task_state WHERE task_id = ${taskId}`.execute(db);
  return Number(rows[0]?.n ?? 0);
}

export async function insertEntry(db: Db, row: NewRow<'task_state'>): Promise<void> {
  await db.insertInto('task_state').values(row).execute();
}

export async function updateEntry(db: Db, { task_id, key, ...changes }: NewRow<'task_state'>): Promise<void> {
  await db.updateTable('task_state').set(changes).where('task_id', '=', task_id).where('key', '=', key).execute();
}

export async function deleteEntry(db: Db, { taskId, key }: Place): Promise<void> {
  await db.deleteFrom('task_state').where('task_id', '=', taskId).where('key', '=', key).execute();
}

export async function selectMarks(db: Db, taskId: number): Promise<Row<'task_state_marks'> | undefined> {
  return db.selectFrom('task_state_marks').selectAll().where('task_id', '=', taskId).executeTakeFirst();
}

/** Locks the marks of the task until the transaction ends; makes them if there are none. */
export async function lockMarks({ db, dialect }: At, taskId: number): Promise<Row<'task_state_marks'>> {
  await sql`INSERT INTO task_state_marks (task_id, deleted_version, permissions) VALUES (${taskId}, 0, '[]') ON CONFLICT DO NOTHING`.execute(
    db,
  );
  const { rows } = await sql<Row<'task_state_marks'>>`
    SELECT * FROM task_state_marks WHERE task_id = ${taskId} ${dialect.forUpdate}`.execute(db);
  if (!rows[0]) throw new Error(`task ${taskId} has no marks`);
  return rows[0];
}

export async function updateMarks(db: Db, taskId: number, changes: Partial<Omit<Row<'task_state_marks'>, 'task_id'>>): Promise<void> {
  await db.updateTable('task_state_marks').set(changes).where('task_id', '=', taskId).execute();
}
