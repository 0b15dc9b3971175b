import type { At } from '../../db/open.ts';
import { type Sought, soughtIn, type Word } from '../../values/words.ts';
import type { OrderFilter } from './rules.ts';
import * as store from './store.ts';

/** So many orders are looked at one by one within some milliseconds. */
const FEW = 5000;

type Asked = Pick<OrderFilter, 'words' | 'sought' | 'among' | 'besides'>;
const nothing: Asked = { words: [], sought: null, among: null, besides: [] };

/**
 * How the orders with all words of `q` are found. Words that can be no number are looked for as a search is. Otherwise, if one word finds few
 * orders, the other words are looked for in those alone. If each finds many but none may be a phone number, they are looked for as a search
 * is, and besides that in the orders whose number one of them is.
 */
export async function askedBy(at: At, q: string, few = FEW): Promise<Asked> {
  const sought = soughtIn(q);
  const words = sought.flatMap((one) => one.words);
  if (words.length === 0) return nothing;
  const texts = words.map(({ text }) => text);
  if (!(await mayBeNumbers(at, words))) return { ...nothing, words: texts };
  const among = await fewOf(at, sought, few);
  if (among !== null) return { ...nothing, among: { ids: await store.selectHaving(at, among, sought) } };
  if (sought.some(({ digits }) => digits !== null) || words.some(({ digits }) => digits !== null)) return { ...nothing, sought };
  const having = await store.selectHaving(at, await store.selectNumbered(at, words), sought);
  const asText = await store.selectHaving(at, having, sought.map(inTexts));
  return { ...nothing, words: texts, besides: having.filter((id) => !asText.includes(id)) };
}

async function mayBeNumbers(at: At, words: readonly Word[]): Promise<boolean> {
  for (const { digits, id, prefix } of words) {
    if (digits !== null || id !== null || (prefix !== null && (await store.isOfOrder(at.db, prefix)))) return true;
  }
  return false;
}

/** The orders that one word finds, if one finds few: long words are tried first, because they find fewer. */
async function fewOf(at: At, sought: readonly Sought[], few: number): Promise<number[] | null> {
  const asked = sought.flatMap(({ words, digits }) => words.map((word) => ({ word, whole: words.length > 1 ? digits : null })));
  for (const { word, whole } of asked.sort((a, b) => b.word.text.length - a.word.text.length)) {
    const ids = new Set(await store.selectMatches(at, word, whole, few + 1));
    if (ids.size <= few) return [...ids];
  }
  return null;
}

function inTexts({ words }: Sought): Sought {
  return { words: words.map(({ text }) => ({ text, id: null, prefix: null, digits: null })), digits: null };
}
