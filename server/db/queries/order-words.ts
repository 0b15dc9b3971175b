import { type RawBuilder, sql } from 'kysely';
import type { Sought, Word } from '../../values/words.ts';
import type { Dialect } from '../dialect.ts';
import { beginsPublicId } from './words.ts';

/** Where words are looked for: in the name, the email and the digits of the phone number of an order or of a buyer. */
export type Contacts = { texts: readonly RawBuilder<string>[]; phone: RawBuilder<string> };

export const ofOrders: Contacts = {
  texts: [sql.ref('customer_name_folded'), sql.ref('customer_email_folded')],
  phone: sql`coalesce(phone_digits, '')`,
};
export const ofBuyers: Contacts = { texts: [sql.ref('b.name_folded'), sql.ref('b.email_folded')], phone: sql.ref('b.phone_digits') };

/** Whether name, email and phone number have all that is sought; ids do not count. */
export function contactsHold(dialect: Dialect, of: Contacts, sought: readonly Sought[]): RawBuilder<boolean> {
  return allHold(dialect, of, sought, () => []);
}

/** The orders that have all words of `q` only because an id or a public id is one of them; null if no word can be one. */
export function idsByNumbers(dialect: Dialect, sought: readonly Sought[]): RawBuilder<unknown> | null {
  const numbered = sought.flatMap(({ words }) => words.flatMap(isNumbered));
  if (numbered.length === 0) return null;
  const ids = numbered.map((condition) => sql`SELECT id FROM orders WHERE ${condition}`);
  return sql`SELECT id FROM orders WHERE id IN (${sql.join(ids, sql` UNION `)})
    AND ${allHold(dialect, ofOrders, sought, isNumbered)} AND NOT ${contactsHold(dialect, ofOrders, sought)}`;
}

function isNumbered({ id, prefix }: Pick<Word, 'id' | 'prefix'>): RawBuilder<boolean>[] {
  return [...(id === null ? [] : [sql<boolean>`id = ${id}`]), ...(prefix === null ? [] : [beginsPublicId(prefix)])];
}

type Besides = (word: Word) => RawBuilder<boolean>[];

/** `besides`: what a word may be that is not in the contacts. */
function allHold(dialect: Dialect, of: Contacts, sought: readonly Sought[], besides: Besides): RawBuilder<boolean> {
  const each = sought.map(({ words, digits }) => {
    const all = and(words.map((word) => wordHolds(dialect, of, word, besides)));
    return words.length > 1 && digits !== null ? or([all, dialect.contains(of.phone, digits)]) : all;
  });
  return and(each);
}

function wordHolds(dialect: Dialect, of: Contacts, word: Word, besides: Besides): RawBuilder<boolean> {
  const phone = word.digits === null ? [] : [dialect.contains(of.phone, word.digits)];
  return or([...of.texts.map((text) => dialect.contains(text, word.text)), ...phone, ...besides(word)]);
}

function and(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}

function or(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}

/** The ids of the orders whose public id begins so. */
export function idsByPublicId(prefix: string): RawBuilder<unknown> {
  return sql`SELECT id FROM orders WHERE ${beginsPublicId(prefix)}`;
}
