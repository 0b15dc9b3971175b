import { sql } from 'kysely';
import type { Db, Store } from '../../../server/db/open.ts';

/** States of runs, claims and runners that need time, a crash, or more data than a test sends. */

/** Cancels the waiting runs of all tasks; a request to the API cancels the runs of one task only. */
export async function cancelWaitingRuns(store: Store): Promise<void> {
  await store.write((db) =>
    sql`UPDATE runs SET status = 'cancelled', finished_at = started_at, retry_due_ms = NULL
      WHERE status = 'running' AND (claim_id IS NULL OR retry_due_ms IS NOT NULL)`.execute(db),
  );
}

/** Puts the run before all waiting runs; the API gives no priority to a run that a trigger opened. */
export async function putFirst(store: Store, runId: number): Promise<void> {
  await store.write((db) => db.updateTable('runs').set({ priority: 1000 }).where('id', '=', runId).execute());
}

/** Ends the lease of the run's claim, as minutes without a report do. `unconfirmed`: as if no heartbeat had ever come. */
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

/** Ends the leases of all claims of a task, including claims that no heartbeat confirmed. */
export async function letLeasesEnd(store: Store, taskId: number): Promise<void> {
  await store.write((db) =>
    sql`UPDATE run_claims SET confirmed = 1, lease_until = 0
      WHERE run_id IN (SELECT id FROM runs WHERE task_id = ${taskId}) AND ended_at IS NULL`.execute(db),
  );
}

/** Makes the attempt due for which the run waits, as the time until then does. */
export async function letRetryBeDue(store: Store, runId: number): Promise<void> {
  await store.write((db) => sql`UPDATE runs SET retry_due_ms = 0 WHERE id = ${runId} AND retry_due_ms IS NOT NULL`.execute(db));
}

/** Leaves `ms` milliseconds of the lease of the run's claim, as minutes without a report do. */
export async function leaveOfLease(store: Store, runId: number, ms: number): Promise<void> {
  await store.write((db) => sql`UPDATE run_claims SET lease_until = ${store.dialect.nowMs} + ${ms} WHERE run_id = ${runId}`.execute(db));
}

/** Ends all claims of earlier tests without a report; through the API, only a report ends a claim. */
export async function endAllClaims(store: Store): Promise<void> {
  await store.write((db) => sql`UPDATE run_claims SET ended_at = claimed_at WHERE ended_at IS NULL`.execute(db));
}

/** Removes all runners, as if none had ever connected; the API cannot remove them. */
export async function forgetRunners(store: Store): Promise<void> {
  await endAllClaims(store);
  await store.write((db) => db.deleteFrom('runners').execute());
}

/** Stores a runner that was just seen and has claimed nothing although runs wait; through the API, it would have claimed them. */
export async function storeIdleRunner(store: Store): Promise<void> {
  await store.write((db) =>
    db.insertInto('runners').values({ name: 'r', version: '1', isolation: '[]', slots: 1, last_seen: Date.now() }).execute(),
  );
}

/** Makes it seem long ago that any runner has asked for work. */
export async function letRunnersBeSilent(store: Store): Promise<void> {
  await store.write((db) => db.updateTable('runners').set({ last_seen: 0 }).execute());
}

/** Makes the last request of the client that drives the run this many minutes older; Infinity: there was none. */
export async function letClientBeSilent(store: Store, runId: number, minutes: number): Promise<void> {
  const seen = Number.isFinite(minutes) ? sql`client_seen_ms - ${minutes * 60_000}` : sql`0`;
  await store.write((db) => sql`UPDATE runs SET client_seen_ms = ${seen} WHERE id = ${runId}`.execute(db));
}

/** Stores how much log a run has already written; to send it would take megabytes. */
export async function storeLogSize(store: Store, runId: number, size: { log_bytes: number; log_lines?: number }): Promise<void> {
  await store.write((db) => db.updateTable('runs').set(size).where('id', '=', runId).execute());
}

/** Stores what a lineage has already used; to use it up would take megabytes or thousands of calls. */
export async function storeUsage(
  store: Store,
  lineageId: string,
  used: { memory_bytes?: number; carried_out_again?: number; journal_bytes?: number },
): Promise<void> {
  await store.write((db) => db.updateTable('lineages').set(used).where('id', '=', lineageId).execute());
}

/** Makes a failed run an interrupted one, which can be resumed. To interrupt it through the API takes minutes without a report. */
export async function storeInterrupted(store: Store, runId: number): Promise<void> {
  await store.write((db) => sql`UPDATE runs SET status = 'interrupted', row_version = row_version + 1 WHERE id = ${runId}`.execute(db));
}

/** Lets these runs have started at this time; the API starts runs now. */
export async function storeStart(store: Store, runIds: readonly number[], at: string): Promise<void> {
  await store.write((db) =>
    db
      .updateTable('runs')
      .set((eb) => ({ started_at: at, row_version: eb('row_version', '+', 1) }))
      .where('id', 'in', runIds)
      .execute(),
  );
}

