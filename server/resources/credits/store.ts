import { sql } from 'kysely';
import { type CreditBucket, CreditTransaction } from '../../../contract/customer-credits.ts';
import type { Db } from '../../db/open.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import type { NewRow } from '../../db/tables.ts';

/** The customer's buckets that hold credits and have not expired, in the order in which they are spent (spec CR2). */
export function selectLiveBuckets(db: Db, customerId: number, now: string): Promise<CreditBucket[]> {
  return db
    .selectFrom('credit_buckets')
    .select(['id', 'remaining_credits', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('remaining_credits', '>', 0)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy(sql`expires_at IS NULL`)
    .orderBy('expires_at')
    .orderBy('id')
    .execute();
}

export async function insertBucket(db: Db, bucket: NewRow<'credit_buckets'>): Promise<number> {
  const { id } = await db.insertInto('credit_buckets').values(bucket).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** SQLite and PostgreSQL limit the number of values in one statement. */
const ROWS_A_STATEMENT = 1000;

/** Inserts transactions; their ids are in the given order. */
export async function insertTransactions(db: Db, transactions: readonly NewRow<'credit_transactions'>[]): Promise<void> {
  for (let from = 0; from < transactions.length; from += ROWS_A_STATEMENT) {
    await db
      .insertInto('credit_transactions')
      .values(transactions.slice(from, from + ROWS_A_STATEMENT))
      .execute();
  }
}

export async function updateRemaining(db: Db, bucketId: number, remaining: number): Promise<void> {
  await db.updateTable('credit_buckets').set({ remaining_credits: remaining }).where('id', '=', bucketId).execute();
}

export async function emptyBuckets(db: Db, bucketIds: readonly number[]): Promise<void> {
  await db.updateTable('credit_buckets').set({ remaining_credits: 0 }).where('id', 'in', bucketIds).execute();
}

/** Customers with expired credits that are not yet in the ledger, earliest expiry first. */
export async function selectExpiring(db: Db, now: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ customer_id: number }>`
    SELECT customer_id FROM credit_buckets
    WHERE remaining_credits > 0 AND expires_at IS NOT NULL AND expires_at <= ${now}
    ORDER BY expires_at, customer_id LIMIT ${limit}`.execute(db);
  return [...new Set(rows.map(({ customer_id }) => customer_id))];
}

/** Writes expired credits that are not yet in the ledger to it, soonest expiry first. Returns how many credits they are. */
export async function insertExpiries(db: Db, customerId: number, now: string): Promise<number> {
  const rows = await db
    .insertInto('credit_transactions')
    .columns(['customer_id', 'kind', 'delta_credits', 'credit_id', 'created_at', 'created_by'])
    .expression((eb) =>
      eb
        .selectFrom('credit_buckets')
        .select([
          'customer_id',
          sql<string>`'expire'`.as('kind'),
          sql<number>`-remaining_credits`.as('delta_credits'),
          'id',
          sql<string>`CAST(${now} AS text)`.as('created_at'),
          sql<string>`'system'`.as('created_by'),
        ])
        .where('customer_id', '=', customerId)
        .where('remaining_credits', '>', 0)
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .orderBy('id'),
    )
    .returning('delta_credits')
    .execute();
  return rows.reduce((sum, { delta_credits }) => sum - delta_credits, 0);
}

export async function emptyExpiredBuckets(db: Db, customerId: number, now: string): Promise<void> {
  await db
    .updateTable('credit_buckets')
    .set({ remaining_credits: 0 })
    .where('customer_id', '=', customerId)
    .where('remaining_credits', '>', 0)
    .where('expires_at', '<=', now)
    .execute();
}

export async function selectTransactions(
  db: Db,
  customerId: number,
  page: { beforeId: number | undefined; limit: number },
): Promise<CreditTransaction[]> {
  const ledger = db
    .selectFrom('credit_transactions')
    .select(['id', 'kind', 'delta_credits', 'credit_id', 'reference', 'note', 'created_at', 'created_by'])
    .where('customer_id', '=', customerId);
  const asked = page.beforeId === undefined ? ledger : ledger.where('id', '<', page.beforeId);
  const rows = await asked.orderBy('id', 'desc').limit(page.limit).execute();
  return rows.map((row) => ({ ...row, kind: CreditTransaction.shape.kind.parse(row.kind) }));
}

export async function clearNotes(db: Db, customerId: number): Promise<void> {
  await sql`UPDATE credit_transactions SET ${blanked('credit_transactions')} WHERE customer_id = ${customerId}`.execute(db);
}

/** The ledger is deleted first, because its rows refer to the buckets. */
export async function deleteCredits(db: Db, customerId: number): Promise<void> {
  await db.deleteFrom('credit_transactions').where('customer_id', '=', customerId).execute();
  await db.deleteFrom('credit_buckets').where('customer_id', '=', customerId).execute();
}
