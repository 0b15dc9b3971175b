/** Links that work once: they sign in, or download one file. */
export const statements: readonly string[] = [
  `CREATE TABLE one_time_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL UNIQUE,
    target TEXT,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX one_time_links_by_token ON one_time_links (token_id)`,
  `CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at)`,
];
