import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { insertInto, rowStatement, statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type StartRow = Row<'gathered_starts'>;
export type ItemRow = Row<'gathered_items'>;
/** What starts at one place: those of it share keys and a rate. */
export type Starter = Pick<StartRow, 'kind' | 'starter_id' | 'task_id'>;

type NewStart = Omit<NewRow<'gathered_starts'>, 'id' | 'due_ms' | 'queued_ms' | 'expires_ms'>;

/** Stores a start, or joins the one of the same key that still gathers. The row is locked then. */
export async function joinOrInsert(db: Db, row: NewStart): Promise<StartRow> {
  const [made] = await join(db, row);
  if (!made) throw new Error('a start was neither stored nor joined');
  return made;
}

const COLUMNS = [
  ...(['kind', 'starter_id', 'trigger_id', 'hook_id', 'task_id', 'how', 'gather_key', 'rate_key', 'options', 'gathering'] as const),
  ...(['items', 'bytes', 'first_ms', 'last_ms', 'acts_for', 'reads_files'] as const),
];

const join = statement<NewStart, StartRow>(
  (value) => sql<StartRow>`
    INSERT INTO gathered_starts (${sql.join(COLUMNS.map((name) => sql.ref(name)))}) VALUES (${sql.join(COLUMNS.map((name) => value(name)))})
    ON CONFLICT (kind, starter_id, task_id, gather_key) WHERE gathering = 1 DO UPDATE SET
      items = gathered_starts.items + 1, bytes = gathered_starts.bytes + excluded.bytes,
      first_ms = CASE WHEN excluded.first_ms < gathered_starts.first_ms THEN excluded.first_ms ELSE gathered_starts.first_ms END,
      last_ms = CASE WHEN excluded.last_ms > gathered_starts.last_ms THEN excluded.last_ms ELSE gathered_starts.last_ms END,
      rate_key = excluded.rate_key, options = excluded.options, acts_for = excluded.acts_for, reads_files = excluded.reads_files
    RETURNING *`,
);

/** The start of this key gathers no more, if another item of so many bytes would make it too large. */
export const closeFull = statement<Starter & { gather_key: string; bytes: number; most: number; due_ms: number }>(
  (value) => sql`
    UPDATE gathered_starts SET gathering = 0, due_ms = CASE WHEN due_ms < ${value('due_ms')} THEN due_ms ELSE ${value('due_ms')} END
    WHERE kind = ${value('kind')} AND starter_id = ${value('starter_id')} AND task_id = ${value('task_id')}
      AND gather_key = ${value('gather_key')} AND gathering = 1 AND bytes + CAST(${value('bytes')} AS bigint) > CAST(${value('most')} AS bigint)`,
);

/** What a starter has gathered stays as it is; what comes from now on is another start. */
export const closeAll = statement<Pick<StartRow, 'kind' | 'starter_id'>>(
  (value) => sql`
    UPDATE gathered_starts SET gathering = 0
    WHERE kind = ${value('kind')} AND starter_id = ${value('starter_id')} AND gathering = 1`,
);

export const insertItem = insertInto('gathered_items');

/** Keeps the content of the last item alone, and of the others, once for each, the lineage that led to them. */
export async function keepLastItem(db: Db, of: { id: number }): Promise<void> {
  await removeEarlier(db, of);
  await blankEarlier(db, of);
}

type ValueOf = Parameters<Parameters<typeof statement<{ id: number }>>[0]>[0];
const isEarlier = (value: ValueOf) => sql`start_id = ${value('id')} AND content <> '' AND id <> (
  SELECT l.id FROM gathered_items l WHERE l.start_id = ${value('id')} ORDER BY l.position DESC, l.id DESC LIMIT 1)`;
const removeEarlier = statement<{ id: number }>(
  (value) => sql`
    DELETE FROM gathered_items WHERE ${isEarlier(value)} AND (lineage_id IS NULL OR EXISTS (
      SELECT 1 FROM gathered_items o
      WHERE o.start_id = ${value('id')} AND o.lineage_id = gathered_items.lineage_id AND o.id <> gathered_items.id))`,
);
const blankEarlier = statement<{ id: number }>(
  (value) => sql`UPDATE gathered_items SET content = '', permissions = NULL WHERE ${isEarlier(value)}`,
);

export const selectItems = statement<{ id: number }, ItemRow>(
  (value) => sql<ItemRow>`SELECT * FROM gathered_items WHERE start_id = ${value('id')} ORDER BY position, id`,
);

export type Changes = Partial<Pick<StartRow, 'gathering' | 'due_ms' | 'expires_ms' | 'queued_ms'>>;

export async function change(db: Db, id: number, changes: Changes): Promise<void> {
  await db.updateTable('gathered_starts').set(changes).where('id', '=', id).execute();
}

export const remove = statement<{ id: number }>((value) => sql`DELETE FROM gathered_starts WHERE id = ${value('id')}`);

/** The start that has been due the longest, with the database's time. It is locked until the transaction ends; other servers skip it. */
export const takeDue = rowStatement<object, StartRow & { now_ms: number }>(
  (_, { nowMs, skipLocked }) => sql`
    SELECT s.*, ${nowMs} AS now_ms FROM gathered_starts s WHERE due_ms <= ${nowMs} ORDER BY due_ms, id LIMIT 1 ${skipLocked}`,
);

export const lockStart = rowStatement<{ taskId: number; id: number }, StartRow & { now_ms: number }>(
  (value, { nowMs, forUpdate }) => sql`
    SELECT s.*, ${nowMs} AS now_ms FROM gathered_starts s WHERE id = ${value('id')} AND task_id = ${value('taskId')} ${forUpdate}`,
);

export const selectStart = rowStatement<{ id: number }, StartRow>(
  (value) => sql<StartRow>`SELECT * FROM gathered_starts WHERE id = ${value('id')}`,
);

export async function selectNowMs({ db, dialect }: At): Promise<number> {
  const { rows } = await sql<{ now_ms: number }>`SELECT ${dialect.nowMs} AS now_ms`.execute(db);
  if (!rows[0]) throw new Error('the database gave no time');
  return rows[0].now_ms;
}

/** In how many milliseconds the next start is due; null: none is. */
export async function untilNextDue({ db, dialect: { nowMs } }: At): Promise<number | null> {
  const { rows } = await sql<{ ms: number }>`
    SELECT due_ms - ${nowMs} AS ms FROM gathered_starts WHERE due_ms IS NOT NULL ORDER BY due_ms LIMIT 1`.execute(db);
  return rows[0]?.ms ?? null;
}

export async function postpone({ db, dialect: { nowMs } }: At, id: number, ms: number): Promise<void> {
  await sql`UPDATE gathered_starts SET due_ms = ${nowMs} + ${ms} WHERE id = ${id} AND due_ms IS NOT NULL`.execute(db);
}

/** Whether so many starts of the starter wait already. */
export async function isFull(db: Db, starter: Starter, most: number): Promise<boolean> {
  return (await overMost(db, { ...starter, most })).length > 0;
}

const overMost = statement<Starter & { most: number }>(
  (value) => sql`
    SELECT 1 AS found FROM gathered_starts WHERE kind = ${value('kind')} AND starter_id = ${value('starter_id')}
      AND task_id = ${value('task_id')} LIMIT 1 OFFSET ${value('most')}`,
);

type Counted = { starter_id: number; starts: number; items: number; next_ms: number | null };

/** What waits of each of these triggers or hooks. */
export async function countOf(db: Db, kind: 'trigger' | 'hook', ids: readonly number[]): Promise<Map<number, Counted>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Counted>`
    SELECT starter_id, count(*) AS starts, CAST(sum(items) AS bigint) AS items, min(due_ms) AS next_ms FROM gathered_starts
    WHERE kind = ${kind} AND starter_id IN (${sql.join(ids)}) GROUP BY starter_id`.execute(db);
  return new Map(rows.map((row) => [row.starter_id, row]));
}

