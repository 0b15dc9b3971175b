import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { CustomerAddress, CustomerRow } from '../../../contract/customers.ts';
import { emailKey } from '../../../contract/emails.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { At, Db } from '../../db/open.ts';
import { type Changes, changesOf } from '../../db/queries/change-cursors.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { countRows, type Position, type Reading, selectKeys } from '../../db/queries/keyset.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import { statement } from '../../db/queries/statement.ts';
import type { Database, NewRow, Row } from '../../db/tables.ts';
import { foldEmail, ownEmailKey } from '../../values/stored-emails.ts';
import { digitsOf } from '../../values/texts.ts';
import type { Sought, Word } from '../../values/words.ts';

export type CustomerFilter = {
  searchFolded: string;
  sought: readonly Sought[];
  registered: boolean | undefined;
  createdFrom: string | null;
  createdBefore: string | null;
  updatedSince: string | undefined;
};

/** One page of keys. `total` is the number of customers that match the filter. */
export function selectCustomerKeys(at: At, filter: CustomerFilter, reading: Reading, total: number): Promise<Position[]> {
  const isRare = (filter.searchFolded !== '' || filter.sought.length > 0) && total <= RARE;
  if (!isRare) return selectKeys(matching(at, filter), reading);
  // The search reads all names and emails from one index; then the page is walked in the list's own order.
  const found = matching(at, filter).select('id');
  return selectKeys(at.db.selectFrom('customers').where(at.dialect.withoutIndex<number>(sql.ref('id')), 'in', found), reading);
}

/** The customers that match, in the order of change. No index serves the filters alone, so the planner takes that of the changes. */
export function customerChanges(at: At, filter: CustomerFilter): Changes<CustomerRow> {
  return changesOf(at, matching(at, filter), (ids) => selectCustomerRows(at.db, ids));
}

/** With more matches than this, a walk through the list in its order soon fills a page. */
const RARE = 2000;

export function countCustomers(at: At, filter: CustomerFilter): Promise<number> {
  return countRows(matching(at, filter));
}

/** The order of the rows is not defined. */
export async function selectCustomerRows(db: Db, ids: readonly number[]): Promise<CustomerRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'phone', 'registered', 'created_at', 'updated_at'])
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...row, registered: row.registered === 1 }));
}

export async function selectCustomer(db: Db, id: number) {
  const row = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'phone', 'registered', 'created_at', 'register_ip', 'last_login_ip', 'is_b2b', 'discount_group_id'])
    .select(['marketing_opt_out', 'anonymised_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  return { ...row, registered: row.registered === 1, is_b2b: row.is_b2b === 1, marketing_opt_out: row.marketing_opt_out === 1 };
}

export async function selectAddresses(db: Db, customerId: number): Promise<CustomerAddress[]> {
  const rows = await addressesOf(db, { customerId });
  return rows.map(({ customer_id: _, ...row }) => ({ ...row, is_default: row.is_default === 1 }));
}

const addressesOf = statement<{ customerId: number }, Row<'addresses'>>(
  (value) => sql`SELECT * FROM addresses WHERE customer_id = ${value('customerId')} ORDER BY is_default DESC, id`,
);

type Figures = { order_count: number; total_spent: number; credits: number };

/**
 * Counts orders that are not tests. Spent is the sum of those that are paid and not cancelled; the index on the customer serves both. Credits
 * are the customer's balance: the sum of the buckets that have not expired.
 */
export async function selectFigures(db: Db, customerId: number, now: string): Promise<Figures> {
  const [figures] = await figuresOf(db, { customerId, now });
  return figures ?? { order_count: 0, total_spent: 0, credits: 0 };
}

export const counted = sql`is_test = 0`;
export const spent = sql`is_test = 0 AND payment_status = 'paid' AND status <> 'cancelled'`;
const figuresOf = statement<{ customerId: number; now: string }, Figures>(
  (value) => sql`
    SELECT count(CASE WHEN ${counted} THEN 1 END) AS order_count,
      CAST(coalesce(sum(CASE WHEN ${spent} THEN total END), 0) AS bigint) AS total_spent,
      (SELECT CAST(coalesce(sum(remaining_credits), 0) AS bigint) FROM credit_buckets
        WHERE customer_id = ${value('customerId')} AND (expires_at IS NULL OR expires_at > ${value('now')})) AS credits
    FROM orders WHERE customer_id = ${value('customerId')}`,
);

/** The expression of the unique index on emails; null without an email. */
const KEY = sql<string>`coalesce(email_key, nullif(email_folded, ''))`;

export type KnownCustomer = { id: number; name: string; email: string; registered: boolean };

export async function selectByEmail(db: Db, email: string): Promise<KnownCustomer | undefined> {
  const row = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'registered'])
    .where(KEY, '=', emailKey(email))
    .executeTakeFirst();
  return row && { ...row, registered: row.registered === 1 };
}

