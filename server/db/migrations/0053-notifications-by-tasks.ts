/** Notifications that tasks and admins write: with a link, for all admins or for some, and counted for each lineage. */
export const statements: readonly string[] = [
  `ALTER TABLE notifications ADD COLUMN link TEXT`,
  `ALTER TABLE notifications ADD COLUMN for_all INTEGER NOT NULL DEFAULT 1`,
  `CREATE INDEX notifications_for_some ON notifications (id) WHERE for_all = 0`,
  `CREATE TABLE notification_admins (
    admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    PRIMARY KEY (admin_id, notification_id)
  ) STRICT`,
  `CREATE INDEX notification_admins_by_notification ON notification_admins (notification_id, admin_id)`,
  `ALTER TABLE lineages ADD COLUMN notifications INTEGER NOT NULL DEFAULT 0`,
];
