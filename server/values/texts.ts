import { withoutMarks } from '../../contract/texts.ts';
import { fold } from '../../contract/values.ts';

/** Sorts before every character of a text, so that the forms around it are compared one after the other. */
const BETWEEN = '\u0001';

/**
 * What a column `*_folded` holds: the text without marks, in which texts are searched, then the folded text, which alone decides whether two
 * texts are equal. In ASCII both are the same and stand there once.
 */
export function sortKey(text: string): string {
  const folded = fold(text);
  return /[^\0-\x7f]/.test(folded) ? withoutMarks(text) + BETWEEN + folded : folded;
}

/**
 * The forms of a text of which a column `*_folded` must contain one. The second finds rows from before searches left marks away
 * (`plain-texts.ts`); in a newer row it finds nothing that the first does not.
 */
export function soughtForms(text: string): string[] {
  const [plain, folded] = [withoutMarks(text), fold(text)];
  return plain.trim() === '' || plain === folded ? [folded] : [plain, folded];
}

/** The digits of a phone number; null if there are none. */
export function digitsOf(phone: string | null): string | null {
  return phone?.replaceAll(/\D/g, '') || null;
}

/** What `q` looks at in a subscription: its customer's name and email, its product's name, its public id. */
export function subscriptionText(texts: readonly (string | null | undefined)[]): string {
  return texts.map((text) => sortKey(text ?? '')).join('\n');
}
