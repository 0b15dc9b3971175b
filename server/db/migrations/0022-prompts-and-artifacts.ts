/** The questions that runs ask people, and the files that they write. Both belong to the lineage, so that a resumed run finds them. */
export const statements: readonly string[] = [
  `CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lineage_id TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    UNIQUE (lineage_id, name, content_type, sha256)
  ) STRICT`,
  `CREATE TABLE run_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lineage_id TEXT NOT NULL,
    key TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    asked_by_run_id INTEGER NOT NULL,
    label TEXT NOT NULL,
    fields TEXT NOT NULL,
    answers TEXT,
    created_at TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    answered_at TEXT,
    answered_by INTEGER,
    UNIQUE (lineage_id, key)
  ) STRICT`,
  `CREATE INDEX run_prompts_open ON run_prompts (asked_by_run_id) WHERE answered_at IS NULL`,
  `CREATE INDEX run_prompts_due ON run_prompts (asked_at) WHERE answered_at IS NULL`,
];
