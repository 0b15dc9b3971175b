import { createSender, refusalOf } from '../../client/requests.ts';
import { markOf, type SignedIn } from './kept-session.ts';

/** The access tokens of a session, held in memory alone. Its cookie gives the next one before the last one ends. */

type Answer = { token: string; expires_at: string; session_id: number; session_expires_at: string; admin: { id: number; name: string } };

let held: { mark: string; token: string; until: number } | null = null;
let asking: Promise<string> | null = null;

/** So long before it ends a token is not used any more. */
const SPARE_MS = 60_000;
/** What is sent where the session has ended: the server refuses it as it refuses any token. */
const ENDED = 'ended';

/** Keeps the token of an answer, and returns who is thereby signed in. */
export function hold({ token, expires_at, session_id, admin }: Answer): SignedIn {
  const mark = markOf(session_id);
  held = { mark, token, until: Date.parse(expires_at) - SPARE_MS };
  return { token: mark, tokenId: session_id, adminId: admin.id, name: admin.name };
}

/** Drops a token that the server has refused; false: there was none. */
export function drop(mark: string): boolean {
  const had = held?.mark === mark;
  if (had) held = null;
  return had;
}

export function freshToken(mark: string): Promise<string> {
  if (held?.mark === mark && held.until > Date.now()) return Promise.resolve(held.token);
  asking ??= renewed(mark).finally(() => {
    asking = null;
  });
  return asking;
}

async function renewed(mark: string): Promise<string> {
  const sender = createSender({ url: window.location.origin, token: null });
  const answer = await sender.call({ method: 'POST', path: '/session/token', body: {} });
  if (answer.status === 401 || answer.status === 403) return ENDED;
  if (answer.status !== 200) throw refusalOf(answer);
  const next = answer.body as Answer;
  // Somebody has signed in in another tab: the cookie is theirs.
  if (markOf(next.session_id) !== mark) return ENDED;
  hold(next);
  return next.token;
}

/** Signs out on the server; the page may be left meanwhile. */
export function endByCookie(): void {
  createSender({ url: window.location.origin, token: null })
    .once('/session', { method: 'DELETE', headers: {}, keepalive: true })
    .catch(() => undefined);
}
