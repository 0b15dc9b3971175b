import { useEffect, useState } from 'react';

/** The value as it was last, once it has not changed for a moment: for what is asked of the server while somebody types. */
export function useDelayed<T>(value: T, ms: number): T {
  const [known, setKnown] = useState(value);
  const key = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal value is no change
  useEffect(() => {
    const timer = setTimeout(() => setKnown(value), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
  return known;
}
