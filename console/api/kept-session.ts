/** What stands for the token of a session whose cookie gives the real ones. */
export const markOf = (sessionId: number): string => `${BY_COOKIE}${sessionId}`;
const BY_COOKIE = 'cookie ';
export const isByCookie = (token: string | null): token is string => token?.startsWith(BY_COOKIE) === true;

/** `tokenId`: the session that ends with signing out; null: a token that was made elsewhere and outlives this. */
export type SignedIn = { token: string; tokenId: number | null; adminId: number | null; name: string };

/** The name under which both storages of the browser keep who is signed in. */
export const KEY = 'backroom.token';
/** In session storage: nobody is signed in in this tab, although somebody is on this device. */
export const NOBODY = 'null';

/** Who is signed in in this tab, as the browser keeps it: the tab's own, else whoever is on the device. */
export function keptSession(): SignedIn | null {
  const ofTab = sessionStorage.getItem(KEY);
  return ofTab === null ? onDevice() : signedInFrom(ofTab);
}

export function onDevice(): SignedIn | null {
  return signedInFrom(localStorage.getItem(KEY) ?? NOBODY);
}

function signedInFrom(text: string): SignedIn | null {
  // What earlier versions kept is the token alone.
  if (!text.startsWith('{')) return text === NOBODY ? null : { token: text, tokenId: null, adminId: null, name: '' };
  const kept: Partial<Record<keyof SignedIn, unknown>> = JSON.parse(text);
  const { token, tokenId, adminId, name } = kept;
  if (typeof token !== 'string') return null;
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return { token, tokenId: number(tokenId), adminId: number(adminId), name: typeof name === 'string' ? name : '' };
}
