import { AsyncLocalStorage } from 'node:async_hooks';
import { currentPlace } from '../../tracing/current.ts';

const current = new AsyncLocalStorage<string | undefined>();

/** While `work` and everything that it starts is running, log lines and requests to others carry this request id; null: none. */
export function asRequest<T>(requestId: string | null, work: () => Promise<T>): Promise<T> {
  return current.run(requestId ?? undefined, work);
}

/** The request id of a log line, and its place in a trace, for pino's `mixin`. */
export function requestOfLine(): { request_id?: string; trace_id?: string; span_id?: string } {
  const requestId = current.getStore();
  return { ...(requestId === undefined ? {} : { request_id: requestId }), ...currentPlace()?.ids };
}

/** The header that tells others which request a call of ours belongs to; empty for what the server does by itself. */
export function requestIdHeader(): Record<string, string> {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { 'X-Request-Id': requestId };
}

/** The request that work belongs to; undefined for what the server does by itself. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
