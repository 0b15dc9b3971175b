import type { Services } from '../services.ts';

/** How soon another server's change is seen; what this one changes is seen at once. */
const LOOK_EVERY_MS = 750;

/**
 * For an answer that lasts: aborted when the client has gone, or when who asked for it may no longer have it, because of
 * their token, their account or their permissions. `stillMay` is asked again and again.
 */
export function watchAccess({ access, log }: Services, gone: AbortSignal, stillMay: () => Promise<boolean>): AbortSignal {
  const ended = new AbortController();
  const until = AbortSignal.any([gone, ended.signal]);
  const watch = async (): Promise<void> => {
    while (!until.aborted) {
      await access.wait(LOOK_EVERY_MS, until);
      if (!until.aborted && !(await stillMay())) ended.abort();
    }
  };
  watch().catch((err: unknown) => {
    // Who may have it is not known: nobody may.
    log.warn({ err }, 'an answer that lasts was ended, because its token could not be looked up');
    ended.abort();
  });
  return until;
}
