import { type RawBuilder, sql } from 'kysely';
import type { Word } from '../../values/words.ts';
import type { Dialect } from '../dialect.ts';

/** Whether the column `search_folded` has the word, or the word is the record's id. */
export function isInSearchText(dialect: Dialect, { text, id }: Word): RawBuilder<boolean> {
  const isId = id === null ? sql`` : sql`OR ${dialect.withoutIndex(sql.ref('id'))} = ${id}`;
  return sql<boolean>`(${dialect.contains(sql.ref<string>('search_folded'), text)} ${isId})`;
}

/** Whether the public id begins so. Public ids are stored in capitals; nothing sorts after the last character of Unicode. */
export function beginsPublicId(prefix: string): RawBuilder<boolean> {
  return sql<boolean>`(public_id >= ${prefix} AND public_id < ${`${prefix}\u{10ffff}`})`;
}
