const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A stretch of time in two units at most: `3.4 s`, `2 min 5 s`, `1 h 3 min`. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
}

/** The same of what goes on, in whole seconds. */
export function goingText(ms: number): string {
  return ms < MINUTE ? `${Math.max(0, Math.floor(ms / SECOND))} s` : durationText(ms);
}
