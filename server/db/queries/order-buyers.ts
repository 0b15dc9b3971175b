import { type RawBuilder, sql } from 'kysely';
import type { Sought } from '../../values/words.ts';
import type { Dialect } from '../dialect.ts';
import type { At } from '../open.ts';
import { contactsHold, ofBuyers } from './order-words.ts';

/**
 * How orders are searched: orders have few distinct buyers (name, email and phone number), so a search reads each buyer once. Triggers keep
 * the buyers with the numbers of their orders (migration 0088).
 */

/** The buyers that have all that is sought, as far as they were counted. */
export type BuyersSeen = {
  /** Whether all matching buyers were counted. */
  all: boolean;
  buyers: number;
  /** Number of their orders, without test orders; `tests` counts those. */
  orders: number;
  tests: number;
};

/** `few` finds buyers by trigrams, `many` by reading all of them. */
export type Which = 'few' | 'many';

const FEW = 5000;

/** Counts matching buyers up to a bound: a rare text is counted in full, a common text is known to be common. */
export async function lookForBuyers({ db, dialect }: At, sought: readonly Sought[]): Promise<BuyersSeen> {
  const { rows } = await sql<Omit<BuyersSeen, 'all'>>`
    SELECT CAST(count(*) AS bigint) AS buyers, ${sums}
    FROM (SELECT b.orders, b.tests FROM ${matching(dialect, sought, 'few')} LIMIT ${FEW + 1}) AS b`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the count gave no row');
  return { ...row, all: row.buyers <= FEW };
}

/** Counts the orders of all matching buyers. */
export async function countOfBuyers({ db, dialect }: At, sought: readonly Sought[]): Promise<{ orders: number; tests: number }> {
  const { rows } = await sql<{ orders: number; tests: number }>`SELECT ${sums} FROM ${matching(dialect, sought, 'many')}`.execute(db);
  return rows[0] ?? { orders: 0, tests: 0 };
}

const sums = sql`CAST(coalesce(sum(b.orders), 0) AS bigint) AS orders, CAST(coalesce(sum(b.tests), 0) AS bigint) AS tests`;

/** A condition on orders: their buyer has all that is sought. */
export function hasBuyer(dialect: Dialect, sought: readonly Sought[], which: Which): RawBuilder<boolean> {
  return sql<boolean>`(customer_email_folded, customer_name_folded, coalesce(phone_digits, '')) IN
    (SELECT b.email_folded, b.name_folded, b.phone_digits FROM ${matching(dialect, sought, which)})`;
}

/** The part of a query after FROM; trigrams find candidates, and the texts themselves are then compared. */
function matching(dialect: Dialect, sought: readonly Sought[], which: Which): RawBuilder<unknown> {
  const from = which === 'few' ? dialect.buyersWithTrigrams(sought) : sql`order_buyers AS b WHERE true`;
  return sql`${from} AND ${contactsHold(dialect, ofBuyers, sought)}`;
}
