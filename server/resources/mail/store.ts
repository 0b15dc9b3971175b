import { sql } from 'kysely';
import type { Mail } from '../../../contract/mails.ts';
import type { At, Db } from '../../db/open.ts';
import { rowsAbout, type Traces } from '../../db/queries/about.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** Inserts a mail and returns its id. */
export async function insertMail(db: Db, mail: NewRow<'mails'>): Promise<number> {
  return (await db.insertInto('mails').values(mail).returning('id').executeTakeFirstOrThrow()).id;
}

export type Folded = Pick<Row<'mails'>, 'id' | 'status' | 'lease' | 'attempts' | 'folded' | 'planned_ms'>;

/** The latest mail with this key, locked. */
export function lockLatestOf({ db, dialect }: At, foldKey: string): Promise<Folded | undefined> {
  return db
    .selectFrom('mails')
    .select(['id', 'status', 'lease', 'attempts', 'folded', 'planned_ms'])
    .where('fold_key', '=', foldKey)
    .orderBy('id', 'desc')
    .limit(1)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}

export async function updateContent(
  db: Db,
  id: number,
  content: Pick<Row<'mails'>, 'subject' | 'text_body' | 'html_body' | 'folded'>,
): Promise<void> {
  await db.updateTable('mails').set(content).where('id', '=', id).execute();
}

/** Lets a new mail be due now, but not before `earliestMs` by the database's clock. */
export async function planMail({ db, dialect: { nowMs } }: At, id: number, foldKey: string, earliestMs: number): Promise<void> {
  const planned = sql`CASE WHEN ${earliestMs} > ${nowMs} THEN ${earliestMs} ELSE ${nowMs} END`;
  await sql`UPDATE mails SET fold_key = ${foldKey}, planned_ms = ${planned}, due_ms = ${planned} WHERE id = ${id}`.execute(db);
}

export async function isAnyDue({ db, dialect: { nowMs } }: At): Promise<boolean> {
  const { rows } = await sql`SELECT id FROM mails WHERE status = 'queued' AND due_ms <= ${nowMs} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** How many mails are due and taken by no sender, by the index mails_due. */
export async function countDue({ db, dialect: { nowMs } }: At): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    SELECT count(*) AS mails FROM mails WHERE status = 'queued' AND due_ms <= ${nowMs}`.execute(db);
  return rows[0]?.mails ?? 0;
}

/** `maybeSent`: an earlier sender had claimed the mail and did not store the outcome. */
export type Claimed = Row<'mails'> & { lease: string; message_id: string; maybeSent: boolean };

/**
 * Claims the mails that have been due the longest; no other sender claims them before the lease ends. A mail keeps the
 * Message-ID of its first attempt.
 */
export async function claimDue(
  { db, dialect: { nowMs, skipLocked } }: At,
  claim: { lease: string; leaseMs: number; domain: string; limit: number },
): Promise<Claimed[]> {
  const due = await sql<{ id: number; lease: string | null }>`
    SELECT id, lease FROM mails WHERE status = 'queued' AND due_ms <= ${nowMs} ORDER BY due_ms, id LIMIT ${claim.limit} ${skipLocked}`.execute(
    db,
  );
  if (due.rows.length === 0) return [];
  const left = new Set(due.rows.flatMap(({ id, lease }) => (lease === null ? [] : [id])));
  const { rows } = await sql<Omit<Claimed, 'maybeSent'>>`
    UPDATE mails SET lease = ${claim.lease}, attempts = attempts + 1, due_ms = ${nowMs} + ${sql.lit(claim.leaseMs)},
      message_id = coalesce(message_id, '<' || CAST(${claim.lease} AS text) || '.' || id || '@' || CAST(${claim.domain} AS text) || '>')
    WHERE id IN (${sql.join(due.rows.map(({ id }) => id))}) RETURNING *`.execute(db);
  return rows.map((row) => ({ ...row, maybeSent: left.has(row.id) }));
}

