import { sql } from 'kysely';
import type { Grants } from '../../../contract/grants.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

type Declaring = 'permissions' | keyof Grants;

export type PendingRow = Pick<Row<'task_versions'>, 'id' | 'task_id' | Declaring | 'created_at' | 'created_by' | 'created_via' | 'note'> & {
  version: number;
  one_off: number;
  task_name: string;
  created_by_name: string | null;
  current_version_id: number | null;
} & /** Of the current version; null: there is none. */ { [Column in Declaring as `current_${Column}`]: string | null };

/** Versions of tasks that are not deleted, oldest first, by the index of waiting versions; proposals when their dry run has ended well. */
export async function selectPending(db: Db, limit: number): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    SELECT v.id, v.version, v.task_id, v.permissions, v.mail_to, v.http_allow, v.secrets, v.may_start, v.created_at, v.created_by, v.created_via, v.note, t.name AS task_name, t.one_off,
      coalesce(v.created_by_agent, nullif(a.name, ''), a.email) AS created_by_name, t.current_version_id, c.permissions AS current_permissions,
      c.mail_to AS current_mail_to, c.http_allow AS current_http_allow, c.secrets AS current_secrets, c.may_start AS current_may_start
    FROM task_versions v
    JOIN tasks t ON t.id = v.task_id
    LEFT JOIN task_versions c ON c.id = t.current_version_id
    LEFT JOIN admins a ON a.id = v.created_by
    WHERE v.approved_by IS NULL AND v.rejected_at IS NULL AND v.revoked_at IS NULL AND t.deleted_at IS NULL
      AND (t.one_off = 0 OR EXISTS (SELECT 1 FROM runs r WHERE r.version_id = v.id AND r.dry_run = 1 AND r.status = 'success'))
    ORDER BY v.id LIMIT ${limit}`.execute(db);
  return rows;
}
