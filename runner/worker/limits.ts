/**
 * The limits that the worker and the guest enforce (spec LI1). They repeat figures of the contract, because importing
 * the contract would load zod and make the start of a worker a third longer. A test checks that both are equal.
 */
export const guestLimits = {
  log_bytes: 32 * 1024 * 1024,
  log_lines: 320_000,
  line_bytes: 16 * 1024,
  result_bytes: 64 * 1024,
  details_bytes: 64 * 1024,
  body_bytes: 1024 * 1024,
  request_bytes: 3.5 * 1024 * 1024,
  checkpoint_bytes: 1024 * 1024,
  concurrent_calls: 16,
};

/** The arguments of one call. */
export const CALL_MAX_CHARS = 4 * 1024 * 1024;

/** A body of 4 MiB and the `{"status":…,"body":…}` around it. */
export const ANSWER_MAX_BYTES = 4 * 1024 * 1024 + 64;

/** Of events of which only the latest counts, such as progress, one is sent at most every 100 ms; the last one is always sent. */
export const LATEST_INTERVAL_MS = 100;