export async function listOfTask(db: Db, taskId: number, limit: number): Promise<{ rows: StartRow[]; total: number }> {
  const { rows: due } = await sql<StartRow>`
    SELECT * FROM gathered_starts WHERE task_id = ${taskId} AND due_ms IS NOT NULL ORDER BY due_ms, id LIMIT ${limit}`.execute(db);
  const { rows: behind } = await sql<StartRow>`
    SELECT * FROM gathered_starts WHERE task_id = ${taskId} AND due_ms IS NULL ORDER BY id LIMIT ${limit - due.length}`.execute(db);
  const { rows: counts } = await sql<{ n: number }>`SELECT count(*) AS n FROM gathered_starts WHERE task_id = ${taskId}`.execute(db);
  return { rows: [...due, ...behind], total: counts[0]?.n ?? 0 };
}

/** Those for whom and with what a start of a trigger or hook opens. */
export const selectTrigger = rowStatement<{ id: number }, Row<'triggers'>>(
  (value) => sql<Row<'triggers'>>`SELECT * FROM triggers WHERE id = ${value('id')}`,
);
export const selectHook = rowStatement<{ id: number }, Row<'hooks'>>(
  (value) => sql<Row<'hooks'>>`SELECT * FROM hooks WHERE id = ${value('id')}`,
);

/** Stores why a start opened no run, or that one did. The row version is not raised, so that an admin's edit does not conflict with it. */
export async function noteError(db: Db, { kind, starter_id }: Starter, error: string | null): Promise<void> {
  if (kind === 'run') return;
  await db
    .updateTable(kind === 'trigger' ? 'triggers' : 'hooks')
    .set({ last_error: error })
    .where('id', '=', starter_id)
    .execute();
}

/** The calls of a hook that joined the start get its run; without one, they are forgotten, so that they can be made again. */
export async function settleCalls(db: Db, startId: number, runId: number | null): Promise<void> {
  if (runId === null) await db.deleteFrom('hook_calls').where('start_id', '=', startId).execute();
  else await db.updateTable('hook_calls').set({ run_id: runId }).where('start_id', '=', startId).execute();
}
