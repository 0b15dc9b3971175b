/** What a run may wait for, and how long. This file imports nothing, so that the guest code and the console can use its values. */

const DAY_MS = 86_400_000;
/** The longest wait and the longest sleep: a year. */
export const WAIT_MAX_MS = 366 * DAY_MS;
/** A run with the runs that it resumes may wait for so much at once, sleeps included. */
export const WAITS_MAX = 1000;

/** From this length on, a sleep is kept by the server, and the run needs no worker meanwhile. */
export const KEPT_SLEEP_MS = 1000;

/** Begins the name of what a request to a hook of the task brings. */
export const HOOK_EVENT = 'hook:';

/** Begins the name of a signal; its key follows, if it has one. */
export const SIGNAL_EVENT = 'signal:';
/** What is waited for, as scripts name it: a signal without a key is stored with an empty one. */
export const namedEvent = (event: string): string => (event === SIGNAL_EVENT ? 'signal' : event);
/** A signal carries at most so many bytes of JSON. */
export const SIGNAL_MAX_BYTES = 64 * 1024;
/** So many signals are kept for a run, and for each key of a task, until a run waits for them. */
export const SIGNALS_KEPT = 100;
/** How long a signal is kept at most. */
export const SIGNAL_DAYS = 30;
