import { sql } from 'kysely';
import type { Grants } from '../../../contract/grants.ts';
import type { Run } from '../../../contract/runs.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

type Declaring = 'permissions' | keyof Grants;

export type PendingRow = Pick<Row<'task_versions'>, 'id' | 'task_id' | Declaring | 'created_at' | 'created_by' | 'created_via' | 'note'> & {
  version: number;
  one_off: number;
  task_name: string;
  created_by_name: string | null;
  current_version_id: number | null;
  /** The newest request for changes. */
  change_request_id: number | null;
  requested_by: number | null;
  requested_by_name: string | null;
  requested_at: string | null;
  requested: string | null;
} & /** Of the current version; null: there is none. */ { [Column in Declaring as `current_${Column}`]: string | null };

/** Whether the dry run with which the proposal `v` was made stands so; what is tried later of it never makes it wait. */
function triedAs(...statuses: Run['status'][]) {
  return sql`EXISTS (SELECT 1 FROM runs r WHERE r.version_id = v.id AND r.dry_run = 1 AND r.status IN (${sql.join(statuses)})
    AND r.lineage_id = (SELECT f.lineage_id FROM runs f WHERE f.version_id = v.id AND f.dry_run = 1 ORDER BY f.id LIMIT 1))`;
}

/**
 * Versions of tasks that are not deleted, oldest first, by the index of waiting versions; proposals when their dry run has ended well. Without
 * those on which this admin requested changes, and those with a request for which there is a newer version.
 */
export async function selectPending(db: Db, adminId: number, limit: number): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    SELECT v.id, v.version, v.task_id, v.permissions, v.mail_to, v.http_allow, v.secrets, v.may_start, v.created_at, v.created_by, v.created_via, v.note, t.name AS task_name, t.one_off,
      coalesce(v.created_by_agent, nullif(a.name, ''), a.email) AS created_by_name, t.current_version_id, c.permissions AS current_permissions,
      v.change_request_id, d.admin_id AS requested_by, coalesce(nullif(r.name, ''), r.email) AS requested_by_name, d.at AS requested_at, d.comment AS requested,
      c.mail_to AS current_mail_to, c.http_allow AS current_http_allow, c.secrets AS current_secrets, c.may_start AS current_may_start
    FROM task_versions v
    JOIN tasks t ON t.id = v.task_id
    LEFT JOIN task_versions c ON c.id = t.current_version_id
    LEFT JOIN admins a ON a.id = v.created_by
    LEFT JOIN version_approvals d ON d.id = v.change_request_id
    LEFT JOIN admins r ON r.id = d.admin_id
    WHERE v.approved_by IS NULL AND v.rejected_at IS NULL AND v.revoked_at IS NULL AND t.deleted_at IS NULL
      AND (t.one_off = 0 OR ${triedAs('success')})
      AND (v.change_request_id IS NULL
        OR NOT EXISTS (SELECT 1 FROM version_approvals own WHERE own.version_id = v.id AND own.admin_id = ${adminId} AND own.decision = 'changes_requested')
        AND NOT EXISTS (SELECT 1 FROM task_versions n WHERE n.task_id = v.task_id AND n.version > v.version))
    ORDER BY v.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Proposals of the admin and their agents that wait for a decision, or whose dry run goes on; oldest first. */
export async function selectOpenProposals(db: Db, adminId: number, limit: number): Promise<{ id: number; task_id: number }[]> {
  const { rows } = await sql<{ id: number; task_id: number }>`
    SELECT v.id, v.task_id FROM tasks t JOIN task_versions v ON v.task_id = t.id
    WHERE t.one_off = 1 AND t.deleted_at IS NULL AND v.created_by = ${adminId} AND v.version IS NOT NULL
      AND v.approved_by IS NULL AND v.rejected_at IS NULL AND v.revoked_at IS NULL
      AND ${triedAs('running', 'interrupted', 'success')}
    ORDER BY t.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** What else an admin may have hung on the task of a proposal keeps it. */
const HANGING = ['schedules', 'triggers', 'hooks', 'task_secrets', 'task_state', 'task_state_marks', 'task_variables', 'assistant_threads'];

/** Tasks of proposals that were declined before this time, or made before it and never decided on; oldest first. */
export async function selectOldProposals(db: Db, before: string, limit: number): Promise<number[]> {
  const free = HANGING.map((table) => sql`NOT EXISTS (SELECT 1 FROM ${sql.table(table)} h WHERE h.task_id = t.id)`);
  const { rows } = await sql<{ id: number }>`
    SELECT t.id FROM tasks t JOIN task_versions v ON v.task_id = t.id
    WHERE t.one_off = 1 AND v.version IS NOT NULL AND v.approved_by IS NULL AND v.revoked_at IS NULL
      AND coalesce(v.rejected_at, v.created_at) < ${before}
      AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.task_id = t.id AND r.status = 'running') AND ${sql.join(free, sql` AND `)}
    ORDER BY t.id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes tasks of proposals that have no run left. */
export async function deleteProposals(db: Db, taskIds: readonly number[]): Promise<void> {
  // Answers before the comments that they answer.
  await db.deleteFrom('version_comments').where('task_id', 'in', taskIds).where('thread_id', 'is not', null).execute();
  for (const table of ['version_comments', 'version_approvals', 'task_versions'] as const)
    await db.deleteFrom(table).where('task_id', 'in', taskIds).execute();
  await db.deleteFrom('tasks').where('id', 'in', taskIds).execute();
}
