import type { Statement } from '../dialect.ts';

/** What the health of a task is made of, one row for each run that has ended. */
export const statements: readonly Statement[] = [
  `CREATE TABLE run_figures (
    run_id INTEGER PRIMARY KEY,
    task_id INTEGER NOT NULL,
    version_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    outcome TEXT NOT NULL,
    took_bucket INTEGER,
    waited_bucket INTEGER,
    effects INTEGER NOT NULL,
    llm_tokens INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX run_figures_took ON run_figures (task_id, day, version_id, took_bucket, outcome, effects, llm_tokens)`,
  `CREATE INDEX run_figures_waited ON run_figures (task_id, day, version_id, waited_bucket)`,
];
