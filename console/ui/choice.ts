import { useSyncExternalStore } from 'react';

/** A choice of the person at this browser, kept in its local storage; null while nothing was chosen. */
export type Choice = { get(): string | null; set(value: string | null): void; use(): string | null };

export function keptChoice(key: string): Choice {
  const listeners = new Set<() => void>();
  const get = (): string | null => localStorage.getItem(key);
  const subscribe = (tell: () => void): (() => void) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  };
  return {
    get,
    set(value) {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
      for (const tell of listeners) tell();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
