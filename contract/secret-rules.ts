/** How scripts name secrets and variables, for the server and the guest code. This file imports nothing, so that the guest code can use it. */

/** The name of a secret or of a variable. */
export const SECRET_NAME = /^[a-z][a-z0-9_]{0,63}$/;
export const SECRET_NAME_RULE = 'must begin with a lower-case letter, followed by lower-case letters, digits and _; at most 64 characters';

/** Digits stay as they are in upper case, in JSON and in URLs. */
export const MARK_DIGITS = 39;

/**
 * What a script writes in place of a secret. `mark` is drawn for its lineage and never leaves it, so no text from outside can hold a
 * placeholder.
 */
export function placeholderOf(name: string, mark: string): string {
  return `{{secret:${name}:${mark}}}`;
}

/** A secret's place in a text that is shown. */
export function shownSecret(name: string): string {
  return `{{secret:${name}}}`;
}

/** So many digits are enough to know a mark by, where a text was cut off within it. */
const HEAD_DIGITS = 12;

/** The text with each placeholder as it is shown, and with nothing of the mark. */
export function withoutMark(text: string, mark: string): string {
  const head = mark.slice(0, HEAD_DIGITS);
  if (!text.includes(head)) return text;
  return text.replaceAll(new RegExp(`(?::|%3[aA])?${head}\\d{0,${MARK_DIGITS - HEAD_DIGITS}}`, 'g'), '');
}

/** The same for a text of any lineage. */
export function withoutSecretMarks(text: string): string {
  return text.replaceAll(PLACEHOLDER, (_, start: string, end: string) => start + end);
}

const PLACEHOLDER = new RegExp(
  `((?:\\{\\{|%7[bB]%7[bB])secret(?::|%3[aA])[a-z][a-z0-9_]{0,63})(?::|%3[aA])\\d{${MARK_DIGITS}}(\\}\\}|%7[dD]%7[dD])`,
  'g',
);
