import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { insertInto, rowStatement, statement, updateVersioned } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type ThreadRow = Row<'assistant_threads'>;
export type ItemRow = Row<'assistant_items'>;

export const selectThread = rowStatement<{ id: number }, ThreadRow>(
  (value) => sql`SELECT * FROM assistant_threads WHERE id = ${value('id')}`,
);

export const selectSizeOf = rowStatement<{ id: number }, Pick<ThreadRow, 'size_bytes'>>(
  (value) => sql`SELECT size_bytes FROM assistant_threads WHERE id = ${value('id')}`,
);

/** Finds a thread and locks it until the transaction ends. */
export const lockThread = rowStatement<{ id: number }, ThreadRow>(
  (value, { forUpdate }) => sql`SELECT * FROM assistant_threads WHERE id = ${value('id')} ${forUpdate}`,
);

const insertRow = insertInto('assistant_threads', sql<ThreadRow>`*`);

export async function insertThread(db: Db, row: NewRow<'assistant_threads'>): Promise<ThreadRow> {
  const [made] = await insertRow(db, row);
  if (!made) throw new Error('an insert of a thread gave no row');
  return made;
}

/** Changes a thread and raises its row version. */
export const updateThread = updateVersioned('assistant_threads');

export async function deleteThread(db: Db, id: number): Promise<void> {
  await db.deleteFrom('assistant_threads').where('id', '=', id).execute();
}

/** The threads of a task, whoever's they are. */
export async function selectThreadsOfTask(db: Db, taskId: number): Promise<number[]> {
  const rows = await db.selectFrom('assistant_threads').select('id').where('task_id', '=', taskId).execute();
  return rows.map(({ id }) => id);
}

/** The threads of an admin, of one task or of all. */
export function threadsOf(db: Db, adminId: number, taskId: number | undefined): List<ThreadRow> {
  const own = db.selectFrom('assistant_threads').where('admin_id', '=', adminId);
  const found = taskId === undefined ? own : own.where('task_id', '=', taskId);
  return listOf(found, (ids) =>
    db
      .selectFrom('assistant_threads')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute(),
  );
}

export function selectItems(db: Db, threadId: number): Promise<ItemRow[]> {
  return db.selectFrom('assistant_items').selectAll().where('thread_id', '=', threadId).orderBy('id').execute();
}

type Place = { rev: number; id: number };

/** The next items, by the revision of the thread with which each was written last, up to one. */
export const selectItemsAfter = statement<{ threadId: number; upTo: number; limit: number } & Place, ItemRow>(
  (value) => sql`
    SELECT * FROM assistant_items
    WHERE thread_id = ${value('threadId')} AND (rev, id) > (${value('rev')}, ${value('id')}) AND rev <= ${value('upTo')}
    ORDER BY rev, id LIMIT ${value('limit')}`,
);

const insertItemRow = insertInto('assistant_items', sql<{ id: number }>`id`);

export async function insertItem(db: Db, row: NewRow<'assistant_items'>): Promise<number> {
  const [made] = await insertItemRow(db, row);
  if (!made) throw new Error('an insert of an item gave no id');
  return made.id;
}

/** The bytes of an item, as it is stored. */
export const selectItemSize = rowStatement<{ id: number }, { bytes: number }>(
  (value) => sql`SELECT octet_length(data) AS bytes FROM assistant_items WHERE id = ${value('id')}`,
);

export async function updateItem(db: Db, id: number, changes: Pick<ItemRow, 'rev' | 'data'>): Promise<void> {
  await db.updateTable('assistant_items').set(changes).where('id', '=', id).execute();
}

/** The tokens of a day: those of the admin, and of the whole shop. */
export async function selectDay(db: Db, day: string, adminId: number): Promise<{ admin: number; shop: number }> {
  const { rows } = await sql<{ admin: number | null; shop: number | null }>`
    SELECT CAST(sum(CASE WHEN admin_id = ${adminId} THEN tokens ELSE 0 END) AS bigint) AS admin, CAST(sum(tokens) AS bigint) AS shop
    FROM assistant_days WHERE day = ${day}`.execute(db);
  return { admin: Number(rows[0]?.admin ?? 0), shop: Number(rows[0]?.shop ?? 0) };
}

export async function addToDay(db: Db, day: string, adminId: number, tokens: number): Promise<void> {
  await sql`
    INSERT INTO assistant_days (day, admin_id, tokens) VALUES (${day}, ${adminId}, ${tokens})
    ON CONFLICT (day, admin_id) DO UPDATE SET tokens = assistant_days.tokens + excluded.tokens`.execute(db);
}

/** Threads on which a server worked that died: no lease on them is in force. `prefix` begins the names of their leases. `id`: only this one. */
export async function selectLeaderless({ db, dialect: { nowMs } }: At, prefix: string, limit: number, id?: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT t.id FROM assistant_threads t LEFT JOIN leases l ON l.name = ${prefix} || CAST(t.id AS text)
    WHERE t.state = 'working' AND (l.lease_until IS NULL OR l.lease_until <= ${nowMs}) ${id === undefined ? sql`` : sql`AND t.id = ${id}`}
    ORDER BY t.id LIMIT ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Deletes threads that were last changed before a time, with their items. */
export const deleteOldThreads = deleteOldest('assistant_threads', 'updated_at');
export const deleteOldDays = deleteOldest('assistant_days', 'day', 'day');
