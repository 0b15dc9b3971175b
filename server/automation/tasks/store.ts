import { type NotNull, sql } from 'kysely';
import { COMPILED_FORMAT } from '../../../contract/source-warning.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { At, Db } from '../../db/open.ts';
import { waitsForPerson } from '../../db/queries/asking-runs.ts';
import { rowStatement, statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export const selectTask = rowStatement<{ id: number }, Row<'tasks'>>((value) => sql`SELECT * FROM tasks WHERE id = ${value('id')}`);

/** Locks the task until the transaction ends. */
export async function lockTask({ db, dialect }: At, id: number): Promise<void> {
  await sql`SELECT id FROM tasks WHERE id = ${id} ${dialect.forUpdate}`.execute(db);
}

export async function selectTaskVersion(db: Db, id: number): Promise<number | null> {
  const [row] = await versionOfTask(db, { id });
  return row?.row_version ?? null;
}

const versionOfTask = statement<{ id: number }, { row_version: number }>(
  (value) => sql`SELECT row_version FROM tasks WHERE id = ${value('id')}`,
);

export type TaskListRow = Pick<Row<'tasks'>, 'id' | 'name' | 'description' | 'updated_at' | 'deleted_at'> & {
  current_version: number | null;
  pending_version_id: number | null;
  last_run_id: number | null;
  last_run_at: string | null;
  last_run_status: string | null;
  last_run_asks: boolean;
  paused: boolean;
  open_runs: number;
  asking_runs: number;
  next_run_at: string | null;
};

const asks = (run: string) =>
  sql`${sql.ref(`${run}.status`)} = 'running' AND ${sql.ref(`${run}.executor`)} = 'runner' AND ${waitsForPerson(run)}`;

/** The condition of the indexes of versions that wait for approval. */
const isPending = sql`v.approved_by IS NULL AND v.rejected_at IS NULL AND v.revoked_at IS NULL`;

/** A version with a request for changes waits no longer once there is a newer one, as in the list of approvals. */
const isCurrentRequest = sql`(v.change_request_id IS NULL
  OR NOT EXISTS (SELECT 1 FROM task_versions n WHERE n.task_id = v.task_id AND n.version > v.version))`;

export type TaskFilter = { search: string | undefined; includeDeleted: boolean };

/** Uses the index on (updated_at, id); each task's runs, schedules and pending versions are found by indexes too. */
export async function selectTasks({ db, dialect }: At, filter: TaskFilter, limit: number, offset: number): Promise<TaskListRow[]> {
  const { rows } = await sql<Omit<TaskListRow, 'last_run_asks' | 'paused'> & { last_run_asks: number; paused: number }>`
    SELECT t.id, t.name, t.description, t.updated_at, t.deleted_at, v.version AS current_version,
      r.id AS last_run_id, r.started_at AS last_run_at, r.status AS last_run_status,
      CASE WHEN ${asks('r')} THEN 1 ELSE 0 END AS last_run_asks,
      CASE WHEN EXISTS (SELECT 1 FROM version_trials p WHERE p.version_id = t.current_version_id AND p.state = 'paused') THEN 1 ELSE 0 END AS paused,
      (SELECT count(*) FROM runs o WHERE o.task_id = t.id AND o.status = 'running') AS open_runs,
      (SELECT count(*) FROM runs o WHERE o.task_id = t.id AND ${asks('o')}) AS asking_runs,
      (SELECT min(s.next_at) FROM schedules s WHERE s.task_id = t.id AND s.enabled = 1 AND t.deleted_at IS NULL) AS next_run_at,
      (SELECT v.id FROM task_versions v WHERE v.task_id = t.id AND ${isPending} AND ${isCurrentRequest} ORDER BY v.version DESC LIMIT 1) AS pending_version_id
    FROM tasks t
    LEFT JOIN task_versions v ON v.id = t.current_version_id
    LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE task_id = t.id AND replay_of_run_id IS NULL)
    WHERE ${condition(dialect, filter)}
    ORDER BY t.updated_at DESC, t.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows.map((row) => ({ ...row, last_run_asks: row.last_run_asks === 1, paused: row.paused === 1 }));
}

export async function countTasks({ db, dialect }: At, filter: TaskFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM tasks t WHERE ${condition(dialect, filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

function condition(dialect: Dialect, { search, includeDeleted }: TaskFilter) {
  const alive = sql`t.drafts_of IS NULL AND t.one_off = 0 AND ${includeDeleted ? sql`1 = 1` : sql`t.deleted_at IS NULL`}`;
  if (!search) return alive;
  return sql`${alive} AND (${dialect.contains(sql<string>`t.name_folded`, search)} OR ${dialect.contains(sql<string>`t.description_folded`, search)})`;
}

/** The task as which an admin's drafts without a task run dry. */
export async function selectDraftsTask(db: Db, adminId: number): Promise<number | undefined> {
  const row = await db.selectFrom('tasks').select('id').where('drafts_of', '=', adminId).where('deleted_at', 'is', null).executeTakeFirst();
  return row?.id;
}

export async function insertTask(db: Db, row: NewRow<'tasks'>): Promise<number> {
  const { id } = await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** The names of some tasks, by their primary key. */
export async function selectTaskNames(db: Db, ids: readonly number[]): Promise<Pick<Row<'tasks'>, 'id' | 'name' | 'deleted_at'>[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('tasks')
    .select(['id', 'name', 'deleted_at'])
    .where('id', 'in', [...ids])
    .execute();
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

/** `code`: what was compiled of the source; null where it has faults. */
export async function insertVersion(db: Db, row: NewRow<'task_versions'>, code: string | null): Promise<number> {
  const { id } = await db.insertInto('task_versions').values(row).returning('id').executeTakeFirstOrThrow();
  await db
    .insertInto('compiled_sources')
    .values({ version_id: id, format: COMPILED_FORMAT, code: code ?? '' })
    .execute();
  return id;
}

/** A version, which has a number; a draft has none. `created_by_name` is null if the admin was deleted. */
export type VersionRow = Row<'task_versions'> & { version: number; created_by_name: string | null };

const creatorName = sql<
  string | null
>`coalesce(created_by_agent, (SELECT coalesce(nullif(name, ''), email) FROM admins WHERE id = task_versions.created_by))`;

export function selectVersion(db: Db, taskId: number, id: number): Promise<VersionRow | undefined> {
  return db
    .selectFrom('task_versions')
    .selectAll()
    .select(creatorName.as('created_by_name'))
    .where('id', '=', id)
    .where('task_id', '=', taskId)
    .where('version', 'is not', null)
    .$narrowType<{ version: NotNull }>()
    .executeTakeFirst();
}

/** Finds the version or draft of a run. */
export function selectExecuted(db: Db, taskId: number, id: number): Promise<Row<'task_versions'> | undefined> {
  return db.selectFrom('task_versions').selectAll().where('id', '=', id).where('task_id', '=', taskId).executeTakeFirst();
}

const grants = ['mail_to', 'http_allow', 'secrets', 'may_start'] as const;

/** The grants of a version or draft, by its primary key. */
export function selectGrants(db: Db, versionId: number): Promise<Pick<Row<'task_versions'>, (typeof grants)[number]> | undefined> {
  return db.selectFrom('task_versions').select(grants).where('id', '=', versionId).executeTakeFirst();
}

export type SharedRow = Pick<
  Row<'task_versions'>,
  'id' | 'version' | 'permissions' | 'parameters' | 'approved_by' | 'revoked_at' | 'rejected_at'
> & { paused: number };

const shared = sql`id, version, permissions, parameters, approved_by, revoked_at, rejected_at,
  CASE WHEN EXISTS (SELECT 1 FROM version_trials p WHERE p.version_id = task_versions.id AND p.state = 'paused') THEN 1 ELSE 0 END AS paused`;

/** Finds a version or draft and locks it against being decided on until the transaction ends. */
export const shareVersion = rowStatement<{ taskId: number; id: number }, SharedRow>(
  (value, dialect) => sql`
    SELECT ${shared} FROM task_versions WHERE id = ${value('id')} AND task_id = ${value('taskId')} ${dialect.forShare}`,
);

/** Finds what the runs of a lineage execute, and locks it in the same way. */
export async function shareVersionsOfLineage({ db, dialect }: At, lineageId: string): Promise<SharedRow[]> {
  const { rows } = await sql<SharedRow>`
    SELECT ${shared} FROM task_versions WHERE id IN (SELECT version_id FROM runs WHERE lineage_id = ${lineageId})
    ORDER BY id ${dialect.forShare}`.execute(db);
  return rows;
}

/** Deletes those of these versions that are drafts without a run, by the index on (version_id, id) of runs. */
export async function deleteUnusedDrafts(db: Db, ids: readonly number[]): Promise<void> {
  await sql`DELETE FROM task_versions WHERE id IN (${sql.join(ids)}) AND version IS NULL
    AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.version_id = task_versions.id)`.execute(db);
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

const summary = [
  'id',
  'version',
  'created_at',
  'approved_by',
  'revoked_at',
  'rejected_at',
  'created_by',
  'created_via',
  'note',
  'change_request_id',
] as const;
export type VersionSummary = Pick<VersionRow, (typeof summary)[number] | 'created_by_name'>;

/** The versions of a task without their sources, newest first. */
export function selectVersions(db: Db, taskId: number): Promise<VersionSummary[]> {
  return summaries(db, taskId).execute();
}

export function selectNewest(db: Db, taskId: number): Promise<VersionSummary | undefined> {
  return summaries(db, taskId).limit(1).executeTakeFirst();
}

/** Uses the unique index on (task_id, version). */
function summaries(db: Db, taskId: number) {
  return db
    .selectFrom('task_versions')
    .select(summary)
    .select(creatorName.as('created_by_name'))
    .where('task_id', '=', taskId)
    .where('version', 'is not', null)
    .$narrowType<{ version: NotNull }>()
    .orderBy('version', 'desc');
}

export type DeclaredRow = Pick<Row<'task_versions'>, 'permissions' | (typeof grants)[number]>;

/** What the newest approved version before this one declares. */
export function selectPreviousApproved(db: Db, taskId: number, version: number): Promise<DeclaredRow | undefined> {
  return db
    .selectFrom('task_versions')
    .select(['permissions', ...grants])
    .where('task_id', '=', taskId)
    .where('version', '<', version)
    .where('approved_by', 'is not', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
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
