import type { Statement } from '../dialect.ts';

/** What a script says of its run: one line, and Markdown. */
export const statements: readonly Statement[] = [
  'ALTER TABLE runs ADD COLUMN description TEXT',
  'ALTER TABLE runs ADD COLUMN details_number INTEGER NOT NULL DEFAULT 0',
  `CREATE TABLE run_details (
    run_id INTEGER PRIMARY KEY,
    markdown TEXT NOT NULL
  ) STRICT`,
];
