import { type RawBuilder, sql } from 'kysely';
import type { Sought, Word } from '../../values/words.ts';
import type { Dialect } from '../dialect.ts';
import { idRows } from './about.ts';
import { beginsPublicId } from './words.ts';

/** The ids of the orders that have all words of `q`: each is looked for by the indexes of what it may be. */
export function orderIdsOf(dialect: Dialect, sought: readonly Sought[]): RawBuilder<unknown> {
  return common(sought.map((one) => groupIds(dialect, one)));
}

function groupIds(dialect: Dialect, { words, digits }: Sought): RawBuilder<unknown> {
  const each = common(words.map((word) => wordIds(dialect, word)));
  return words.length > 1 && digits !== null ? any([each, phoneIds(dialect, digits)]) : each;
}

function wordIds(dialect: Dialect, { text, id, prefix, digits }: Word): RawBuilder<unknown> {
  return any([
    sql`SELECT id FROM orders WHERE ${textsHave(dialect, text)}`,
    ...numbersOf({ id, prefix }),
    ...(digits === null ? [] : [phoneIds(dialect, digits)]),
  ]);
}

/** At most `most` ids of each kind of match of one word, some of them perhaps twice. `whole`: the digits of a number that it is a part of. */
export function matchesOf(dialect: Dialect, { text, id, prefix, digits }: Word, whole: string | null, most: number): RawBuilder<unknown> {
  const phone = digits ?? whole;
  const parts = [
    dialect.orderBuyers ? dialect.orderBuyers.orderIds(text) : sql`SELECT id FROM orders WHERE ${buyerHas(dialect, text)}`,
    ...numbersOf({ id, prefix }),
    ...(phone === null ? [] : [phoneIds(dialect, phone)]),
  ];
  const limited = parts.map((part) => sql`SELECT id FROM (${part} LIMIT ${most}) AS part`);
  return sql.join(limited, sql` UNION ALL `);
}

/** The ids of the orders whose number each of the words may be. */
export function numberedIds(words: readonly Word[]): RawBuilder<unknown> {
  return any(words.flatMap(numbersOf));
}

function numbersOf({ id, prefix }: Pick<Word, 'id' | 'prefix'>): RawBuilder<unknown>[] {
  return [...(id === null ? [] : [sql`SELECT id FROM orders WHERE id = ${id}`]), ...(prefix === null ? [] : [idsByPublicId(prefix)])];
}

/** Those of these orders that have all words of `q`. */
export function havingAll(dialect: Dialect, ids: readonly number[], sought: readonly Sought[]): RawBuilder<unknown> {
  const each = sought.map((one) => groupHolds(dialect, one));
  return sql`SELECT id FROM orders WHERE id IN ${idRows(dialect, ids)} AND ${sql.join(each, sql` AND `)}`;
}

function groupHolds(dialect: Dialect, { words, digits }: Sought): RawBuilder<unknown> {
  const each = sql.join(
    words.map((word) => wordHolds(dialect, word)),
    sql` AND `,
  );
  return words.length > 1 && digits !== null ? sql`((${each}) OR ${phoneHas(dialect, digits)})` : sql`(${each})`;
}

function wordHolds(dialect: Dialect, { text, id, prefix, digits }: Word): RawBuilder<unknown> {
  const places = [
    buyerHas(dialect, text),
    ...(id === null ? [] : [sql`id = ${id}`]),
    ...(prefix === null ? [] : [beginsPublicId(prefix)]),
    ...(digits === null ? [] : [phoneHas(dialect, digits)]),
  ];
  return sql`(${sql.join(places, sql` OR `)})`;
}

function phoneHas(dialect: Dialect, digits: string): RawBuilder<boolean> {
  return dialect.contains(sql.ref<string>('phone_digits'), digits);
}

function textsHave(dialect: Dialect, text: string): RawBuilder<boolean> {
  return dialect.orderBuyers ? dialect.orderBuyers.have([text], 'few') : buyerHas(dialect, text);
}

/** Whether the name or the email of an order has the text; each order is looked at. */
export function buyerHas(dialect: Dialect, text: string): RawBuilder<boolean> {
  return sql`(${dialect.contains(sql.ref('customer_name_folded'), text)} OR ${dialect.contains(sql.ref('customer_email_folded'), text)})`;
}

function phoneIds(dialect: Dialect, digits: string): RawBuilder<unknown> {
  return sql`SELECT id FROM orders ${dialect.indexedBy('orders_by_phone')}
    WHERE phone_digits IS NOT NULL AND ${phoneHas(dialect, digits)}`;
}

/** The ids of the orders whose public id begins so. */
export function idsByPublicId(prefix: string): RawBuilder<unknown> {
  return sql`SELECT id FROM orders WHERE ${beginsPublicId(prefix)}`;
}

function any(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`SELECT id FROM (${sql.join(parts, sql` UNION `)}) AS any_of`;
}

function common(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`SELECT id FROM (${sql.join(parts, sql` INTERSECT `)}) AS all_of`;
}
