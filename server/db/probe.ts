/** Finds out whether a store takes writes, from time to time, without waiting for its writers or delaying them. */
export type Probe = {
  /**
   * `writable`: a write was just possible, or another one has committed since the last look. `held`: all this time, one transaction of
   * another process has held SQLite's writer. Rejects where the database refuses the write or does not answer.
   */
  look(): Promise<'writable' | 'held'>;
  close(): Promise<void>;
};

/** A write that changes nothing. */
export const TOUCH = `UPDATE settings SET value = value WHERE key = ''`;
