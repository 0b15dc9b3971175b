import { KEY, keptSession, NOBODY, onDevice, type SignedIn } from './kept-session.ts';

export type { SignedIn } from './kept-session.ts';

/**
 * Who is signed in in this tab. How long the browser keeps it is the choice of whoever signs in: `tab`, in session storage, so that a reload
 * asks nothing; `device`, in local storage, for all tabs that have nobody of their own, until it expires; `page`, in memory alone. A page never
 * goes from one person to another: it is loaded anew, so that nothing of the one is sent with the token of the other.
 */
export type Kept = 'page' | 'tab' | 'device';

let own: SignedIn | null = keptSession();
/** Whether this tab has whoever is signed in on the device. */
let isShared = sessionStorage.getItem(KEY) === null;
/** Whom the page shows. */
let shownId: number | null = null;
/** Who has signed in on the device, in another tab, in place of whom this page shows. */
let taken: SignedIn | null = null;
const listeners = new Set<() => void>();

function become(next: SignedIn | null): void {
  own = next;
  for (const tell of listeners) tell();
}

/** Shows nothing more of whoever was signed in. Unsaved work asks nothing, because nobody is signed in any more. */
function loadAnew(): void {
  isShared = false;
  become(null);
  window.location.reload();
}

/** Looks whether somebody has signed in or out in another tab. */
function look(): void {
  if (!isShared) return;
  const next = onDevice();
  if (next?.token === own?.token) return;
  if (own === null || (next !== null && next.adminId === own.adminId)) become(next);
  else if (next === null) loadAnew();
  else {
    isShared = false;
    taken = next;
    become(null);
  }
}
window.addEventListener('storage', look);

export const session = {
  token: () => own?.token ?? null,
  /** Who has taken the place of whom this page showed; it must be loaded anew. */
  taken: () => taken,
  look,
  loadAnew,
  /** Tells whom the page shows. */
  shows(adminId: number): void {
    shownId = adminId;
    if (own?.adminId === null) own = { ...own, adminId };
  },
  /** Returns whom the browser has no more. If the page showed another person, it is loaded anew. */
  signIn(next: SignedIn, kept: Kept): SignedIn[] {
    const left = [isShared ? null : own, kept === 'device' ? onDevice() : null];
    if (kept === 'device') localStorage.setItem(KEY, JSON.stringify(next));
    keepInTab(kept);
    if (kept === 'tab') sessionStorage.setItem(KEY, JSON.stringify(next));
    const isOther = shownId !== null && shownId !== next.adminId;
    if (isOther) loadAnew();
    isShared = kept === 'device' && !isOther;
    if (!isOther) become(next);
    return left.filter((one): one is SignedIn => one !== null && one.token !== next.token);
  },
  /** Returns who was signed in. The page is loaded anew. */
  signOut(): SignedIn | null {
    const left = own;
    if (isShared) localStorage.removeItem(KEY);
    keepInTab(isShared ? 'device' : 'page');
    loadAnew();
    return left;
  },
  subscribe(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
};

/** A tab that keeps nobody does not turn to whoever is signed in on the device. */
function keepInTab(kept: Kept): void {
  if (kept !== 'device' && onDevice() !== null) sessionStorage.setItem(KEY, NOBODY);
  else sessionStorage.removeItem(KEY);
}
