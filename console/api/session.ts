/**
 * The access token of this tab. How long the browser keeps it is the choice of whoever signs in: `tab`, in session storage, so that a reload
 * asks nothing; `device`, in local storage, for all tabs until it expires; `page`, in memory alone.
 */
const KEY = 'backroom.token';

export type Kept = 'page' | 'tab' | 'device';

let token: string | null = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
let isShared = sessionStorage.getItem(KEY) === null && token !== null;
const listeners = new Set<() => void>();

function become(value: string | null): void {
  token = value;
  for (const tell of listeners) tell();
}

// Who signs out in one tab is signed out in all that have the token of this device.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && isShared && newValue === null) become(null);
});

export const session = {
  token: () => token,
  signIn(value: string, kept: Kept): void {
    isShared = kept === 'device';
    sessionStorage.removeItem(KEY);
    // Another person's token must not come back at the next visit.
    localStorage.removeItem(KEY);
    if (kept === 'tab') sessionStorage.setItem(KEY, value);
    if (kept === 'device') localStorage.setItem(KEY, value);
    become(value);
  },
  signOut(): void {
    sessionStorage.removeItem(KEY);
    localStorage.removeItem(KEY);
    become(null);
  },
  subscribe(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
};
