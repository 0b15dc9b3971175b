import { isProblem } from '../contract/calls.ts';

/** When a request is sent again, and after how long. */
export type Retries = {
  /** How many times a request is sent again at most; default 5. */
  times?: number;
  /** The wait before the first repeat, which doubles with each; default 500 ms. */
  firstMs?: number;
  /** The longest wait that is accepted, also of what the server asks for (`Retry-After`); default 60,000 ms. */
  mostMs?: number;
};

/** Busy or throttled; where a gateway says it, the server was not reached. 409: the first request with this key is still at work. */
const PASSING = new Set([429, 503]);
const OF_GATEWAYS = new Set([502, 504]);
const IN_PROGRESS = 'idempotency_in_progress';

/** Whether the answer says that the same request may get another one later. */
export function isPassing(status: number, body: unknown): boolean {
  if (status === 409) return isProblem(body) && body.code === IN_PROGRESS;
  // Of the server itself, a 502 tells what another system answered.
  return PASSING.has(status) || (OF_GATEWAYS.has(status) && !isProblem(body));
}

/**
 * The wait in ms before a request is sent for the `nth` time again (from 0 on), a little at random so that many clients do not come
 * together; null where it is not to be sent again. `retryAfter` is the header, in seconds or as a date.
 */
export function waitBefore(nth: number, retryAfter: string | null, retries: Retries = {}): number | null {
  const { times = 5, firstMs = 500, mostMs = 60_000 } = retries;
  if (nth >= times) return null;
  const asked = askedFor(retryAfter);
  if (asked > mostMs) return null;
  const own = Math.min(mostMs, firstMs * 2 ** nth);
  return Math.max(asked, own / 2 + Math.random() * (own / 2));
}

function askedFor(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const seconds = Number(retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Resolves after the time; throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
