import type { Statement } from '../dialect.ts';

/** What the authorization server keeps: clients, requests to be connected, codes, grants and tokens. */
export const oauth: readonly Statement[] = [
  `CREATE TABLE oauth_records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    grant_id TEXT,
    agent_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE,
    payload TEXT NOT NULL,
    consumed_at TEXT,
    expires_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL`,
  `CREATE INDEX oauth_records_by_agent ON oauth_records (agent_id) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX oauth_records_by_expiry ON oauth_records (expires_at)`,
];
