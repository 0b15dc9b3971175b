import { useEffect, useState, useSyncExternalStore } from 'react';
import { session } from '../../../api/session.ts';
import { followRun, type RunFeed } from './feed.ts';

/** The log of the run that is shown: one reader, whichever tab is open. */
export function useRunFeed(path: string, onEnd: () => void): RunFeed | null {
  const [feed, setFeed] = useState<RunFeed | null>(null);
  // A token that is no longer accepted ends the stream; with another one it is read anew.
  const token = useSyncExternalStore(session.subscribe, session.token);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another callback is no other run
  useEffect(() => {
    const stop = new AbortController();
    setFeed(followRun(path, stop.signal, onEnd));
    return () => stop.abort();
  }, [path, token]);
  return feed;
}

/** What `pick` takes of the feed; it must be a plain value or an object that is replaced when it changes. */
export function useFeed<T>(feed: RunFeed, pick: (feed: RunFeed) => T): T {
  return useSyncExternalStore(feed.subscribe, () => pick(feed));
}
