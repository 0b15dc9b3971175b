import { type RawBuilder, sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import type { ChangeCursor } from '../../db/queries/change-cursors.ts';
import { rowStatement, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

/** `left_ms`: until the wait ends in any case, by the database's clock. */
export type WaitRow = Row<'run_prompts'> & { left_ms: number };

const leftMs = (nowMs: RawBuilder<number>) => sql`due_ms - ${nowMs} AS left_ms`;

type KeyOfWait = { lineageId: string; key: string };
const byKey = (value: (name: keyof KeyOfWait) => RawBuilder<unknown>, nowMs: RawBuilder<number>) => sql<WaitRow>`
  SELECT *, ${leftMs(nowMs)} FROM run_prompts WHERE lineage_id = ${value('lineageId')} AND key = ${value('key')}`;

/** Finds a wait by its key in the lineage. */
export const selectWait = rowStatement<KeyOfWait, WaitRow>((value, { nowMs }) => byKey(value, nowMs));

/** Finds it when no write is open that ends it: those that store events do not lock the run. */
export const lockWait = rowStatement<KeyOfWait, WaitRow>((value, { nowMs, forUpdate }) => sql`${byKey(value, nowMs)} ${forUpdate}`);

export type NewWait = Pick<
  Row<'run_prompts'>,
  'lineage_id' | 'key' | 'asked_by_run_id' | 'asked_by_claim_id' | 'asked_at' | 'awaits' | 'match' | 'found_by' | 'open_writes' | 'label'
> & {
  answers: string | null;
  /** How long the wait lasts at most; or when it ends, by the database's clock. */
  lastsMs: number;
  endsAtMs: number | null;
};

export const insertWait = rowStatement<NewWait, WaitRow>(
  (value, { nowMs }) => sql`
    INSERT INTO run_prompts (lineage_id, key, run_id, asked_by_run_id, asked_by_claim_id, label, fields, answers, created_at, asked_at, answered_at,
      answered_claim_id, awaits_run_id, awaits, match, found_by, due_ms, open_writes)
    VALUES (${value('lineage_id')}, ${value('key')}, ${value('asked_by_run_id')}, ${value('asked_by_run_id')}, ${value('asked_by_claim_id')},
      ${value('label')}, '[]', ${value('answers')}, ${value('asked_at')}, ${value('asked_at')},
      CASE WHEN CAST(${value('answers')} AS text) IS NULL THEN NULL ELSE CAST(${value('asked_at')} AS text) END,
      CASE WHEN CAST(${value('answers')} AS text) IS NULL THEN NULL ELSE CAST(${value('asked_by_claim_id')} AS bigint) END,
      0, ${value('awaits')}, ${value('match')}, ${value('found_by')},
      coalesce(CAST(${value('endsAtMs')} AS bigint), ${nowMs} + CAST(${value('lastsMs')} AS bigint)), ${value('open_writes')})
    RETURNING *, ${leftMs(nowMs)}`,
);

/** Hands an open wait to the claim that asks for it; its end stays. */
export async function takeOver(db: Db, id: number, { runId, claimId }: { runId: number; claimId: number }): Promise<void> {
  await db.updateTable('run_prompts').set({ asked_by_run_id: runId, asked_by_claim_id: claimId }).where('id', '=', id).execute();
}

/** Ends a wait; false if it had ended already. */
export async function endWait(db: Db, id: number, end: { answers: string; at: string; claimId: number | null }): Promise<boolean> {
  const rows = await db
    .updateTable('run_prompts')
    .set({ answers: end.answers, answered_at: end.at, answered_claim_id: end.claimId })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Counts the open waits of a lineage. */
export async function countOpen(db: Db, lineageId: string): Promise<number> {
  const { count } = await db
    .selectFrom('run_prompts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('lineage_id', '=', lineageId)
    .where('awaits', 'is not', null)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * The events that the script of a lineage has got of this type; those of waits whose time was up are left out. What came after the present
 * checkpoint to a wait that was begun before it, the script of an earlier claim may not have used.
 */
export const selectGiven = statement<{ lineageId: string; claimId: number; event: string }, { answers: string }>(
  (value) => sql`
    SELECT p.answers FROM run_prompts p JOIN lineages l ON l.id = p.lineage_id
    WHERE p.lineage_id = ${value('lineageId')} AND p.awaits = ${value('event')} AND p.answers <> 'null'
      AND (p.open_in IS NULL OR p.open_in < l.epoch OR p.asked_by_claim_id = ${value('claimId')})`,
);

type OfClaim = { lineageId: string; claimId: number; epoch: number; at: string };

/** Ends the waits of earlier claims before the checkpoint: their scripts are gone, and the present one waits anew. */
export const endLeft = statement<OfClaim>(
  (value) => sql`
    UPDATE run_prompts SET answers = 'null', answered_at = ${value('at')}, answered_claim_id = NULL
    WHERE lineage_id = ${value('lineageId')} AND awaits IS NOT NULL AND answered_at IS NULL
      AND asked_by_claim_id <> ${value('claimId')} AND key NOT LIKE CAST(${value('epoch')} AS text) || '/%'`,
);

/** The version needs this permission, though no call of the run does. */
export async function noteUsed(db: Db, runId: number, permission: string): Promise<void> {
  await sql`INSERT INTO run_permissions (run_id, permission) VALUES (${runId}, ${permission}) ON CONFLICT DO NOTHING`.execute(db);
}

export async function selectBegin(db: Db, lineageId: string): Promise<string | null> {
  const row = await db.selectFrom('lineages').select('began_at').where('id', '=', lineageId).executeTakeFirst();
  return row?.began_at ?? null;
}

export type StoredEvent = Pick<Row<'domain_events'>, 'id' | 'type' | 'data' | 'at'>;
/** `holding`: texts of which the data of an event must have each. `unseenIn`: only events that were not committed in this snapshot. */
export type Search = {
  type: string;
  from: string;
  after: Pick<StoredEvent, 'at' | 'id'>;
  holding: readonly string[];
  unseenIn?: Pick<ChangeCursor, 'to' | 'open'> | undefined;
};

/** Events of a type since a time, the oldest first. */
export async function selectEvents(db: Db, { type, from, after, holding, unseenIn }: Search, limit: number): Promise<StoredEvent[]> {
  let query = db
    .selectFrom('domain_events')
    .select(['id', 'type', 'data', 'at'])
    .where('type', '=', type)
    .where('at', '>=', from)
    .where(sql<boolean>`(at, id) > (${after.at}, ${after.id})`);
  for (const text of holding) query = query.where(sql<boolean>`data LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`);
  if (unseenIn !== undefined) {
    const { to, open } = unseenIn;
    query = query.where(({ or, eb }) => or([eb('stored_in', '>=', to), ...(open.length > 0 ? [eb('stored_in', 'in', open)] : [])]));
  }
  return query.orderBy('at').orderBy('id').limit(limit).execute();
}

/** The open waits of a run and of what it continues, those that end first before the others. */
export async function selectOpenWaits(db: Db, runId: number): Promise<Row<'run_prompts'>[]> {
  return db
    .selectFrom('run_prompts')
    .selectAll()
    .where('asked_by_run_id', '=', runId)
    .where('answered_at', 'is', null)
    .where('awaits', 'is not', null)
    .orderBy('due_ms')
    .orderBy('id')
    .execute();
}

/** The milliseconds until the first wait is due; null: none is open. */
export const selectNextDue = rowStatement<object, { left_ms: number }>(
  (_, { nowMs }) => sql`
    SELECT ${leftMs(nowMs)} FROM run_prompts WHERE due_ms IS NOT NULL AND answered_at IS NULL ORDER BY due_ms LIMIT 1`,
);

/** Ends the waits whose time is up, at most `limit`; returns how many. No other server ends them too. */
export async function endDue({ db, dialect: { nowMs, skipLocked } }: At, at: string, limit: number): Promise<number> {
  const { rows } = await sql`
    UPDATE run_prompts SET answers = 'null', answered_at = ${at}, wakes = 1,
      answered_claim_id = (SELECT r.claim_id FROM runs r WHERE r.id = run_prompts.asked_by_run_id)
    WHERE id IN (
      SELECT id FROM run_prompts WHERE due_ms IS NOT NULL AND answered_at IS NULL AND due_ms <= ${nowMs} ORDER BY due_ms LIMIT ${limit} ${skipLocked}
    ) RETURNING id`.execute(db);
  return rows.length;
}

/** Waits that have ended, whose runs have not been told. */
export const selectWaking = statement<{ limit: number }, { id: number; asked_by_run_id: number }>(
  (value) => sql`SELECT id, asked_by_run_id FROM run_prompts WHERE wakes = 1 ORDER BY id LIMIT ${value('limit')}`,
);

/** Notes that the run of an ended wait is told; undefined if another server has told it. */
export const takeWaking = rowStatement<{ id: number }, Row<'run_prompts'>>(
  (value) => sql`UPDATE run_prompts SET wakes = 0 WHERE id = ${value('id')} AND wakes = 1 RETURNING *`,
);

export type Unsettled = Pick<Row<'run_prompts'>, 'id' | 'asked_at' | 'answered_at'> & {
  awaits: string;
  match: string;
  open_writes: string;
};

/** Waits of which it is not known yet whether a write that was open when they began has stored their event. */
export const selectUnsettled = statement<{ limit: number }, Unsettled>(
  (value) => sql`
    SELECT id, asked_at, answered_at, awaits, match, open_writes FROM run_prompts WHERE open_writes IS NOT NULL ORDER BY id LIMIT ${value('limit')}`,
);

export async function settle(db: Db, id: number): Promise<void> {
  await db.updateTable('run_prompts').set({ open_writes: null }).where('id', '=', id).execute();
}
