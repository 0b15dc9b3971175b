import operations from 'virtual:operations';
import { ApiError, type ClientRequest, type ClientResponse, createCalls } from '../../contract/calls.ts';
import { session } from './session.ts';

const PREFIX = '/admin/api';
/** ETags by the body that they came with; a body is asked for its ETag at once, by `tagged`. */
const etags = new WeakMap<object, string>();

/** Told of each answer that the token no longer opens anything (401). */
let onRefusedToken: (() => void) | undefined;
export function whenTokenIsRefused(tell: () => void): void {
  onRefusedToken = tell;
}

/** One request with the token of this tab; 401 is told to the shell, which asks for a token and keeps the page. */
export async function send(request: ClientRequest): Promise<ClientResponse> {
  const answer = await sendAs(session.token(), request);
  if (answer.status === 401) onRefusedToken?.();
  return answer;
}

async function sendAs(token: string | null, { method, path, body, headers }: ClientRequest): Promise<ClientResponse> {
  const answer = await fetch(`${PREFIX}${path}`, {
    method,
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
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: parsed };
}

export const api = createCalls(send, operations);

/** Who a token stands for; nothing of this tab changes. */
export function whoHolds(token: string) {
  return createCalls((request) => sendAs(token, request), operations).me.get();
}

export type Tagged<T> = { value: T; etag: string | undefined };

/** A record with the ETag that a later write of it sends as `If-Match`. */
export async function tagged<T extends object>(call: Promise<T>): Promise<Tagged<T>> {
  const value = await call;
  return { value, etag: etags.get(value) };
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
