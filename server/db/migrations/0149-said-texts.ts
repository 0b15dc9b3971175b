import type { Statement } from '../dialect.ts';

/** What a run has said before it waits is kept by content: it was counted. */
export const statements: readonly Statement[] = [
  'ALTER TABLE run_claims DROP COLUMN said_lines',
  'ALTER TABLE run_claims DROP COLUMN said_calls',
  'ALTER TABLE run_claims ADD COLUMN said TEXT',
];
