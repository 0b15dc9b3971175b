import { setPriority } from 'node:os';

/** Best effort: the process may be gone, or another user's. */
export function lowerPriority(id: number | undefined, nice: number): void {
  try {
    if (id !== undefined) setPriority(id, nice);
  } catch {}
}
