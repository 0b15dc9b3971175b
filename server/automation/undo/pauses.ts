import { setImmediate } from 'node:timers/promises';

/** Long work lets the event loop answer other requests this often. */
const PAUSE_EVERY_MS = 10;

/** Makes a function that is called often, and pauses when it is time. */
export function pauses(): () => Promise<void> {
  let pausedAtMs = performance.now();
  return async () => {
    if (performance.now() - pausedAtMs < PAUSE_EVERY_MS) return;
    await setImmediate();
    pausedAtMs = performance.now();
  };
}
