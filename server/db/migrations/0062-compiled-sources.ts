/**
 * What the check of a source compiled of it (contract/task-source.ts), for the workers that run it; `format` tells which version of the
 * compiler did. A version without a row is compiled by the worker.
 */
export const statements: readonly string[] = [
  `CREATE TABLE compiled_sources (
    version_id INTEGER PRIMARY KEY REFERENCES task_versions (id) ON DELETE CASCADE,
    format INTEGER NOT NULL,
    code TEXT NOT NULL
  ) STRICT`,
];
