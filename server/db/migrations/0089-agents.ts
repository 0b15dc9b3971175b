import type { Statement } from '../dialect.ts';

/** Agents: tokens of their own, versions that they wrote, runs from which people are hidden, and tasks for drafts that have none. */

export const statements: readonly Statement[] = [
  `ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'personal'`,
  `ALTER TABLE tokens ADD COLUMN sees_personal_data INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX tokens_of_agents ON tokens (id) WHERE kind = 'agent' AND revoked_at IS NULL`,
  `ALTER TABLE task_versions ADD COLUMN created_via TEXT`,
  `ALTER TABLE task_versions ADD COLUMN created_by_agent TEXT`,
  `ALTER TABLE task_versions ADD COLUMN evidence TEXT`,
  `ALTER TABLE runs ADD COLUMN hides_people INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE tasks ADD COLUMN drafts_of INTEGER`,
  `CREATE INDEX tasks_of_drafts ON tasks (drafts_of) WHERE drafts_of IS NOT NULL`,
];
