import { fold } from '../../contract/values.ts';
import { digitsOf } from './texts.ts';

/** A word of `q` and what it may be besides a part of a name or an email. */
export type Word = {
  text: string;
  /** The id of a record. */
  id: number | null;
  /** The beginning of a public id. */
  prefix: string | null;
  /** Digits of a phone number. */
  digits: string | null;
};

/** One word, or a number that is written in several groups: then `digits` are all of its digits. */
export type Sought = { words: readonly Word[]; digits: string | null };

/** With fewer digits or characters, nearly every phone number or public id would match. */
const LEAST = 3;

const GROUP_OF_DIGITS = /^[+(]*\d[\d().+/-]*$/;
const PUBLIC_ID = /^[0-9A-HJKMNP-TV-Z]{3,12}$/i;

/** What `q` asks for: all of it must match. A number may stand behind `#`. */
export function soughtIn(q: string): Sought[] {
  const groups: string[][] = [];
  let isNumber = false;
  for (const text of q.split(/\s+/).map((word) => word.replace(/^#(?=.)/, ''))) {
    if (text === '') continue;
    const followsNumber = isNumber;
    isNumber = GROUP_OF_DIGITS.test(text);
    if (isNumber && followsNumber) groups.at(-1)?.push(text);
    else groups.push([text]);
  }
  return groups.map((texts) => ({ words: texts.map(wordOf), digits: phoneDigits(texts.join('')) }));
}

/** A text that must stand in a name or an email, whatever else it may be. */
export function asText(text: string): Sought {
  return { words: [{ text, id: null, prefix: null, digits: null }], digits: null };
}

/** The words of `q`, for records without a phone number. */
export function wordsIn(q: string | undefined): Word[] {
  return soughtIn(q ?? '').flatMap(({ words }) => words);
}

function wordOf(text: string): Word {
  const id = /^\d+$/.test(text) ? Number(text) : null;
  return {
    text: fold(text),
    id: Number.isSafeInteger(id) ? id : null,
    prefix: PUBLIC_ID.test(text) ? text.toUpperCase() : null,
    digits: phoneDigits(text),
  };
}

function phoneDigits(text: string): string | null {
  const digits = GROUP_OF_DIGITS.test(text) ? (digitsOf(text) ?? '') : '';
  return digits.length < LEAST ? null : digits;
}
