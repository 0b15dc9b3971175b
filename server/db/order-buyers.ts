import { type Kysely, type RawBuilder, sql } from 'kysely';
import { soughtForms } from '../values/texts.ts';
import type { Database } from './tables.ts';

/** The distinct buyers whose name or email contains a text, as far as they were counted. */
export type BuyersSeen = {
  /** Whether all matching buyers were counted. */
  all: boolean;
  buyers: number;
  /** Number of their orders, without test orders; `tests` counts those. */
  orders: number;
  tests: number;
};

/**
 * How SQLite searches orders by text. Orders have few distinct buyers, so a search reads each buyer once, and the trigram index is written
 * only for a buyer's first order.
 */
export type OrderBuyers = {
  /** Counts matching buyers up to a bound: a rare text is counted in full, a common text is known to be common. */
  look(db: Kysely<Database>, text: string): Promise<BuyersSeen>;
  /** Counts by reading every buyer. */
  count(db: Kysely<Database>, text: string): Promise<{ orders: number; tests: number }>;
  /** A condition on orders: their buyer matches the text. */
  have(text: string, which: Which): RawBuilder<boolean>;
};

/** `few` finds buyers by trigrams, `many` by reading all of them. */
export type Which = 'few' | 'many';

const FEW = 5000;

export const orderBuyers: OrderBuyers = {
  look: async (db, text) => {
    const { rows } = await sql<Omit<BuyersSeen, 'all'>>`
      SELECT count(*) AS buyers, coalesce(sum(orders), 0) AS orders, coalesce(sum(tests), 0) AS tests
      FROM (SELECT b.orders, b.tests FROM ${matching(text, 'few')} LIMIT ${FEW + 1})`.execute(db);
    const [row] = rows;
    if (!row) throw new Error('the count gave no row');
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

/** The part of a query after FROM; trigrams find candidates, and the text itself is then compared. */
function matching(text: string, which: Which): RawBuilder<unknown> {
  const forms = soughtForms(text);
  const places = forms.flatMap((form) => [sql`instr(b.name_folded, ${form}) > 0`, sql`instr(b.email_folded, ${form}) > 0`]);
  const contains = sql`(${sql.join(places, sql` OR `)})`;
  const words = which === 'few' ? forms.map(trigramsOf) : [];
  if (words.length === 0 || words.some((trigrams) => trigrams.length === 0)) return sql`order_buyers b WHERE ${contains}`;
  const quoted = words.map((trigrams) => trigrams.map((one) => `"${one.replaceAll('"', '""')}"`).join(' AND '));
  const any = quoted.map((all) => `(${all})`).join(' OR ');
  return sql`order_buyers_trigrams t CROSS JOIN order_buyers b ON b.id = t.rowid WHERE t.order_buyers_trigrams MATCH ${any} AND ${contains}`;
}

const MAX_TRIGRAMS = 8;

/**
 * Trigrams of a text: adjacent ones and the last three letters; more of them would hardly narrow the result. None for a text shorter than
 * three letters.
 */
export function trigramsOf(text: string): string[] {
  const letters = [...text];
  const starts = Array.from({ length: Math.ceil(letters.length / 3) }, (_, i) => Math.min(i * 3, letters.length - 3));
  if (letters.length < 3) return [];
  return [...new Set(starts.slice(0, MAX_TRIGRAMS).map((start) => letters.slice(start, start + 3).join('')))];
}
