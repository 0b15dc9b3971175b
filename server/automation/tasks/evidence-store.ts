import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

export type TriedRow = Pick<
  Row<'task_versions'>,
  'source_sha256' | 'permissions' | 'parameters' | 'mail_to' | 'http_allow' | 'secrets' | 'may_start'
> & {
  id: number;
  task_id: number;
  status: string;
  dry_run: number;
  undo_of_run_id: number | null;
  hides_people: number;
  started_by_admin_id: number;
  starter: string | null;
};

/** These runs, with what they executed. */
export async function selectTried(db: Db, runIds: readonly number[]): Promise<TriedRow[]> {
  const { rows } = await sql<TriedRow>`
    SELECT r.id, r.task_id, r.status, r.dry_run, r.undo_of_run_id, r.hides_people, r.started_by_admin_id, coalesce(nullif(a.name, ''), a.email) AS starter,
      v.source_sha256, v.permissions, v.parameters, v.mail_to, v.http_allow, v.secrets, v.may_start
    FROM runs r JOIN task_versions v ON v.id = r.version_id
    LEFT JOIN admins a ON a.id = r.started_by_admin_id WHERE r.id IN (${sql.join(runIds)}) ORDER BY r.id`.execute(db);
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

export type Try = 'proposed' | 'newest' | 'newest that sees people';

/** A dry run of the version that ended well, no plan of an undo; `proposed`: the one with which it was made, not what was tried later, nor a draft. */
export async function selectTry(db: Db, versionId: number, which: Try): Promise<number | undefined> {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('version_id', '=', versionId)
    .where('dry_run', '=', 1)
    .where('undo_of_run_id', 'is', null)
    .where('status', '=', 'success')
    .$if(which === 'newest that sees people', (query) => query.where('hides_people', '=', 0))
    .$if(which === 'proposed', (query) => query.where('lineage_id', '=', firstLineage(db, versionId)))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The lineage of the first dry run of a version that has a number. */
function firstLineage(db: Db, versionId: number) {
  return db
    .selectFrom('runs')
    .innerJoin('task_versions', 'task_versions.id', 'runs.version_id')
    .select('runs.lineage_id')
    .where('runs.version_id', '=', versionId)
    .where('runs.dry_run', '=', 1)
    .where('task_versions.version', 'is not', null)
    .orderBy('runs.id')
    .limit(1);
}
