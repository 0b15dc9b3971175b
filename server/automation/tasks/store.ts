import { sql } from 'kysely';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export function selectTask(db: Db, id: number): Promise<Row<'tasks'> | undefined> {
  return db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the task until the transaction ends. */
export async function lockTask(db: Db, dialect: Dialect, id: number): Promise<void> {
  await sql`SELECT id FROM tasks WHERE id = ${id} ${dialect.forUpdate}`.execute(db);
}

export async function selectTaskVersion(db: Db, id: number): Promise<number | null> {
  const { rows } = await sql<{ row_version: number }>`SELECT row_version FROM tasks WHERE id = ${id}`.execute(db);
  return rows[0]?.row_version ?? null;
}

export type TaskListRow = Pick<Row<'tasks'>, 'id' | 'name' | 'description' | 'updated_at' | 'deleted_at'> & {
  current_version: number | null;
  last_run_at: string | null;
  last_run_status: string | null;
};

export type TaskFilter = { search: string | undefined; includeDeleted: boolean };

/** Uses the index on (updated_at, id), and for the newest run the one on (task_id, id). */
export async function selectTasks(db: Db, dialect: Dialect, filter: TaskFilter, limit: number, offset: number): Promise<TaskListRow[]> {
  const { rows } = await sql<TaskListRow>`
    SELECT t.id, t.name, t.description, t.updated_at, t.deleted_at, v.version AS current_version,
      r.started_at AS last_run_at, r.status AS last_run_status
    FROM tasks t
    LEFT JOIN task_versions v ON v.id = t.current_version_id
    LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE task_id = t.id AND replay_of_run_id IS NULL)
    WHERE ${condition(dialect, filter)}
    ORDER BY t.updated_at DESC, t.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}

export async function countTasks(db: Db, dialect: Dialect, filter: TaskFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM tasks t WHERE ${condition(dialect, filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

function condition(dialect: Dialect, { search, includeDeleted }: TaskFilter) {
  const alive = includeDeleted ? sql`1 = 1` : sql`t.deleted_at IS NULL`;
  if (!search) return alive;
  return sql`${alive} AND (${dialect.contains(sql<string>`t.name_folded`, search)} OR ${dialect.contains(sql<string>`t.description_folded`, search)})`;
}

export async function insertTask(db: Db, row: NewRow<'tasks'>): Promise<number> {
  const { id } = await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateTask(db: Db, id: number, changes: Partial<NewRow<'tasks'>>): Promise<void> {
  await db
    .updateTable('tasks')
    .set((eb) => ({ ...changes, row_version: eb('row_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Gives the task's new limit to its open runs too. */
export async function limitOpenRuns(db: Db, taskId: number, limit: number | null): Promise<void> {
  await db.updateTable('runs').set({ concurrency_limit: limit }).where('task_id', '=', taskId).where('status', '=', 'running').execute();
}

export async function insertVersion(db: Db, row: NewRow<'task_versions'>): Promise<number> {
  const { id } = await db.insertInto('task_versions').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export function selectVersion(db: Db, taskId: number, id: number): Promise<Row<'task_versions'> | undefined> {
  return db.selectFrom('task_versions').selectAll().where('id', '=', id).where('task_id', '=', taskId).executeTakeFirst();
}

export type RunnableVersion = Pick<Row<'task_versions'>, 'id' | 'version' | 'permissions' | 'parameters' | 'approved_by'>;

/** Finds a version and locks it against being revoked until the transaction ends. */
export async function shareVersion(db: Db, dialect: Dialect, taskId: number, id: number): Promise<RunnableVersion | undefined> {
  const { rows } = await sql<RunnableVersion>`
    SELECT id, version, permissions, parameters, approved_by FROM task_versions WHERE id = ${id} AND task_id = ${taskId} ${dialect.forShare}`.execute(
    db,
  );
  return rows[0];
}

export async function updateVersion(db: Db, id: number, changes: Partial<NewRow<'task_versions'>>): Promise<void> {
  await db.updateTable('task_versions').set(changes).where('id', '=', id).execute();
}

/** Uses the unique index on (task_id, version). */
export async function selectNewestApproved(db: Db, taskId: number): Promise<number | null> {
  const row = await db
    .selectFrom('task_versions')
    .select('id')
    .where('task_id', '=', taskId)
    .where('approved_by', 'is not', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export function selectVersions(
  db: Db,
  taskId: number,
): Promise<Pick<Row<'task_versions'>, 'id' | 'version' | 'created_at' | 'approved_by'>[]> {
  return db
    .selectFrom('task_versions')
    .select(['id', 'version', 'created_at', 'approved_by'])
    .where('task_id', '=', taskId)
    .orderBy('version', 'desc')
    .execute();
}

export async function selectHighestVersion(db: Db, taskId: number): Promise<number> {
  const row = await db
    .selectFrom('task_versions')
    .select((eb) => eb.fn.max('version').as('version'))
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The permissions of the newest approved version before this one, as JSON. */
export async function selectPreviousApproved(db: Db, taskId: number, version: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('task_versions')
    .select('permissions')
    .where('task_id', '=', taskId)
    .where('version', '<', version)
    .where('approved_by', 'is not', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.permissions;
}

/** The permissions that the newest runs of a version used; replays do not count. */
export async function selectPermissionsUsed(db: Db, versionId: number, runs: number): Promise<string[]> {
  const { rows } = await sql<{ permission: string }>`
    SELECT DISTINCT permission FROM run_permissions
    WHERE run_id IN (SELECT id FROM runs WHERE version_id = ${versionId} AND replay_of_run_id IS NULL ORDER BY id DESC LIMIT ${runs})`.execute(
    db,
  );
  return rows.map(({ permission }) => permission);
}
