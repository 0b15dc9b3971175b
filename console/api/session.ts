/**
 * The access token of this tab. It is kept in memory; in session storage too where the admin asked for it at sign-in, so that a
 * reload does not ask again.
 */
const KEY = 'backroom.token';

let token: string | null = sessionStorage.getItem(KEY);
const listeners = new Set<() => void>();

export const session = {
  token: () => token,
  isRemembered: () => sessionStorage.getItem(KEY) !== null,
  signIn(value: string, remember: boolean): void {
    token = value;
    if (remember) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
    for (const tell of listeners) tell();
  },
  signOut(): void {
    token = null;
    sessionStorage.removeItem(KEY);
    for (const tell of listeners) tell();
  },
  subscribe(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
};
