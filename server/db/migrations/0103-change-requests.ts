import type { Statement } from '../dialect.ts';

/** The newest request for changes on a version. */
export const statements: readonly Statement[] = [`ALTER TABLE task_versions ADD COLUMN change_request_id INTEGER`];
