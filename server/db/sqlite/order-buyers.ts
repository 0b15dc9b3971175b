import { type Kysely, type RawBuilder, sql } from 'kysely';
import { soughtForms } from '../../values/texts.ts';
import type { Database } from '../tables.ts';

/** The distinct buyers of whom each text is in the name or the email, as far as they were counted. */
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
  look(db: Kysely<Database>, texts: readonly string[]): Promise<BuyersSeen>;
  /** Counts by reading every buyer. */
  count(db: Kysely<Database>, texts: readonly string[]): Promise<{ orders: number; tests: number }>;
  /** Selects the ids of the orders whose buyer has the text; reading may stop early. */
  orderIds(text: string): RawBuilder<unknown>;
  /** A condition on orders: their buyer matches the texts. */
  have(texts: readonly string[], which: Which): RawBuilder<boolean>;
};

/** `few` finds buyers by trigrams, `many` by reading all of them. */
export type Which = 'few' | 'many';

const FEW = 5000;

export const orderBuyers: OrderBuyers = {
  look: async (db, texts) => {
    const { rows } = await sql<Omit<BuyersSeen, 'all'>>`
      SELECT count(*) AS buyers, coalesce(sum(orders), 0) AS orders, coalesce(sum(tests), 0) AS tests
      FROM (SELECT b.orders, b.tests FROM ${matching(texts, 'few')} LIMIT ${FEW + 1})`.execute(db);
    const [row] = rows;
    if (!row) throw new Error('the count gave no row');
    return { ...row, all: row.buyers <= FEW };
  },
  count: async (db, texts) => {
    const { rows } = await sql<{ orders: number; tests: number }>`
      SELECT coalesce(sum(b.orders), 0) AS orders, coalesce(sum(b.tests), 0) AS tests FROM ${matching(texts, 'many')}`.execute(db);
    return rows[0] ?? { orders: 0, tests: 0 };
  },
  // SQLite joins in the order of a CROSS JOIN, so that no buyer is read whose orders are not.
  orderIds: (text) => sql`SELECT o.id FROM (SELECT b.email_folded, b.name_folded FROM ${matching([text], 'few')}) AS found
    CROSS JOIN orders AS o INDEXED BY orders_by_buyer
    WHERE o.customer_email_folded = found.email_folded AND o.customer_name_folded = found.name_folded`,
  have: (texts, which) => sql<boolean>`(customer_email_folded, customer_name_folded) IN
    (SELECT b.email_folded, b.name_folded FROM ${matching(texts, which)})`,
};

/** The part of a query after FROM; trigrams find candidates, and the texts themselves are then compared. */
function matching(texts: readonly string[], which: Which): RawBuilder<unknown> {
  const all = texts.map(soughtForms);
  const contained = all.map((forms) => {
    const places = forms.flatMap((form) => [sql`instr(b.name_folded, ${form}) > 0`, sql`instr(b.email_folded, ${form}) > 0`]);
    return sql`(${sql.join(places, sql` OR `)})`;
  });
  const contains = sql.join(contained, sql` AND `);
  const match = which === 'few' ? trigramMatch(all) : '';
  if (match === '') return sql`order_buyers b WHERE ${contains}`;
  return sql`order_buyers_trigrams t CROSS JOIN order_buyers b ON b.id = t.rowid WHERE t.order_buyers_trigrams MATCH ${match} AND ${contains}`;
}

/** What the index is asked: for each text one of its forms. A text that is too short for trigrams is left out. */
function trigramMatch(texts: readonly (readonly string[])[]): string {
  const asked = texts.flatMap((forms) => {
    const trigrams = forms.map(trigramsOf);
    if (trigrams.some((some) => some.length === 0)) return [];
    const quoted = trigrams.map((some) => some.map((one) => `"${one.replaceAll('"', '""')}"`).join(' AND '));
    return [`(${quoted.map((all) => `(${all})`).join(' OR ')})`];
  });
  return asked.join(' AND ');
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
