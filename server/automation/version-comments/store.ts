import { type Generated, type SelectQueryBuilder, sql } from 'kysely';
import type { VersionComment } from '../../../contract/version-comments.ts';
import type { At, Db } from '../../db/open.ts';
import type { Columns } from '../../db/queries/columns.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { insertInto, statement } from '../../db/queries/statement.ts';
import type { Database, NewRow } from '../../db/tables.ts';

type Own = Pick<VersionComment, 'task_id' | 'version_id' | 'line' | 'text' | 'created_by' | 'created_at'>;
type Later = Pick<VersionComment, 'edited_at' | 'resolved_at' | 'resolved_by'>;

declare module '../../db/tables.ts' {
  interface Database {
    version_comments: Columns<Own & Later> & {
      id: Generated<number>;
      /** The first comment of the thread; null: this is it. */
      thread_id: number | null;
      row_version: Generated<number>;
    };
  }
}

export type CommentFilter = { taskId: number; versionId: number | undefined; open: boolean | undefined };

export function comments(at: At, filter: CommentFilter): List<VersionComment> {
  return listOf(matching(at.db, filter), (ids) => selectComments(at.db, ids));
}

/** By the index on (task_id, id), or (version_id, id); whether a thread is open, its first comment tells. */
function matching(db: Db, { taskId, versionId, open }: CommentFilter): SelectQueryBuilder<Database, 'version_comments', object> {
  let query = db.selectFrom('version_comments').where('task_id', '=', taskId);
  if (versionId !== undefined) query = query.where('version_id', '=', versionId);
  if (open === undefined) return query;
  const state = open ? sql`IS NULL` : sql`IS NOT NULL`;
  return query.where(
    sql<boolean>`EXISTS (SELECT 1 FROM version_comments f
      WHERE f.id = coalesce(version_comments.thread_id, version_comments.id) AND f.resolved_at ${state})`,
  );
}

/** In no particular order. */
export async function selectComments(db: Db, ids: readonly number[]): Promise<VersionComment[]> {
  if (ids.length === 0) return [];
  const nameOf = (column: string) =>
    sql<string | null>`(SELECT coalesce(nullif(name, ''), email) FROM admins WHERE id = ${sql.ref(column)})`;
  const { rows } = await sql<VersionComment>`
    SELECT c.id, c.task_id, c.version_id, v.version, coalesce(c.thread_id, c.id) AS thread_id, c.line, c.text, c.created_by,
      ${nameOf('c.created_by')} AS created_by_name, c.created_at, c.edited_at, c.resolved_at, c.resolved_by,
      ${nameOf('c.resolved_by')} AS resolved_by_name
    FROM version_comments c JOIN task_versions v ON v.id = c.version_id WHERE c.id IN (${sql.join(ids)})`.execute(db);
  return rows;
}

const insertRow = insertInto('version_comments', sql<{ id: number }>`id`);

export async function insertComment(db: Db, row: NewRow<'version_comments'>): Promise<number> {
  const [inserted] = await insertRow(db, row);
  if (!inserted) throw new Error('an insert into version_comments gave no row');
  return inserted.id;
}

export async function updateComment(db: Db, id: number, changes: Partial<NewRow<'version_comments'>>): Promise<void> {
  await db
    .updateTable('version_comments')
    .set((eb) => ({ ...changes, row_version: eb('row_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function countOfVersion(db: Db, versionId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM version_comments WHERE version_id = ${versionId}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Those who wrote in a thread. */
export async function selectWriters(db: Db, threadId: number): Promise<number[]> {
  const { rows } = await sql<{ created_by: number }>`
    SELECT DISTINCT created_by FROM version_comments WHERE id = ${threadId} OR thread_id = ${threadId}`.execute(db);
  return rows.map(({ created_by }) => created_by);
}

const versionOfComment = statement<{ taskId: number; id: number }, { row_version: number }>(
  (value) => sql`SELECT row_version FROM version_comments WHERE id = ${value('id')} AND task_id = ${value('taskId')}`,
);

export async function selectRowVersion(db: Db, taskId: number, id: number): Promise<number | null> {
  const [row] = await versionOfComment(db, { taskId, id });
  return row?.row_version ?? null;
}