/** Mails that were claimed and are not to be sent any more. */
export async function deleteClaimed(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('mails').where('id', 'in', ids).execute();
}

/**
 * Stores the outcome of a send. Returns false if the lease has ended and another sender has claimed the mail. `dueInMs`
 * counts from now.
 */
export async function settleMail(
  { db, dialect }: At,
  { id, lease }: Claimed,
  { dueInMs, ...values }: Partial<NewRow<'mails'>> & { dueInMs?: number },
): Promise<boolean> {
  const due = dueInMs === undefined ? {} : { due_ms: sql<number>`${dialect.nowMs} + ${sql.lit(dueInMs)}` };
  const settled = await db
    .updateTable('mails')
    .set({ ...values, ...due, lease: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

/** Makes queued mails that were tried and that no sender has claimed due now. */
export async function makeWaitingDue(db: Db): Promise<void> {
  await sql`UPDATE mails SET due_ms = 0 WHERE status = 'queued' AND lease IS NULL AND due_ms > 0 AND attempts > 0`.execute(db);
}

export async function hasUntold(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT id FROM mails WHERE untold = 1 LIMIT 1`.execute(db);
  return rows.length > 0;
}

export type Untold = { mails: number; given_up: number; last_error: string | null };

/** Counts the failures that the admins were not notified of, and marks them as notified. */
export async function takeUntold(db: Db): Promise<Untold> {
  const { rows } = await sql<Untold>`
    SELECT count(*) AS mails, count(*) FILTER (WHERE status = 'failed') AS given_up,
      (SELECT last_error FROM mails WHERE untold = 1 ORDER BY id DESC LIMIT 1) AS last_error
    FROM mails WHERE untold = 1`.execute(db);
  await sql`UPDATE mails SET untold = 0 WHERE untold = 1`.execute(db);
  return rows[0] ?? { mails: 0, given_up: 0, last_error: null };
}

type Filter = { status?: Mail['status'] | undefined };

export function mails(at: At, { status }: Filter): List<Mail> {
  const all = at.db.selectFrom('mails');
  return listOf(status === undefined ? all : all.where('status', '=', status), (ids) => selectMails(at, ids));
}

/** The order of the rows is not defined. */
export async function selectMails({ db, dialect }: At, ids: readonly number[]): Promise<Mail[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('mails')
    .select([
      'id',
      'template',
      'to_name',
      'to_address',
      'subject',
      'status',
      'attempts',
      'last_error',
      'task_id',
      'run_id',
      'created_at',
      'ended_at',
    ])
    .select(sql<number>`due_ms - ${dialect.nowMs}`.as('due_in_ms'))
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ due_in_ms, ...row }) => ({
    ...row,
    due_in_seconds: row.status === 'queued' ? Math.max(0, Math.ceil(due_in_ms / 1000)) : null,
  }));
}

/** How it stands with the latest mail of this kind about a record, by the index mails_by_resource. */
export async function selectStatusAbout(
  db: Db,
  { template, type, id }: { template: string; type: string; id: number },
): Promise<Mail['status'] | null> {
  const mail = await db
    .selectFrom('mails')
    .select('status')
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
    .where('template', '=', template)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return mail?.status ?? null;
}

/** Whether the mail exists; a mail has no row version. */
export async function hasMail(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('mails').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export function lockMail({ db, dialect }: At, id: number) {
  return db.selectFrom('mails').select(['id', 'status', 'lease']).where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
}

export async function requeue(db: Db, id: number): Promise<void> {
  await db.updateTable('mails').set({ status: 'queued', attempts: 0, due_ms: 0, untold: 0, ended_at: null }).where('id', '=', id).execute();
}

export async function deleteAbout({ db, dialect }: At, traces: Traces): Promise<void> {
  await sql`DELETE FROM mails WHERE id IN ${rowsAbout(dialect, 'mails', traces)}`.execute(db);
}

export const deleteEnded = deleteOldest('mails', 'ended_at');
