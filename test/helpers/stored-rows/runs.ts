import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';

/** States of runs, claims and runners that come of time that passes, of a crash, or of more than a test would send. */

/** No run waits in the queue any more, whatever its task: the API cancels the runs of one task. */
export async function cancelWaitingRuns(store: Store): Promise<void> {
  await store.write((db) =>
    sql`UPDATE runs SET status = 'cancelled', finished_at = started_at WHERE status = 'running' AND claim_id IS NULL`.execute(db),
  );
}

/** The run comes before all that wait: one that a trigger opened has no priority of its own by the API. */
export async function putFirst(store: Store, runId: number): Promise<void> {
  await store.write((db) => db.updateTable('runs').set({ priority: 1000 }).where('id', '=', runId).execute());
}

/** The lease of the run's claim has run out, as after minutes without a report; `unconfirmed`: as if no heartbeat had ever come. */
export async function letLeaseEnd(store: Store, runId: number, how: 'confirmed' | 'unconfirmed' = 'confirmed'): Promise<void> {
  const confirmed = how === 'confirmed' ? {} : { confirmed: 0 };
  await store.write((db) =>
    db
      .updateTable('run_claims')
      .set({ lease_until: 0, ...confirmed })
      .where('run_id', '=', runId)
      .where('ended_at', 'is', null)
      .execute(),
  );
}

/** The leases of all claims of a task have run out, also of those that no heartbeat confirmed. */
export async function letLeasesEnd(store: Store, taskId: number): Promise<void> {
  await store.write((db) =>
    sql`UPDATE run_claims SET confirmed = 1, lease_until = 0
      WHERE run_id IN (SELECT id FROM runs WHERE task_id = ${taskId}) AND ended_at IS NULL`.execute(db),
  );
}

/** So much of the lease of the run's claim is left, as after minutes without a report. */
export async function leaveOfLease(store: Store, runId: number, ms: number): Promise<void> {
  await store.write((db) => sql`UPDATE run_claims SET lease_until = ${store.dialect.nowMs} + ${ms} WHERE run_id = ${runId}`.execute(db));
}

/** No runner works on anything: claims of earlier tests have ended without the reports that the API ends them by. */
export async function endAllClaims(store: Store): Promise<void> {
  await store.write((db) => sql`UPDATE run_claims SET ended_at = claimed_at WHERE ended_at IS NULL`.execute(db));
}

/** As where no runner has ever come: the API forgets none. */
export async function forgetRunners(store: Store): Promise<void> {
  await endAllClaims(store);
  await store.write((db) => db.deleteFrom('runners').execute());
}

/** A runner that was here a moment ago and has claimed nothing, though runs wait: by the API it would have claimed them. */
export async function storeIdleRunner(store: Store): Promise<void> {
  await store.write((db) =>
    db.insertInto('runners').values({ name: 'r', version: '1', isolation: '[]', slots: 1, last_seen: Date.now() }).execute(),
  );
}

/** No runner has asked for work for long. */
export async function letRunnersBeSilent(store: Store): Promise<void> {
  await store.write((db) => db.updateTable('runners').set({ last_seen: 0 }).execute());
}

/** As if the client that executes the run had last been heard of so many minutes earlier; Infinity: never. */
export async function letClientBeSilent(store: Store, runId: number, minutes: number): Promise<void> {
  const seen = Number.isFinite(minutes) ? sql`client_seen_ms - ${minutes * 60_000}` : sql`0`;
  await store.write((db) => sql`UPDATE runs SET client_seen_ms = ${seen} WHERE id = ${runId}`.execute(db));
}

/** A run that has written so much of a log already, which would be megabytes to send. */
export async function storeLogSize(store: Store, runId: number, size: { log_bytes: number; log_lines?: number }): Promise<void> {
  await store.write((db) => db.updateTable('runs').set(size).where('id', '=', runId).execute());
}

/** A lineage that has used so much already: it would be megabytes to send, or thousands of calls. */
export async function storeUsage(
  store: Store,
  lineageId: string,
  used: { memory_bytes?: number; carried_out_again?: number; journal_bytes?: number },
): Promise<void> {
  await store.write((db) => db.updateTable('lineages').set(used).where('id', '=', lineageId).execute());
}

/** A run that ended as failed is one that lost its runner, and may be resumed: minutes without a report. */
export async function storeInterrupted(store: Store, runId: number): Promise<void> {
  await store.write((db) => sql`UPDATE runs SET status = 'interrupted', row_version = row_version + 1 WHERE id = ${runId}`.execute(db));
}
