/** What the link that opened the console is for: to sign in, to accept an invitation, or to set up a passkey. */
export type LinkCode = { kind: 'sign-in' | 'join' | 'passkey'; code: string };

let current: LinkCode | null = null;
const listeners = new Set<() => void>();

/** The code of the link that opened the console, until it is exchanged for a token. */
export const signInCode = {
  current: () => current,
  set(next: LinkCode | null): void {
    current = next;
    for (const tell of listeners) tell();
  },
  subscribe(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
};

/** A code that makes a passkey, of the link by which somebody has signed in here; it is good for some minutes. */
export const passkeyCode: { current: string | null } = { current: null };
