import operations from 'virtual:operations';
import { NotBackroom } from '../../client/errors.ts';
import { createSender, formOf } from '../../client/requests.ts';
import { ApiError, type ClientRequest, type ClientResponse, createCalls, type FilePart, isProblem } from '../../contract/calls.ts';
import type { GESTURE_HEADER } from '../../contract/decisions.ts';
import type { Problem } from '../../contract/errors.ts';
import { language } from '../language/language.ts';
import { isByCookie } from './kept-session.ts';
import { type SignedIn, session } from './session.ts';

const url = window.location.origin;
/** ETags by the body that they came with; a body is asked for its ETag at once, by `tagged`. */
const etags = new WeakMap<object, string>();

/** Told of each answer that the token no longer opens anything (401). */
let onRefusedToken: (() => void) | undefined;
export function whenTokenIsRefused(tell: () => void): void {
  onRefusedToken = tell;
}

/** A request that a passkey has to sign, or a second owner to decide: how it was refused, where the focus was, and how it is sent again. */
export type Undecided = {
  request: ClientRequest;
  refusal: Problem;
  from: Element | null;
  again(gesture?: string): Promise<ClientResponse>;
};
let decide: ((undecided: Undecided) => Promise<ClientResponse>) | undefined;
export function whenPersonMustDecide(ask: typeof decide): void {
  decide = ask;
}

const gestureHeader: Lowercase<typeof GESTURE_HEADER> = 'backroom-gesture';

/**
 * One request of whoever is signed in. Where a passkey has to sign what it decides, or two owners decide it, the person is asked, and whoever
 * sent it gets the last answer.
 */
export async function send(request: ClientRequest, signal?: AbortSignal): Promise<ClientResponse> {
  const from = document.activeElement;
  const answer = await sendSignedIn(request, signal);
  const { body: refusal } = answer;
  if (decide === undefined || !isProblem(refusal) || !asksPerson(request, refusal)) return answer;
  const again = (gesture?: string) =>
    sendSignedIn(gesture === undefined ? request : { ...request, headers: { ...request.headers, [gestureHeader]: gesture } }, signal);
  return decide({ request, refusal, from, again });
}

/** What two owners decide names its acts; other refusals of this code leave nothing to propose. To look at a request is none. */
function asksPerson({ path }: ClientRequest, { code, ...more }: Problem): boolean {
  return code === 'gesture_required' || (code === 'second_person_required' && 'acts' in more && path !== '/me/gestures');
}

/** With the token of this tab; 401 is told to the shell, which asks for a token and keeps the page. */
async function sendSignedIn(request: ClientRequest, signal?: AbortSignal): Promise<ClientResponse> {
  const token = tokenNow();
  const answer = await sendAs(token, request, signal);
  if (answer.status !== 401) return answer;
  // The same person may have signed in anew in another tab meanwhile, or the cookie of the session gives another token.
  const next = tokenNow();
  if (next !== null && (next !== token || (isByCookie(token) && (await byCookie()).drop(token)))) return sendAs(next, request, signal);
  onRefusedToken?.();
  return answer;
}

const byCookie = () => import('./cookie-session.ts');

/** What is sent as the token: of a session, the one that its cookie gives. */
export async function bearerOf(token: string | null): Promise<string | null> {
  return isByCookie(token) ? (await byCookie()).freshToken(token) : token;
}

/** The token of whom the page shows. Where somebody else has signed in, nothing is sent any more. */
function tokenNow(): string | null {
  session.look();
  if (session.taken() !== null) throw new Error('somebody else is signed in here');
  return session.token();
}

/** In English a refusal says what the server says, which is more exact than what its code does. */
async function worded(body: unknown): Promise<unknown> {
  if (language === 'en' || !isProblem(body)) return body;
  try {
    return (await import('./refusals.ts')).inWords(body);
  } catch {
    // Where the server is being replaced, its own words are better than none.
    return body;
  }
}

