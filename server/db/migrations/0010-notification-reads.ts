/** Which notifications each admin has read, which mails an admin does not want, and an index for the order of the admins' log. */
export const statements: readonly string[] = [
  `CREATE TABLE notification_reads (
    admin_id INTEGER NOT NULL REFERENCES admins (id),
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    PRIMARY KEY (admin_id, notification_id)
  ) STRICT`,
  `CREATE INDEX notification_reads_by_notification ON notification_reads (notification_id)`,
  `CREATE INDEX notifications_by_time ON notifications (created_at, id)`,
  `CREATE TABLE notification_preferences (
    admin_id INTEGER NOT NULL REFERENCES admins (id),
    event_type TEXT NOT NULL,
    email_enabled INTEGER NOT NULL,
    PRIMARY KEY (admin_id, event_type)
  ) STRICT`,
  `DROP INDEX log_entries_by_source`,
  `CREATE INDEX log_entries_by_source ON log_entries (source, created_at, id)`,
  `CREATE INDEX log_entries_by_time ON log_entries (created_at, id)`,
];
