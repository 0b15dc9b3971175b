import { sql } from 'kysely';
import { z } from 'zod';
import { TaskSecret } from '../../../contract/task-secrets.ts';
import type { Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import type { Row } from '../../db/tables.ts';
import type { Sealed } from './sealing.ts';

/** A secret with its sealed value, which no answer shows. */
export type StoredSecret = TaskSecret & Sealed;

declare module '../../db/tables.ts' {
  interface Database {
    task_secrets: TableOf<StoredSecret, never>;
  }
}

const Stored = TaskSecret.extend({
  key_id: z.string(),
  sealed: z.string(),
  hosts: z
    .string()
    .transform((json): unknown => JSON.parse(json))
    .pipe(TaskSecret.shape.hosts),
});

function toSecret({ row_version: _, ...row }: Row<'task_secrets'>): StoredSecret {
  return Stored.parse(row);
}

export const secrets = recordTable('task_secrets', {
  type: 'task_secret',
  toRecord: toSecret,
  toRow: (secret) => toColumns(secret),
  search: [],
  order: { name: 'name', type: 'text' },
});

/** All secrets, or those of one task, by name; there are at most some hundred. */
export async function selectSecrets(db: Db, taskId?: number): Promise<StoredSecret[]> {
  let query = db.selectFrom('task_secrets').selectAll();
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  return (await query.orderBy('name').orderBy('id').execute()).map(toSecret);
}

/** The secrets with these names that runs of the task may use: its own and the shop's. */
export async function selectUsable(db: Db, taskId: number, names: readonly string[]): Promise<StoredSecret[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<Row<'task_secrets'>>`
    SELECT * FROM task_secrets WHERE name IN (${sql.join(names)}) AND coalesce(task_id, 0) IN (0, ${taskId})`.execute(db);
  return rows.map(toSecret);
}

/** Stores that a secret was used, unless that was stored less than a minute before. */
export async function updateLastUse(db: Db, ids: readonly number[], now: string, unlessSince: string): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE task_secrets SET last_used_at = ${now}
    WHERE id IN (${sql.join(ids)}) AND (last_used_at IS NULL OR last_used_at < ${unlessSince})`.execute(db);
}

/** The next secrets that another key has sealed, in the order of their ids. */
export async function selectOfOtherKeys(
  db: Db,
  { keyId, after, limit }: { keyId: string; after: number; limit: number },
): Promise<StoredSecret[]> {
  const rows = await db
    .selectFrom('task_secrets')
    .selectAll()
    .where('id', '>', after)
    .where('key_id', '<>', keyId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toSecret);
}

/** Replaces a sealed value by the same value under another key. It is no change that a client sees, so the row version stays. */
export async function updateSealed(db: Db, id: number, { key_id, sealed }: Sealed): Promise<void> {
  await db.updateTable('task_secrets').set({ key_id, sealed }).where('id', '=', id).execute();
}
