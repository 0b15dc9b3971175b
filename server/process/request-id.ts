import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string | undefined>();

/** While `work` and everything that it starts is running, log lines and requests to others carry this request id; null: none. */
export function asRequest<T>(requestId: string | null, work: () => Promise<T>): Promise<T> {
  return current.run(requestId ?? undefined, work);
}

/** The request id of a log line, for pino's `mixin`. */
export function requestOfLine(): { request_id?: string } {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { request_id: requestId };
}

/** The header that tells others which request a call of ours belongs to; empty for what the server does by itself. */
export function requestIdHeader(): Record<string, string> {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { 'X-Request-Id': requestId };
}
