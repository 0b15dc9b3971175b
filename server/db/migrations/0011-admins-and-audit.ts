/** Row versions and search for admins; indexes of the audit log by actor, action and time. */
export const statements: readonly string[] = [
  `ALTER TABLE admins ADD COLUMN row_version INTEGER NOT NULL DEFAULT 1`,
  `ALTER TABLE admins ADD COLUMN name_folded TEXT NOT NULL DEFAULT ''`,
  `UPDATE admins SET name_folded = upper(name)`,
  `CREATE INDEX tokens_by_admin ON tokens (admin_id)`,
  `CREATE INDEX audit_log_by_actor ON audit_log (actor_id, id)`,
  `CREATE INDEX audit_log_by_action ON audit_log (action, id)`,
  `CREATE INDEX audit_log_by_time ON audit_log (at, id)`,
];
