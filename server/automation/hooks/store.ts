import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { rowStatement, statement } from '../../db/queries/statement.ts';
import { taskPart } from '../../db/queries/task-part.ts';
import type { Row } from '../../db/tables.ts';
import type { Sealed } from '../secrets/sealing.ts';

export type HookRow = Row<'hooks'>;

/** Removing a hook also removes what is remembered of its calls (a cascading foreign key). */
export const hooks = taskPart('hooks');

/** A hook that takes calls: it is switched on, and its task is not deleted. */
export const selectOpen = rowStatement<{ id: number }, HookRow>(
  (value) => sql<HookRow>`
    SELECT h.* FROM hooks h JOIN tasks t ON t.id = h.task_id
    WHERE h.id = ${value('id')} AND h.enabled = 1 AND t.deleted_at IS NULL`,
);

type Call = { key: string; hookId: number; at: string; since: string };

/**
 * Notes a call unless the same one was noted at `since` or later; returns whether it was noted. A call that another transaction
 * is noting is waited for.
 */
export async function noteCall(db: Db, call: Call): Promise<boolean> {
  return (await insertCall(db, call)).length > 0;
}

const insertCall = statement<Call>(
  (value) => sql`
    INSERT INTO hook_calls (key, hook_id, run_id, at) VALUES (${value('key')}, ${value('hookId')}, NULL, ${value('at')})
    ON CONFLICT (key) DO UPDATE SET run_id = NULL, start_id = NULL, at = excluded.at WHERE hook_calls.at < ${value('since')}
    RETURNING key`,
);

/** What became of a call: its run, or the start that it has joined. */
export function selectCall(db: Db, key: string): Promise<Pick<Row<'hook_calls'>, 'run_id' | 'start_id'> | undefined> {
  return db.selectFrom('hook_calls').select(['run_id', 'start_id']).where('key', '=', key).executeTakeFirst();
}

export async function noteOutcome(db: Db, key: string, outcome: Partial<Pick<Row<'hook_calls'>, 'run_id' | 'start_id'>>): Promise<void> {
  await db.updateTable('hook_calls').set(outcome).where('key', '=', key).execute();
}

export async function forgetCall(db: Db, key: string): Promise<void> {
  await db.deleteFrom('hook_calls').where('key', '=', key).execute();
}

export const deleteOldCalls = deleteOldest('hook_calls', 'at', 'key');

/** Stores why a call opened no run. The row version is not raised, so that an admin's edit does not conflict with it. */
export async function noteError(db: Db, id: number, error: string | null): Promise<void> {
  await db.updateTable('hooks').set({ last_error: error }).where('id', '=', id).execute();
}

type From = { keyId: string; after: number; limit: number };

/** The next hooks whose secret another key has sealed, in the order of their ids. */
export function selectOfOtherKeys(db: Db, { keyId, after, limit }: From): Promise<HookRow[]> {
  return db
    .selectFrom('hooks')
    .selectAll()
    .where('id', '>', after)
    .where('verify_key_id', '<>', keyId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Stores the secret sealed. It is no change that a client sees, so the row version stays. */
export async function updateSealed(db: Db, id: number, { key_id, sealed }: Sealed): Promise<void> {
  await db.updateTable('hooks').set({ verify_key_id: key_id, verify_secret: sealed }).where('id', '=', id).execute();
}

export type Ended = { status: string; result: string | null };

/** The status of a run, and what its script returned. */
export const selectOutcome = rowStatement<{ runId: number }, Ended>(
  (value) => sql`SELECT status, result FROM runs WHERE id = ${value('runId')}`,
);
