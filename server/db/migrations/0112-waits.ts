import type { Statement } from '../dialect.ts';
import { awaitedEvents } from '../schema/logs.ts';
import { waitIndexes } from '../schema/runs.ts';

/** Runs wait for events, signals and times without a worker. */
export const statements: readonly Statement[] = [
  ...[
    'awaits TEXT',
    'match TEXT',
    'found_by TEXT',
    'due_ms INTEGER',
    'open_writes TEXT',
    'open_in INTEGER',
    'wakes INTEGER NOT NULL DEFAULT 0',
  ].map((column) => `ALTER TABLE run_prompts ADD COLUMN ${column}`),
  'DROP INDEX run_prompts_due',
  'DROP INDEX run_prompts_awaits',
  ...waitIndexes,
  'ALTER TABLE run_claims ADD COLUMN said_lines INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE run_claims ADD COLUMN said_calls INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE domain_events ADD COLUMN stored_in INTEGER NOT NULL DEFAULT 0',
  ...awaitedEvents,
];
