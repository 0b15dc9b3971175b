import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string | undefined>();

/** Whatever is logged, and asked of others, while `work` goes on and by what it starts, names the request; null: none. */
export function asRequest<T>(requestId: string | null, work: () => Promise<T>): Promise<T> {
  return current.run(requestId ?? undefined, work);
}

/** What a log line has of the request that it belongs to: pino's `mixin`. */
export function requestOfLine(): { request_id?: string } {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { request_id: requestId };
}

/** The header that tells others which request a call of ours belongs to; what the server does of itself has none. */
export function requestIdHeader(): Record<string, string> {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { 'X-Request-Id': requestId };
}