/**
 * Locks the customer, so that they are not deleted or anonymised before this transaction ends; otherwise the new order would
 * keep their name.
 */
export async function holdByEmail({ db, dialect }: At, email: string): Promise<KnownCustomer | undefined> {
  const row = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'registered'])
    .where(KEY, '=', emailKey(email))
    .modifyEnd(dialect.forShare)
    .executeTakeFirst();
  return row && { ...row, registered: row.registered === 1 };
}

/** Someone to write to. */
export type Correspondent = { id: number; name: string; email: string; marketing_opt_out: number };

/** Finds customers by their emails, and locks them as `holdByEmail` does. */
export function holdByEmails({ db, dialect }: At, emails: readonly string[]): Promise<Correspondent[]> {
  return db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'marketing_opt_out'])
    .where(KEY, 'in', emails.map(emailKey))
    .orderBy('id')
    .modifyEnd(dialect.forShare)
    .execute();
}

/** Returns undefined if the email is taken. */
export async function insertCustomer(db: Db, customer: NewRow<'customers'>): Promise<KnownCustomer | undefined> {
  const row = await db
    .insertInto('customers')
    .values(customer)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name', 'email', 'registered'])
    .executeTakeFirst();
  return row && { ...row, registered: row.registered === 1 };
}

/** Returns false if the customer is registered already. */
export async function markRegistered(db: Db, id: number, now: string): Promise<boolean> {
  const row = await db
    .updateTable('customers')
    .set({ registered: 1, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('id', '=', id)
    .where('registered', '=', 0)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

type Business = { is_b2b: boolean; discount_group_id: number | null };

/** Reads the B2B fields and locks the customer. */
export async function lockB2b({ db, dialect }: At, id: number): Promise<Business | null> {
  const row = await db
    .selectFrom('customers')
    .select(['is_b2b', 'discount_group_id'])
    .where('id', '=', id)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  return row ? { ...row, is_b2b: row.is_b2b === 1 } : null;
}

export async function updateB2b(db: Db, id: number, { is_b2b, discount_group_id }: Business, now: string): Promise<void> {
  await db
    .updateTable('customers')
    .set({ is_b2b: is_b2b ? 1 : 0, discount_group_id, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Locks the customer, so that the row stays until this transaction ends; returns false if there is no such customer. */
export async function holdCustomer(db: Db, id: number): Promise<boolean> {
  return (await selectHeld(db, { id })).length > 0;
}

const selectHeld = statement<{ id: number }>((value, { forShare }) => sql`SELECT id FROM customers WHERE id = ${value('id')} ${forShare}`);

/** Locks the customer for a change and leaves the version as it is; returns false if there is no such customer. */
export async function lockCustomer(db: Db, id: number): Promise<boolean> {
  return (await selectLocked(db, { id })).length > 0;
}

const selectLocked = statement<{ id: number }>(
  (value, { forUpdate }) => sql`SELECT id FROM customers WHERE id = ${value('id')} ${forUpdate}`,
);

/** Changes columns of a locked customer. Its version was raised already, see `touchCustomer`. */
export async function updateCustomer(
  db: Db,
  before: { id: number; email: string },
  changes: Partial<CustomerRow & { marketing_opt_out: boolean }>,
): Promise<void> {
  const { email } = changes;
  const isMoving = email !== undefined && emailKey(email) !== emailKey(before.email);
  // An email that is only written in another way keeps its key.
  const keys = email === undefined ? {} : { email_folded: foldEmail(email), email_key: isMoving ? ownEmailKey(email) : KEY };
  const phone = changes.phone === undefined ? {} : { phone_digits: digitsOf(changes.phone) };
  await db
    .updateTable('customers')
    .set({ ...toColumns(changes, ['name']), ...keys, ...phone })
    .where('id', '=', before.id)
    .execute();
  if (isMoving) await passKeyOn(db, before.email);
}

/**
 * Customers from before emails were compared as they are now may have the same one: the oldest has its key, each other one has the key with
 * its own id behind it and gets the key when no older one is left.
 */
async function passKeyOn(db: Db, email: string): Promise<void> {
  const key = emailKey(email);
  if (key === '') return;
  await sql`UPDATE customers SET email_key = ${key} WHERE NOT EXISTS (SELECT 1 FROM customers WHERE ${KEY} = ${key}) AND id = (
    SELECT min(id) FROM customers WHERE ${KEY} > ${`${key} `} AND ${KEY} < ${`${key}!`})`.execute(db);
}

/** Locks the customer by raising the version; returns false if there is no such customer. */
export async function touchCustomer(db: Db, id: number, now: string): Promise<boolean> {
  return (await raiseVersion(db, { id, now })).length > 0;
}

const raiseVersion = statement<{ id: number; now: string }>(
  (value) => sql`UPDATE customers SET updated_at = ${value('now')}, row_version = row_version + 1 WHERE id = ${value('id')} RETURNING id`,
);

export async function blankCustomer(db: Db, { id, email }: { id: number; email: string }, now: string): Promise<void> {
  await sql`
    UPDATE customers SET ${blanked('customers')}, registered = 0, anonymised_at = coalesce(anonymised_at, CAST(${now} AS text))
    WHERE id = ${id}`.execute(db);
  await passKeyOn(db, email);
}

/** Deletes the customer; rows that belong to the customer alone go with it (cascading foreign keys). */
export async function deleteCustomer(db: Db, { id, email }: { id: number; email: string }): Promise<void> {
  await db.deleteFrom('customers').where('id', '=', id).execute();
  await passKeyOn(db, email);
}

function matching({ db, dialect }: At, filter: CustomerFilter): SelectQueryBuilder<Database, 'customers', object> {
  const { searchFolded, registered, createdFrom, createdBefore, updatedSince } = filter;
  let query = db.selectFrom('customers');
  if (registered !== undefined) query = query.where('registered', '=', registered ? 1 : 0);
  if (createdFrom !== null) query = query.where('created_at', '>=', createdFrom);
  if (createdBefore !== null) query = query.where('created_at', '<', createdBefore);
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
  for (const one of filter.sought) query = query.where(hasSought(dialect, one));
  if (searchFolded === '') return query;
  return query.where((eb) =>
    eb.or([dialect.contains(eb.ref('name_folded'), searchFolded), dialect.contains(eb.ref('email_folded'), searchFolded)]),
  );
}

function hasSought(dialect: Dialect, { words, digits }: Sought): RawBuilder<boolean> {
  const each = sql.join(
    words.map((word) => hasWord(dialect, word)),
    sql` AND `,
  );
  return words.length > 1 && digits !== null ? sql`((${each}) OR ${dialect.hasPhone('customers', digits)})` : sql`(${each})`;
}

function hasWord(dialect: Dialect, { text, id, digits }: Word): RawBuilder<boolean> {
  const places = [
    dialect.contains(sql.ref('name_folded'), text),
    dialect.contains(sql.ref('email_folded'), text),
    ...(id === null ? [] : [sql`${dialect.withoutIndex(sql.ref('id'))} = ${id}`]),
    ...(digits === null ? [] : [dialect.hasPhone('customers', digits)]),
  ];
  return sql`(${sql.join(places, sql` OR `)})`;
}
