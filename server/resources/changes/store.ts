import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';

/** One change. `audit_id` is null for changes without an audit entry: the end of a run, a notification. */
/** `times`: how often a notification was told; it grows with each that joins it. */
export type ChangeRow = { audit_id: number | null; type: string; id: number | null; times: number };

/** The newest ids of the audit log, newest first. */
export async function selectNewestIds(db: Db, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ id }) => id);
}

type Since = { after: number; gaps: readonly number[]; time: string; limit: number };

/** Audit entries after an id and those with the ids in `gaps`, runs that ended since a time, and notifications since then. */
export async function selectChanges(db: Db, { after, gaps, time, limit }: Since): Promise<ChangeRow[]> {
  const late =
    gaps.length === 0 ? sql`` : sql`UNION ALL SELECT id, resource_type, resource_id, 1 FROM audit_log WHERE id IN (${sql.join(gaps)})`;
  const { rows } = await sql<ChangeRow>`
    SELECT * FROM (SELECT id AS audit_id, resource_type AS type, resource_id AS id, 1 AS times FROM audit_log WHERE id > ${after} ORDER BY audit_id LIMIT ${limit}) AS newer
    ${late}
    UNION ALL SELECT NULL, 'run', id, 1 FROM runs WHERE finished_at IS NOT NULL AND finished_at > ${time}
    UNION ALL SELECT NULL, 'notification', id, count FROM notifications WHERE created_at > ${time}`.execute(db);
  return rows;
}
