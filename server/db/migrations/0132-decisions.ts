import type { Statement } from '../dialect.ts';

/** What admins decided, with what a passkey signed. */
export const statements: readonly Statement[] = [
  // Rows are never changed and never deleted: `backroom verify approvals` checks each of them.
  `CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    acts TEXT NOT NULL,
    admin_id INTEGER,
    token_id INTEGER,
    way TEXT NOT NULL,
    subject_type TEXT NOT NULL,
    subject_id INTEGER,
    payload TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    credential_id TEXT,
    public_key TEXT,
    authenticator_data TEXT,
    client_data TEXT,
    signature TEXT,
    origin TEXT,
    rp_id TEXT
  ) STRICT`,
  `CREATE INDEX decisions_by_subject ON decisions (subject_type, subject_id)`,
  `CREATE TABLE gestures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    payload TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT
  ) STRICT`,
  `CREATE INDEX gestures_by_admin ON gestures (admin_id)`,
  `CREATE INDEX gestures_by_expiry ON gestures (expires_at)`,
];
