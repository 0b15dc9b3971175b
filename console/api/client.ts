import operations from 'virtual:operations';
import { ApiError, type ClientRequest, type ClientResponse, createCalls, type FilePart, isProblem } from '../../contract/calls.ts';
import { language } from '../language/language.ts';
import { type SignedIn, session } from './session.ts';

const PREFIX = '/admin/api';
/** ETags by the body that they came with; a body is asked for its ETag at once, by `tagged`. */
const etags = new WeakMap<object, string>();

/** Told of each answer that the token no longer opens anything (401). */
let onRefusedToken: (() => void) | undefined;
export function whenTokenIsRefused(tell: () => void): void {
  onRefusedToken = tell;
}

/** One request with the token of this tab; 401 is told to the shell, which asks for a token and keeps the page. */
export async function send(request: ClientRequest, signal?: AbortSignal): Promise<ClientResponse> {
  const token = tokenNow();
  const answer = await sendAs(token, request, signal);
  if (answer.status !== 401) return answer;
  // The same person may have signed in anew in another tab meanwhile.
  const next = tokenNow();
  if (next !== token && next !== null) return sendAs(next, request, signal);
  onRefusedToken?.();
  return answer;
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
  const { method, path, headers } = request;
  const body = formOf(request.body);
  const answer = await fetch(`${PREFIX}${path}`, {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = answer.status === 204 ? '' : await answer.text();
  const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '');
  const parsed: unknown = isJson ? JSON.parse(text) : text === '' ? null : text;
  const etag = answer.headers.get('etag');
  if (etag !== null && typeof parsed === 'object' && parsed !== null) etags.set(parsed, etag);
  const told = answer.ok ? parsed : await worded(parsed);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: told };
}

/** A body with a file is sent as a multipart form. The file comes last, when the server knows all other parts. */
function formOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('file' in body)) return body;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) if (name !== 'file' && value !== undefined) form.append(name, String(value));
  const file = chosen.get(body.file ?? {});
  if (!file) throw new TypeError('a file of a form must come from partOf');
  form.append('file', file);
  return form;
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

/** Who a token stands for; nothing of this tab changes. */
export function whoHolds(token: string) {
  return createCalls((request) => sendAs(token, request), operations).me.get();
}

/** Ends a session on the server, as far as that can be reached: nobody waits for it, and the page may be left meanwhile. */
export function endSession({ token, tokenId }: Pick<SignedIn, 'token' | 'tokenId'>): void {
  if (tokenId === null) return;
  const headers = { authorization: `Bearer ${token}` };
  fetch(`${PREFIX}/me/tokens/${tokenId}`, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
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
