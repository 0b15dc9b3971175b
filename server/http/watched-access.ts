import type { Services } from '../services.ts';

/** How soon the end of a token's time is noticed, or a change that no server told; what a server tells is noticed at once. */
const LOOK_EVERY_MS = 750;

/**
 * A signal for a lasting answer: it is aborted when the client has gone, or when the caller may no longer have the answer because of a
 * change of token, account or permissions. `hasAccess` is called again and again to find out.
 */
export function watchAccess({ access, log }: Services, gone: AbortSignal, hasAccess: () => Promise<boolean>): AbortSignal {
  const ended = new AbortController();
  const until = AbortSignal.any([gone, ended.signal]);
  const watch = async (): Promise<void> => {
    let since = access.count;
    while (!until.aborted) {
      await access.wait(LOOK_EVERY_MS, until, since);
      since = access.count;
      if (!until.aborted && !(await hasAccess())) ended.abort();
    }
  };
  watch().catch((err: unknown) => {
    // It is not known whether the caller still has access, so the answer ends.
    log.warn({ err }, 'a lasting answer was ended, because the caller could not be authenticated again');
    ended.abort();
  });
  return until;
}
