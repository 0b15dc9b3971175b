import { type RawBuilder, sql } from 'kysely';
import { forgetArtifacts } from '../automation/artifacts/domain.ts';
import type { Db, Store } from '../db/open.ts';
import { readSettings } from '../resources/settings/domain.ts';

const DAY_MS = 86_400_000;
const IDEMPOTENCY_DAYS = 1;
const WEBHOOK_DAYS = 30;
/** A provider sends an event again for days, an admin of its pages for weeks. */
const PROVIDER_EVENT_DAYS = 90;
/** Rows or runs a transaction: a sweep never holds up a request for long. */
const BATCH = 500;

/**
 * Deletes what is kept for a time only, in small batches, and nothing that is still due: idempotency rows (24 h),
 * webhooks (30 days), events of providers (90 days); all else for as long as the settings say.
 */
export async function sweepOld(store: Store, now: number = Date.now()): Promise<void> {
  const settings = await readSettings(store.reader);
  const before = (days: number): string => new Date(now - days * DAY_MS).toISOString();
  await deleteLeases(store, now - IDEMPOTENCY_DAYS * DAY_MS);
  await drain(() => deleteIdempotency(store, before(IDEMPOTENCY_DAYS)));
  await drain(() => deleteMails(store, before(settings.mail_days)));
  await drain(() => deleteEvents(store, before(settings.event_days)));
  const { log_days, notification_days, audit_days } = settings;
  if (log_days !== null) await drain(() => deleteByTime(store, 'log_entries', 'created_at', before(log_days)));
  if (notification_days !== null) await drain(() => deleteByTime(store, 'notifications', 'created_at', before(notification_days)));
  if (audit_days !== null) await drain(() => deleteByTime(store, 'audit_log', 'at', before(audit_days)));
  await drain(() => deleteDeliveries(store, before(WEBHOOK_DAYS)));
  await drain(() => deleteProviderEvents(store, before(PROVIDER_EVENT_DAYS)));
  await drain(() => deleteJournals(store, before(settings.journal_days)));
  await drain(() => deleteRuns(store, before(settings.run_days)));
}

async function drain(deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) === BATCH);
}

/** Has an index by that column. */
function deleteByTime(store: Store, table: 'log_entries' | 'notifications' | 'audit_log', column: string, before: string): Promise<number> {
  return store.write(async (db) => {
    const [from, time] = [sql.table(table), sql.ref(column)];
    const { rows } = await sql`DELETE FROM ${from} WHERE id IN (
      SELECT id FROM ${from} WHERE ${time} < ${before} ORDER BY ${time}, id LIMIT ${BATCH}) RETURNING id`.execute(db);
    return rows.length;
  });
}

/** What webhooks send of one they have in their own rows; what a trigger still waits for stays. */
function deleteEvents(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql`DELETE FROM domain_events WHERE id IN (
      SELECT e.id FROM domain_events e WHERE e.at < ${before} AND NOT EXISTS (
        SELECT 1 FROM trigger_deliveries d WHERE d.event_id = e.id
      ) ORDER BY e.at, e.id LIMIT ${BATCH}) RETURNING id`.execute(db);
    return rows.length;
  });
}

/** Left by servers that died; few. */
async function deleteLeases(store: Store, beforeMs: number): Promise<void> {
  await store.write((db) => sql`DELETE FROM leases WHERE lease_until < ${beforeMs}`.execute(db));
}

function deleteIdempotency(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql`DELETE FROM idempotency WHERE scope IN (
      SELECT scope FROM idempotency WHERE created_at < ${before} ORDER BY created_at LIMIT ${BATCH}) RETURNING scope`.execute(db);
    return rows.length;
  });
}

function deleteMails(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql`DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE ended_at IS NOT NULL AND ended_at < ${before} ORDER BY ended_at LIMIT ${BATCH}) RETURNING id`.execute(db);
    return rows.length;
  });
}

function deleteDeliveries(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql`DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE ended_at IS NOT NULL AND ended_at < ${before} ORDER BY ended_at LIMIT ${BATCH}) RETURNING id`.execute(
      db,
    );
    return rows.length;
  });
}

function deleteProviderEvents(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql`DELETE FROM webhook_events WHERE (provider, event_id) IN (
      SELECT provider, event_id FROM webhook_events WHERE received_at < ${before} ORDER BY received_at LIMIT ${BATCH}
    ) RETURNING event_id`.execute(db);
    return rows.length;
  });
}

/** A lineage whose last run ended so long ago loses its journal with its row: it can't be resumed any more (`journal_expired`). */
function deleteJournals(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql<{ id: string }>`
      SELECT l.id FROM lineages l WHERE l.seed <> '' AND l.epoch_started_at < ${before} AND NOT EXISTS (
        SELECT 1 FROM runs r WHERE r.lineage_id = l.id AND (r.finished_at IS NULL OR r.finished_at >= ${before})
      ) LIMIT ${BATCH}`.execute(db);
    if (rows.length === 0) return 0;
    const ids = sql.join(rows.map(({ id }) => id));
    await forgetLineages(db, ids);
    await sql`UPDATE lineages SET seed = '' WHERE id IN (${ids})`.execute(db);
    return rows.length;
  });
}

async function forgetLineages(db: Db, ids: RawBuilder<unknown>): Promise<void> {
  for (const table of ['journal', 'started_calls', 'lineage_memory', 'run_results', 'planned_writes', 'recorded_epochs'])
    await sql`DELETE FROM ${sql.table(table)} WHERE lineage_id IN (${ids})`.execute(db);
}

function deleteRuns(store: Store, before: string): Promise<number> {
  return store.write(async (db) => {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM runs WHERE finished_at IS NOT NULL AND finished_at < ${before} ORDER BY finished_at LIMIT ${BATCH}`.execute(db);
    if (rows.length === 0) return 0;
    const ids = sql.join(rows.map(({ id }) => id));
    await sql`DELETE FROM recorded_answers WHERE claim_id IN (SELECT id FROM run_claims WHERE run_id IN (${ids}))`.execute(db);
    for (const table of ['run_events', 'run_effects', 'run_claims', 'run_permissions', 'replay_calls']) {
      await sql`DELETE FROM ${sql.table(table)} WHERE run_id IN (${ids})`.execute(db);
    }
    const deleted = await sql<{ lineage_id: string }>`DELETE FROM runs WHERE id IN (${ids}) RETURNING lineage_id`.execute(db);
    const left = await sql<{ id: string }>`
      SELECT l.id FROM lineages l WHERE l.id IN (${sql.join(deleted.rows.map(({ lineage_id }) => lineage_id))})
        AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.lineage_id = l.id)`.execute(db);
    if (left.rows.length === 0) return rows.length;
    const lineages = sql.join(left.rows.map(({ id }) => id));
    await forgetLineages(db, lineages);
    await forgetArtifacts(db, lineages);
    await sql`DELETE FROM run_prompts WHERE lineage_id IN (${lineages})`.execute(db);
    await sql`DELETE FROM lineages WHERE id IN (${lineages})`.execute(db);
    return rows.length;
  });
}
