/**
 * A claim looks only at runs that may start, however many wait: those of tasks without a limit, those of tasks with one, and those with a
 * concurrency key have an index each, in the order in which they are to start. `runs_taken` counts the runs that take a place.
 */
const waiting = `status = 'running' AND claim_id IS NULL`;
const order = 'priority DESC, id';

export const statements: readonly string[] = [
  'DROP INDEX runs_open',
  'DROP INDEX runs_limited',
  `CREATE INDEX runs_open ON runs (executor, started_at) WHERE ${waiting}`,
  `CREATE INDEX runs_free ON runs (executor, ${order}) WHERE ${waiting} AND concurrency_limit IS NULL`,
  `CREATE INDEX runs_limited ON runs (executor, task_id, ${order}) WHERE ${waiting} AND concurrency_limit IS NOT NULL AND concurrency_key IS NULL`,
  `CREATE INDEX runs_keyed ON runs (executor, task_id, ${order}) WHERE ${waiting} AND concurrency_limit IS NOT NULL AND concurrency_key IS NOT NULL`,
  `CREATE INDEX runs_taken ON runs (task_id, concurrency_key, concurrency_limit)
    WHERE status = 'running' AND (claim_id IS NOT NULL OR executor = 'external')`,
];
