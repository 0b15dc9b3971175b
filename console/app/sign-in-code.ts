/** What the link that opened the console is for: to sign in, or to accept an invitation. */
export type LinkCode = { kind: 'sign-in' | 'join'; code: string };

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
