import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

/** The decisions after an id, in their order, with the name of who decided and the passkey as the store has it. */
export type DecisionRow = Row<'decisions'> & {
  admin_name: string | null;
  key_admin_id: number | null;
  key_public_key: string | null;
  key_rp_id: string | null;
  key_created_at: string | null;
  key_deleted_at: string | null;
};

export async function selectDecisions(db: Db, after: number, limit: number): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    SELECT d.*, coalesce(nullif(a.name, ''), a.email) AS admin_name, p.admin_id AS key_admin_id, p.public_key AS key_public_key,
      p.rp_id AS key_rp_id, p.created_at AS key_created_at, p.deleted_at AS key_deleted_at
    FROM decisions d LEFT JOIN admins a ON a.id = d.admin_id LEFT JOIN passkeys p ON p.credential_id = d.credential_id
    WHERE d.id > ${after} ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}

export type StoredVersion = Row<'task_versions'>;

/** A version as it is now; undefined: its task was deleted with it. */
export function selectVersionNow(db: Db, id: number): Promise<StoredVersion | undefined> {
  return db.selectFrom('task_versions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The plan of a dry run as it is now; empty: it is no longer kept, or had no writes. */
export async function selectPlanNow(db: Db, runId: number): Promise<Row<'planned_writes'>[]> {
  return db
    .selectFrom('planned_writes')
    .selectAll()
    .where('lineage_id', 'in', db.selectFrom('runs').select('lineage_id').where('id', '=', runId))
    .orderBy('position')
    .execute();
}

/** A run as it is now; undefined: it is no longer kept. */
export function selectRunNow(db: Db, id: number): Promise<Pick<Row<'runs'>, 'finished_at'> | undefined> {
  return db.selectFrom('runs').select('finished_at').where('id', '=', id).executeTakeFirst();
}

export type Approved = { id: number; version: number | null; task_id: number; approved_by: number; approved_at: string };

/** The approved versions after an id. */
export async function selectApproved(db: Db, after: number, limit: number): Promise<Approved[]> {
  const { rows } = await sql<Approved>`
    SELECT id, version, task_id, approved_by, approved_at FROM task_versions
    WHERE approved_by IS NOT NULL AND approved_at IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

export type AppliedPlan = { id: number; at: string; started_by_admin_id: number | null };

/** The dry runs whose plans were carried out, with the run that did, after an id. */
export async function selectApplied(db: Db, after: number, limit: number): Promise<AppliedPlan[]> {
  const { rows } = await sql<AppliedPlan>`
    SELECT d.id, r.finished_at AS at, r.started_by_admin_id FROM runs d JOIN runs r ON r.id = d.applied_by_run_id
    WHERE d.dry_run = 1 AND d.id > ${after} ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}
