import { endSession } from './client.ts';
import { isByCookie } from './kept-session.ts';
import { type Kept, type SignedIn, session } from './session.ts';

/** Signs in in this tab, or on this device. A session that nobody has any more thereby ends. */
export function signIn(next: SignedIn, kept: Kept): void {
  // The cookie of an earlier session is that of the next one now.
  for (const left of session.signIn(next, kept)) if (!(isByCookie(next.token) && isByCookie(left.token))) endSession(left);
}

/** Forgets who is signed in, and ends their session on the server. */
export function signOut(): void {
  const left = session.signOut();
  if (left) endSession(left);
}
