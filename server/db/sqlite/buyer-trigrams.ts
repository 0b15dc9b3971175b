import { type RawBuilder, sql } from 'kysely';
import { soughtForms } from '../../values/texts.ts';
import type { Sought, Word } from '../../values/words.ts';

/** The buyers that have the trigrams of all that is sought; all buyers if nothing of it is long enough for a trigram. */
export function buyersWithTrigrams(sought: readonly Sought[]): RawBuilder<unknown> {
  const match = allOf(sought.map(groupMatch));
  if (match === null) return sql`order_buyers AS b WHERE true`;
  return sql`order_buyers_trigrams AS t CROSS JOIN order_buyers AS b ON b.id = t.rowid WHERE t.order_buyers_trigrams MATCH ${match}`;
}

/** What the index is asked. null: it cannot narrow the search. */
type Match = string | null;

function groupMatch({ words, digits }: Sought): Match {
  const each = allOf(words.map(wordMatch));
  return words.length > 1 && digits !== null ? anyOf([each, textMatch(digits)]) : each;
}

function wordMatch({ text, digits }: Word): Match {
  const forms = soughtForms(text).map(textMatch);
  return anyOf(digits === null ? forms : [...forms, textMatch(digits)]);
}

function textMatch(text: string): Match {
  return allOf(trigramsOf(text).map((one) => `"${one.replaceAll('"', '""')}"`));
}

function allOf(parts: readonly Match[]): Match {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : `(${known.join(' AND ')})`;
}

function anyOf(parts: readonly Match[]): Match {
  return parts.includes(null) ? null : `(${parts.join(' OR ')})`;
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
