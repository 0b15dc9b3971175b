/** Whole milliseconds of a clock that never goes back; only the difference of two of its times means something. */
export function monotonicMs(): number {
  return Math.round(performance.now());
}

/** When a call was sent, by `monotonicMs`, how long it took, and the epoch that it belongs to. */
export type CallTime = { began_ms: number; duration_ms: number; epoch: number };
