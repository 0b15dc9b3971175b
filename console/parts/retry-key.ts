import { useRef } from 'react';

export type RetryKey = {
  /** The Idempotency-Key for what is about to be sent: the same for the same, so that a second try has no second effect. */
  of(what: unknown): string;
  /** To be called after success: the same content sent again is then meant as a second effect. */
  spend(): void;
};

export function useRetryKey(): RetryKey {
  const kept = useRef({ what: '', key: '' });
  return {
    of(what) {
      const text = JSON.stringify(what);
      if (kept.current.what !== text) kept.current = { what: text, key: crypto.randomUUID() };
      return kept.current.key;
    },
    spend() {
      kept.current = { what: '', key: '' };
    },
  };
}
