import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './tables.ts';

/** The distinct buyers whose name or email contains a text, as far as they were looked at. */
export type BuyersSeen = {
  /** Whether these are all of them. */
  all: boolean;
  buyers: number;
  /** Their orders; `tests` are not among them. */
  orders: number;
  tests: number;
};

/**
 * SQLite's search: orders name few buyers again and again, so that a search reads each buyer once, and its index of
 * trigrams is written to with a buyer's first order alone.
 */
export type OrderBuyers = {
  /** Stops at a bound: a rare text is answered in full, a common one is known to be common. */
  look(db: Kysely<Database>, text: string): Promise<BuyersSeen>;
  /** Reads every buyer. */
  count(db: Kysely<Database>, text: string): Promise<{ orders: number; tests: number }>;
  /** Condition on orders: their buyers are found. */
  have(text: string, which: Which): RawBuilder<boolean>;
};

/** By trigrams, or by reading all buyers. */
export type Which = 'few' | 'many';

const FEW = 5000;

export const orderBuyers: OrderBuyers = {
  look: async (db, text) => {
    const { rows } = await sql<Omit<BuyersSeen, 'all'>>`
      SELECT count(*) AS buyers, coalesce(sum(orders), 0) AS orders, coalesce(sum(tests), 0) AS tests
      FROM (SELECT b.orders, b.tests FROM ${matching(text, 'few')} LIMIT ${FEW + 1})`.execute(db);
    const [row] = rows;
    if (!row) throw new Error('a count without a row');
    return { ...row, all: row.buyers <= FEW };
  },
  count: async (db, text) => {
    const { rows } = await sql<{ orders: number; tests: number }>`
      SELECT coalesce(sum(b.orders), 0) AS orders, coalesce(sum(b.tests), 0) AS tests FROM ${matching(text, 'many')}`.execute(db);
    return rows[0] ?? { orders: 0, tests: 0 };
  },
  have: (text, which) => sql<boolean>`(customer_email_folded, customer_name_folded) IN
    (SELECT b.email_folded, b.name_folded FROM ${matching(text, which)})`,
};

/** What follows FROM; trigrams name candidates, the text itself decides. */
function matching(text: string, which: Which): RawBuilder<unknown> {
  const contains = sql`(instr(b.name_folded, ${text}) > 0 OR instr(b.email_folded, ${text}) > 0)`;
  const words = which === 'few' ? trigramsOf(text) : [];
  if (words.length === 0) return sql`order_buyers b WHERE ${contains}`;
  const all = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
  return sql`order_buyers_trigrams t CROSS JOIN order_buyers b ON b.id = t.rowid WHERE t.order_buyers_trigrams MATCH ${all} AND ${contains}`;
}

const MAX_TRIGRAMS = 8;

/** Side by side, and the last three letters; more of them would not narrow much. None for less than three letters. */
export function trigramsOf(text: string): string[] {
  const letters = [...text];
  const starts = Array.from({ length: Math.ceil(letters.length / 3) }, (_, i) => Math.min(i * 3, letters.length - 3));
  if (letters.length < 3) return [];
  return [...new Set(starts.slice(0, MAX_TRIGRAMS).map((start) => letters.slice(start, start + 3).join('')))];
}
