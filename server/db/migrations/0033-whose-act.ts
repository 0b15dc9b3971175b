/**
 * The uploader of a file; the admin for whom schedules, triggers and log entries act; what runs might read; when clients were last heard
 * of.
 */
export const statements = [
  // Null if a run uploaded the file or the uploader is unknown: then only an admin who may read all files can give it to a task.
  'ALTER TABLE files ADD COLUMN uploaded_by INTEGER',
  `UPDATE files SET uploaded_by = (
    SELECT max(a.actor_id) FROM audit_log a
    WHERE a.resource_type = 'file' AND a.resource_id = files.id AND a.action = 'files.create' AND a.actor_type = 'admin')`,
  ...['schedules', 'triggers'].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN acts_for INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE ${table} ADD COLUMN reads_files INTEGER NOT NULL DEFAULT 0`,
    `UPDATE ${table} SET acts_for = created_by, reads_files = 1`,
  ]),
  'ALTER TABLE schedules ADD COLUMN queued INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE schedules ADD COLUMN queue_due_ms INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX schedules_queued ON schedules (queue_due_ms, id) WHERE queued > 0',
  'ALTER TABLE log_entries ADD COLUMN admin_id INTEGER',
  'ALTER TABLE log_entries ADD COLUMN admin_name TEXT',
  'ALTER TABLE log_entries ADD COLUMN run_id INTEGER',
  'ALTER TABLE runs ADD COLUMN client_seen_ms INTEGER',
  {
    sqlite: [
      `UPDATE runs SET client_seen_ms = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE status = 'running' AND executor = 'external'`,
    ],
    postgres: [
      `UPDATE runs SET client_seen_ms = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
        WHERE status = 'running' AND executor = 'external'`,
    ],
  },
  `CREATE INDEX runs_clients ON runs (client_seen_ms) WHERE status = 'running' AND executor = 'external'`,
  // Null for a lineage from before this migration; the version of its run then tells the permissions.
  'ALTER TABLE lineages ADD COLUMN permissions TEXT',
];
