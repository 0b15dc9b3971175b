import type { Statement } from '../dialect.ts';

/** Trials of new versions. */
export const statements: readonly Statement[] = [
  `CREATE TABLE version_trials (
    version_id INTEGER PRIMARY KEY REFERENCES task_versions (id),
    state TEXT NOT NULL,
    failures INTEGER NOT NULL,
    effects TEXT NOT NULL,
    before TEXT NOT NULL,
    reason TEXT,
    run_id INTEGER,
    decided_at TEXT
  ) STRICT`,
];
