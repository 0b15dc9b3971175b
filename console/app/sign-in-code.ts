let code: string | null = null;
const listeners = new Set<() => void>();

/** The code of the sign-in link that opened the console, until it is exchanged for a token. */
export const signInCode = {
  current: () => code,
  set(next: string | null): void {
    code = next;
    for (const tell of listeners) tell();
  },
  subscribe(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
};
