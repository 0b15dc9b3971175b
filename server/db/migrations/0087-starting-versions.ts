/** Finds the tasks whose current versions may start others. */
export const statements: readonly string[] = [
  `CREATE INDEX task_versions_starting ON task_versions (task_id, id, may_start) WHERE may_start <> '[]'`,
];
