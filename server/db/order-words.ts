import { type RawBuilder, sql } from 'kysely';
import type { Sought, Word } from '../values/words.ts';
import type { Dialect } from './dialect.ts';
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
    ...(id === null ? [] : [sql`SELECT id FROM orders WHERE id = ${id}`]),
    ...(prefix === null ? [] : [idsByPublicId(prefix)]),
    ...(digits === null ? [] : [phoneIds(dialect, digits)]),
  ]);
}

function textsHave(dialect: Dialect, text: string): RawBuilder<boolean> {
  return dialect.orderBuyers ? dialect.orderBuyers.have([text], 'few') : buyerHas(dialect, text);
}

/** Whether the name or the email of an order has the text; each order is looked at. */
export function buyerHas(dialect: Dialect, text: string): RawBuilder<boolean> {
  return sql`(${dialect.contains(sql.ref('customer_name_folded'), text)} OR ${dialect.contains(sql.ref('customer_email_folded'), text)})`;
}

function phoneIds(dialect: Dialect, digits: string): RawBuilder<unknown> {
  return sql`SELECT id FROM orders WHERE ${dialect.hasPhone('orders', digits)}`;
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
