/** Saved views of the console's screens: filters and columns under a name. */
export const statements: readonly string[] = [
  `CREATE TABLE saved_views (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    screen TEXT NOT NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    search TEXT NOT NULL,
    columns TEXT,
    shared INTEGER NOT NULL,
    position INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE UNIQUE INDEX saved_views_by_admin ON saved_views (admin_id, screen, name_folded)`,
  `CREATE INDEX saved_views_shared ON saved_views (screen) WHERE shared = 1`,
];