/** Makes the latest sign of progress of the run and the latest call of its script this many minutes older. */
export async function letRunBeQuiet(store: Store, runId: number, minutes: number): Promise<void> {
  const ms = minutes * 60_000;
  await store.write(async (db) => {
    await sql`UPDATE runs SET sign_ms = sign_ms - ${ms}, stuck_told_ms = CASE WHEN stuck_told_ms = 0 THEN 0 ELSE stuck_told_ms - ${ms} END
      WHERE id = ${runId}`.execute(db);
    await sql`UPDATE lineages SET called_ms = called_ms - ${ms}
      WHERE called_ms > 0 AND id = (SELECT lineage_id FROM runs WHERE id = ${runId})`.execute(db);
  });
}

/** Lets the open questions of a run have been asked `minutes` earlier than they were. */
export async function letQuestionsBeOld(store: Store, runId: number, minutes: number): Promise<void> {
  const at = new Date(Date.now() - minutes * 60_000).toISOString();
  await store.write((db) =>
    db.updateTable('run_prompts').set({ asked_at: at }).where('asked_by_run_id', '=', runId).where('answered_at', 'is', null).execute(),
  );
}

/** What was compiled of all sources seems to be of an older release, which made something else of them. */
export async function letCompilerBeOlder(store: Store): Promise<void> {
  await store.write((db) => db.updateTable('compiled_sources').set({ format: 0, code: 'nonsense(' }).execute());
}

/** Sources seem to have been saved before servers stored what they compiled. */
export async function letNothingBeCompiled(store: Store): Promise<void> {
  await store.write((db) => db.deleteFrom('compiled_sources').execute());
}

/** The run's lineage seems to have begun before lineages stored when they began. */
export async function letLineageLackBeginning(store: Store, runId: number): Promise<void> {
  const lineage = (db: Db) => db.selectFrom('runs').select('lineage_id').where('id', '=', runId);
  await store.write((db) => db.updateTable('lineages').set({ began_at: null }).where('id', '=', lineage(db)).execute());
}

export type Waiting = { key: string | null; limit: number | null; priority?: number };

/** Stores so many more waiting runs like this one, each with a lineage of its own; to open thousands through the API takes a minute. */
export async function storeWaitingRuns(
  store: Store,
  likeRunId: number,
  count: number,
  { key, limit, priority = 0 }: Waiting,
): Promise<void> {
  await store.write(async (db) => {
    const run = await db.selectFrom('runs').selectAll().where('id', '=', likeRunId).executeTakeFirstOrThrow();
    const lineage = await db.selectFrom('lineages').selectAll().where('id', '=', run.lineage_id).executeTakeFirstOrThrow();
    const prefix = crypto.randomUUID();
    const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
    const { id: _, ...like } = {
      ...run,
      status: 'running' as const,
      finished_at: null,
      claim_id: null,
      claimed_by: null,
      claimed_at: null,
    };
    for (let from = 0; from < count; from += 200) {
      const some = names.slice(from, from + 200);
      await db
        .insertInto('lineages')
        .values(some.map((id) => ({ ...lineage, id })))
        .execute();
      const more = { executor: 'runner' as const, concurrency_key: key, concurrency_limit: limit, priority };
      await db
        .insertInto('runs')
        .values(some.map((lineage_id) => ({ ...like, ...more, lineage_id })))
        .execute();
    }
  });
}

/** Lets the run, with those that it resumes, have used so many tokens of language models. */
export async function storeTokens(store: Store, runId: number, tokens: number): Promise<void> {
  await store.write((db) =>
    sql`UPDATE lineages SET llm_tokens = ${tokens} WHERE id = (SELECT lineage_id FROM runs WHERE id = ${runId})`.execute(db),
  );
}

/** Makes all waits due, as the months until then do. */
export async function passWaits(store: Store): Promise<void> {
  await store.write((db) => db.updateTable('run_prompts').set({ due_ms: 1 }).where('due_ms', 'is not', null).execute());
}

/** Gives the log lines of a run so many bytes; through the API it would take as many reports. */
export async function lengthenLog(store: Store, runId: number, bytes: number): Promise<void> {
  const line = JSON.stringify({ kind: 'log', line: 'x'.repeat(bytes) });
  await store.write((db) => db.updateTable('run_events').set({ line }).where('run_id', '=', runId).execute());
}

type Ended = { hides_people: number; status: string; resumed_by_run_id: number | null };

/** Gives a recorded run another end, or hides people from it; through the API, each would need a recording of its own. */
export async function changeEnd(store: Store, runId: number, values: Partial<Ended>): Promise<void> {
  await store.write((db) => db.updateTable('runs').set(values).where('id', '=', runId).execute());
}
