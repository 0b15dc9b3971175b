import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { PASSING, WAITED_SINCE } from '../../db/queries/passing.ts';
import { insertInto, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { endOfClaim } from './run-store.ts';

/** The columns of a journal row that hold its answer. */
export type KeptAnswer = Pick<Row<'journal'>, 'status' | 'etag' | 'location' | 'answer' | 'answer_gzip' | 'at'>;
type Found = {
  /** What ended the claim; null: it is in force. */
  ended: string | null;
  epoch: number;
  /** Null if the journal has no answer for the call. */
  status: number | null;
  etag: string | null;
  location: string | null;
  answer: string | null;
  answer_gzip: Buffer | null;
  at: string;
  asked_by_claim_id: number;
};
type Place = { lineageId: string; epoch: number; key: string };
type Asked = { method: string; path: string };

/** Selects what ended the claim, the epoch that the lineage is in, and the stored answer of the call. */
export const selectCall = statement<Place & { passingKey: string; claimId: number }, Found>(
  (value, dialect) => sql`
    SELECT ${endOfClaim(dialect)} AS ended, l.epoch, j.status, j.etag, j.location, j.answer, j.answer_gzip, j.at, j.asked_by_claim_id
    FROM run_claims c
    JOIN lineages l ON l.id = ${value('lineageId')}
    LEFT JOIN journal j ON j.lineage_id = l.id AND j.epoch = ${value('epoch')} AND j.key IN (${value('key')}, ${value('passingKey')})
    WHERE c.id = ${value('claimId')}`,
);

type Passing = KeptAnswer & { key: string; claim_id: number; passing: number };

/**
 * The last refusal of the call that may be different a moment later, of an attempt that its script did not end. Its key begins with the call's.
 * Each lost attempt has left one at most.
 */
export async function selectPassing(db: Db, lineageId: string, { epoch, key }: Omit<Place, 'lineageId'>): Promise<Passing | undefined> {
  const { rows } = await sql<Passing>`
    SELECT key, claim_id, passing, status, etag, location, answer, answer_gzip, at FROM journal
    WHERE lineage_id = ${lineageId} AND epoch = ${epoch} AND key > ${`${key}/`} AND key < ${`${key}0`} AND passing IN (${PASSING}, ${WAITED_SINCE})`.execute(
    db,
  );
  return rows.sort((a, b) => b.claim_id - a.claim_id)[0];
}

export const insertCall = insertInto('journal');

export async function markAsked(db: Db, { lineageId, epoch, key }: Place, claimId: number): Promise<void> {
  await db
    .updateTable('journal')
    .set({ asked_by_claim_id: claimId })
    .where('lineage_id', '=', lineageId)
    .where('epoch', '=', epoch)
    .where('key', '=', key)
    .execute();
}

/** Selects a write with the same method and path that took effect for an earlier claim, or may have, and that this claim has not asked for. */
export async function selectUnasked(
  db: Db,
  { lineageId, claimId }: TaskActor,
  epoch: number,
  { method, path }: Asked,
): Promise<{ body: string | null } | undefined> {
  const { rows } = await sql<{ body: string | null }>`
    SELECT body FROM journal
    WHERE lineage_id = ${lineageId} AND epoch = ${epoch} AND is_write = 1
      AND method = ${method} AND path = ${path} AND abs(asked_by_claim_id) <> ${claimId}
      AND (status < 400 OR sent = 1)
    LIMIT 1`.execute(db);
  return rows[0];
}

/** Stores a part of the order in which the script of a claim got its answers, while the claim is in force and the lineage in that epoch. */
export const insertAnswerOrder = statement<Omit<Place, 'key'> & { claimId: number; upto: number; names: string }>(
  (value) => sql`
    INSERT INTO answer_orders (lineage_id, epoch, claim_id, upto, names)
    SELECT l.id, l.epoch, c.id, CAST(${value('upto')} AS bigint), CAST(${value('names')} AS text)
    FROM lineages l JOIN run_claims c ON c.id = ${value('claimId')} AND c.ended_at IS NULL WHERE l.id = ${value('lineageId')} AND l.epoch = ${value('epoch')} ON CONFLICT DO NOTHING`,
);

/** Adds to the size of the epoch's answers and returns the new size in bytes. */
export async function addBytes(db: Db, lineageId: string, bytes: number): Promise<number> {
  const { rows } = await sql<{ journal_bytes: number }>`
    UPDATE lineages SET journal_bytes = journal_bytes + ${bytes} WHERE id = ${lineageId} RETURNING journal_bytes`.execute(db);
  return rows[0]?.journal_bytes ?? 0;
}

/** A call that asks somebody outside and has begun; its journal row is written when it ends. */
export type Started = {
  scope: string;
  lineageId: string;
  claimId: number;
  epoch: number;
  request: Asked & { body: string | null; isWrite: boolean };
};

/** Assigns the started call to this claim; returns whether it had been started before. */
export async function takeStarted(db: Db, { scope, claimId }: Started): Promise<boolean> {
  const found = await db.updateTable('started_calls').set({ claim_id: claimId }).where('scope', '=', scope).executeTakeFirst();
  return found.numUpdatedRows > 0n;
}

export async function insertStarted(db: Db, { scope, lineageId, claimId, epoch, request }: Started, at: string): Promise<void> {
  const { method, path, body, isWrite } = request;
  const is_write = isWrite ? 1 : 0;
  const row = { scope, lineage_id: lineageId, epoch, claim_id: claimId, is_write, method, path, body: isWrite ? body : null, at };
  await db.insertInto('started_calls').values(row).execute();
}

/** Selects a write with the same method and path that an earlier claim began and this claim has not asked for. */
export async function selectOtherStarted(
  db: Db,
  { scope, lineageId, claimId, epoch, request }: Started,
): Promise<{ body: string | null } | undefined> {
  const { rows } = await sql<{ body: string | null }>`
    SELECT body FROM started_calls
    WHERE lineage_id = ${lineageId} AND epoch = ${epoch} AND is_write = 1
      AND method = ${request.method} AND path = ${request.path} AND claim_id <> ${claimId} AND scope <> ${scope}
    LIMIT 1`.execute(db);
  return rows[0];
}

export async function deleteStarted(db: Db, scope: string): Promise<void> {
  await db.deleteFrom('started_calls').where('scope', '=', scope).execute();
}
