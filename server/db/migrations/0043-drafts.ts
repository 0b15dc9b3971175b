/**
 * A version without a number is a draft. SQLite can drop a NOT NULL only with the whole table; references to it are checked when the
 * transaction ends, with the same rows there again.
 */
const pending = 'approved_by IS NULL AND rejected_at IS NULL AND revoked_at IS NULL';

export const statements = [
  {
    sqlite: [
      'PRAGMA defer_foreign_keys = ON',
      'CREATE TABLE task_versions_kept AS SELECT * FROM task_versions',
      'DROP TABLE task_versions',
      `CREATE TABLE task_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task_id INTEGER NOT NULL REFERENCES tasks (id),
        version INTEGER,
        source_code TEXT NOT NULL,
        source_sha256 TEXT NOT NULL,
        permissions TEXT NOT NULL,
        parameters TEXT NOT NULL,
        warnings TEXT NOT NULL,
        created_by INTEGER NOT NULL,
        approved_by INTEGER,
        approved_at TEXT,
        revoked_at TEXT,
        created_at TEXT NOT NULL,
        rejected_at TEXT,
        note TEXT,
        UNIQUE (task_id, version)
      ) STRICT`,
      'INSERT INTO task_versions SELECT * FROM task_versions_kept',
      'DROP TABLE task_versions_kept',
      `CREATE INDEX task_versions_pending ON task_versions (task_id, version) WHERE ${pending}`,
      `CREATE INDEX task_versions_waiting ON task_versions (id) WHERE ${pending}`,
    ],
    postgres: ['ALTER TABLE task_versions ALTER COLUMN version DROP NOT NULL'],
  },
];
