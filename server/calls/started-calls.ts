import { sql } from 'kysely';
import type { TaskActor } from '../context.ts';
import type { Db } from '../db/open.ts';
import { type CallKey, type JournalledCall, mismatch } from './journal.ts';

type Started = { scope: string; actor: TaskActor; call: CallKey; request: JournalledCall };

/**
 * Notes that a call which asks somebody outside has begun; the journal's row is its end. True where an earlier request
 * had begun it: what became of that is not known here (automation.md §5, Outside the database).
 */
export async function beginCall(db: Db, { scope, actor, call, request }: Started): Promise<boolean> {
  const found = await db.updateTable('started_calls').set({ claim_id: actor.claimId }).where('scope', '=', scope).executeTakeFirst();
  if (found.numUpdatedRows > 0n) return true;
  await db
    .insertInto('started_calls')
    .values({
      scope,
      lineage_id: actor.lineageId,
      epoch: call.epoch,
      claim_id: actor.claimId,
      is_write: request.isWrite ? 1 : 0,
      method: request.method,
      path: request.path,
      body: request.isWrite ? request.body : null,
      at: new Date().toISOString(),
    })
    .execute();
  return false;
}

/** As of the journal's writes: one that an earlier attempt began, and this one has not asked for. */
export async function refuseOtherStarted(db: Db, { scope, actor, call, request }: Started): Promise<void> {
  if (!request.isWrite) return;
  const { rows } = await sql<{ body: string | null }>`
    SELECT body FROM started_calls
    WHERE lineage_id = ${actor.lineageId} AND epoch = ${call.epoch} AND is_write = 1
      AND method = ${request.method} AND path = ${request.path} AND claim_id <> ${actor.claimId} AND scope <> ${scope}
    LIMIT 1`.execute(db);
  const [earlier] = rows;
  if (earlier) throw mismatch(request, earlier.body);
}

export async function endCall(db: Db, scope: string): Promise<void> {
  await db.deleteFrom('started_calls').where('scope', '=', scope).execute();
}
