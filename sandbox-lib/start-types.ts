export type StartedRun = { run_id: number; task_id: number };
/** `run_id` null: the run opens later, as `start_id`, or is left out because of its rate. */
export type GatheredStart = { run_id: number | null; task_id: number; start_id: number | null; due_at: string | null };
/** All times are in milliseconds. `key` names a parameter; starts with the same value of it count together. */
export type StartOptions = {
  /** One run with the parameters of the last start, after `ms` without a further one, and ten times `ms` after the first at the latest. */
  debounce?: { key?: string | null; ms: number };
  /** One run with the parameter `events`, the list of the parameters of all, when there are `max` or `ms` after the first. */
  batch?: { max: number; ms: number };
  /** The run opens so much later. */
  delay?: number;
  /** A run that no runner has taken so long after the start is not started any more. */
  ttl?: number;
  /** At most so many runs in any 60 seconds; what is over waits, or with `skip` is left out. */
  rate?: { key?: string | null; per_minute: number; overflow?: 'queue' | 'skip' };
};
