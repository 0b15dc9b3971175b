import type { Db } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { type CallKey, type JournalledCall, mismatch } from '../journal/journal.ts';
import * as store from '../journal/journal-store.ts';

type Started = { scope: string; actor: TaskActor; call: CallKey; request: JournalledCall };

/**
 * Records that a call which asks somebody outside has begun; the journal row marks its end. Returns true if an earlier request had begun
 * it, whose outcome is not known here (spec JO9).
 */
export async function beginCall(db: Db, started: Started): Promise<boolean> {
  const row = rowOf(started);
  if (await store.takeStarted(db, row)) return true;
  await store.insertStarted(db, row, new Date().toISOString());
  return false;
}

/** Refuses, like `refuseMismatch` for the journal, if an earlier attempt began another write with the same method and path. */
export async function refuseOtherStarted(db: Db, started: Started): Promise<void> {
  if (!started.request.isWrite) return;
  const earlier = await store.selectOtherStarted(db, rowOf(started));
  if (earlier) throw mismatch(started.request, earlier.body);
}

export { deleteStarted as endCall } from '../journal/journal-store.ts';

function rowOf({ scope, actor: { lineageId, claimId }, call: { epoch }, request }: Started): store.Started {
  return { scope, lineageId, claimId, epoch, request };
}
