/**
 * What the worker and the guest count (automation.md §8). The contract's own figures again, without zod: loading
 * it would add a third to a worker's start. A test holds them equal.
 */
export const guestLimits = {
  log_bytes: 32 * 1024 * 1024,
  log_lines: 320_000,
  line_bytes: 16 * 1024,
  result_bytes: 64 * 1024,
  body_bytes: 1024 * 1024,
  checkpoint_bytes: 1024 * 1024,
  concurrent_calls: 16,
};

/** An answer of 4 MiB, and the `{"status":…,"body":…}` around it. */
export const ANSWER_MAX_BYTES = 4 * 1024 * 1024 + 64;

/** A progress event at most every 100 ms; the last one always. */
export const PROGRESS_INTERVAL_MS = 100;
