import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

export type TriedRow = Pick<
  Row<'task_versions'>,
  'source_sha256' | 'permissions' | 'parameters' | 'mail_to' | 'http_allow' | 'secrets' | 'may_start'
> & { id: number; task_id: number; status: string; dry_run: number; hides_people: number; started_by_admin_id: number };

/** These runs, with what they executed. */
export async function selectTried(db: Db, runIds: readonly number[]): Promise<TriedRow[]> {
  const { rows } = await sql<TriedRow>`
    SELECT r.id, r.task_id, r.status, r.dry_run, r.hides_people, r.started_by_admin_id,
      v.source_sha256, v.permissions, v.parameters, v.mail_to, v.http_allow, v.secrets, v.may_start
    FROM runs r JOIN task_versions v ON v.id = r.version_id WHERE r.id IN (${sql.join(runIds)}) ORDER BY r.id`.execute(db);
  return rows;
}

export type PlannedEffect = Pick<Row<'run_effects'>, 'method' | 'path' | 'resource_type' | 'changes'>;

/** The planned changes of a dry run, in order, by the index on the run. */
export function selectPlannedEffects(db: Db, runId: number): Promise<PlannedEffect[]> {
  return db
    .selectFrom('run_effects')
    .select(['method', 'path', 'resource_type', 'changes'])
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();
}

export async function selectUsed(db: Db, runId: number): Promise<string[]> {
  const rows = await db.selectFrom('run_permissions').select('permission').where('run_id', '=', runId).orderBy('permission').execute();
  return rows.map(({ permission }) => permission);
}

/** The newest dry run of the version that ended well. */
export async function selectNewestTry(db: Db, versionId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('version_id', '=', versionId)
    .where('dry_run', '=', 1)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
