import type { Statement } from '../dialect.ts';

/** The token of the agent that started a run, which loses its rights with it. */
export const statements: readonly Statement[] = [`ALTER TABLE runs ADD COLUMN agent_token_id INTEGER`];