async function sendAs(token: string | null, request: ClientRequest, signal?: AbortSignal): Promise<ClientResponse> {
  const sender = createSender({ url, token: () => bearerOf(token) });
  // It is sent once: what is read is read again by its query, and whoever looks at the page decides whether a write is sent again.
  const answer = await sender.call({ ...request, body: encoded(request.body) }, signal).catch((error: unknown): ClientResponse => {
    signal?.throwIfAborted();
    // A proxy refuses in words of its own. What it answers in place of the server otherwise, such as its login, is none of the server's.
    if (error instanceof NotBackroom && error.status >= 400) return { status: error.status, headers: {}, body: null };
    throw error;
  });
  const { body, headers } = answer;
  const etag = headers['etag'];
  if (etag !== undefined && typeof body === 'object' && body !== null) etags.set(body, etag);
  return answer.status < 400 ? answer : { ...answer, body: await worded(body) };
}

/** A body with a file is sent as a multipart form. */
function encoded(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('file' in body)) return body;
  const { file: part, ...fields } = body;
  const file = chosen.get(part ?? {});
  if (!file) throw new TypeError('a file of a form must come from partOf');
  return formOf(fields, file, file.name);
}

const chosen = new WeakMap<object, File>();

/** The file that a person has chosen, as calls take it. Its bytes are read only while they are sent. */
export function partOf(file: File): FilePart {
  const part = { filename: file.name, content: '', content_type: file.type };
  chosen.set(part, file);
  return part;
}

export const api = createCalls((request) => send(request), operations);

/** The same calls; their requests end when the signal does, because nobody waits for the answers any more. */
export function apiUntil(signal: AbortSignal) {
  return createCalls((request) => send(request, signal), operations);
}

/** Calls of somebody who is not signed in; nothing of this tab changes. */
export const guestApi = createCalls((request) => sendAs(null, request), operations);

/** The passkeys of whoever holds a token; nothing of this tab changes. */
export function passkeysOf(token: string) {
  return createCalls((request) => sendAs(token, request), operations).me.list_passkeys();
}

/** Who a token stands for; nothing of this tab changes. */
export function whoHolds(token: string) {
  return createCalls((request) => sendAs(token, request), operations).me.get();
}

/** Ends a session on the server, as far as that can be reached: nobody waits for it, and the page may be left meanwhile. */
export function endSession({ token, tokenId }: Pick<SignedIn, 'token' | 'tokenId'>): void {
  if (tokenId === null) return;
  if (isByCookie(token)) return void byCookie().then(({ endByCookie }) => endByCookie());
  createSender({ url, token })
    .once(`/me/tokens/${tokenId}`, { method: 'DELETE', headers: {}, keepalive: true })
    .catch(() => undefined);
}

export type Tagged<T> = { value: T; etag: string | undefined };

/** A record with the ETag that a later write of it sends as `If-Match`. */
export async function tagged<T extends object>(call: Promise<T>): Promise<Tagged<T>> {
  const value = await call;
  return { value, etag: etagOf(value) };
}

/** The ETag that an answer came with. */
export function etagOf(answer: unknown): string | undefined {
  return typeof answer === 'object' && answer !== null ? etags.get(answer) : undefined;
}

/** How often a change is tried again when somebody else was quicker each time. */
const CHANGE_TRIES = 4;

/**
 * Changes a record by what it says now, such as a list that gets one more entry. Where somebody else was quicker (412), it is read
 * and changed again, so that both changes are kept.
 */
export async function changeRecord<T extends object, R>(
  read: () => Promise<T>,
  write: (value: T, options: { headers: Record<string, string> } | undefined) => Promise<R>,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    const { value, etag } = await tagged(read());
    try {
      return await write(value, ifMatch(etag));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || tries === CHANGE_TRIES) throw error;
    }
  }
}

/** Options of a write that must not cover up somebody else's. */
export function ifMatch(etag: string | undefined): { headers: Record<string, string> } | undefined {
  return etag === undefined ? undefined : { headers: { 'if-match': etag } };
}

/** Options of a write that may be sent twice and must happen once: keep the key for retries. */
export function once(key: string, etag?: string): { headers: Record<string, string> } {
  return { headers: { 'idempotency-key': `"${key}"`, ...(etag === undefined ? {} : { 'if-match': etag }) } };
}

export { ApiError };
