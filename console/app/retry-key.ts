import { useRef } from 'react';

/** An Idempotency-Key for what is about to be sent: the same for the same, so that a second try has no second effect. */
export function useRetryKey(): (what: unknown) => string {
  const kept = useRef({ what: '', key: '' });
  return (what) => {
    const text = JSON.stringify(what);
    if (kept.current.what !== text) kept.current = { what: text, key: crypto.randomUUID() };
    return kept.current.key;
  };
}
