import type { ClientResponse } from '../contract/calls.ts';
import { isPassing, Unreachable } from './errors.ts';
import type { Sender, Sent } from './requests.ts';

/** When a request is sent again, and after how long. */
export type Retries = {
  /** How many times a request is sent again at most; default 5. */
  times?: number;
  /** The wait before the first repeat, which doubles with each; default 500 ms. */
  firstMs?: number;
  /** The longest wait that is accepted, also of what the server asks for (`Retry-After`); default 60,000 ms. */
  mostMs?: number;
  /** The longest wait of its own, where the server asks for none; default: `mostMs`. */
  ownMostMs?: number;
};

/**
 * The wait in ms before a request is sent for the `nth` time again (from 0 on), a little at random so that many clients do not come
 * together; null where it is not to be sent again. `retryAfter` is the header, in seconds or as a date.
 */
export function waitBefore(nth: number, retryAfter: string | null, retries: Retries = {}): number | null {
  const { times = 5, firstMs = 500, mostMs = 60_000, ownMostMs = mostMs } = retries;
  if (nth >= times) return null;
  const asked = askedFor(retryAfter);
  if (asked > mostMs) return null;
  const own = Math.min(ownMostMs, firstMs * 2 ** nth);
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

type Read<T> = (url: string, response: Response) => Promise<T>;

/** Sends until there is an answer that is not passing; `read` makes of it what is wanted. Throws `Unreachable` where there is none. */
export async function ask<T extends ClientResponse | Response>(
  { url, once }: Sender,
  path: string,
  init: Sent,
  read: Read<T>,
  retries: Retries | undefined,
): Promise<T> {
  const signal = init.signal ?? undefined;
  for (let nth = 0; ; nth++) {
    const answer = await once(path, init)
      .then((response) => read(url, response))
      .catch((error: unknown) => ({ error }));
    signal?.throwIfAborted();
    const isFailed = 'error' in answer;
    if (isFailed && !(answer.error instanceof Unreachable)) throw answer.error;
    if (!isFailed && !(answer.status >= 400 && isPassing(answer.status, answer.body))) return answer;
    const wait = waitBefore(nth, isFailed ? null : retryAfterOf(answer.headers), retries);
    if (wait === null) {
      if (isFailed) throw answer.error;
      return answer;
    }
    await pause(wait, signal);
  }
}

function retryAfterOf(headers: Headers | Record<string, string>): string | null {
  return headers instanceof Headers ? headers.get('retry-after') : (headers['retry-after'] ?? null);
}
