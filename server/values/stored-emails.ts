import { emailKey } from '../../contract/emails.ts';
import { sortKey } from './texts.ts';

/** The folded email, in which texts are searched. */
export function foldEmail(email: string): string {
  return sortKey(email.trim());
}

/** What customers have beside the folded email: the key that decides whether two emails are equal; null where it is the folded email. */
export function ownEmailKey(email: string): string | null {
  const key = emailKey(email);
  return key === foldEmail(email) ? null : key;
}

/** What the unique column of an admin's email holds: outside ASCII, different emails may fold to the same text. */
export function foldAdminEmail(email: string): string {
  const key = ownEmailKey(email);
  return key === null ? foldEmail(email) : `${foldEmail(email)}\n${key}`;
}
