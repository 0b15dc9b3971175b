import type { Statement } from '../dialect.ts';

/** Passkeys and what they open: sessions of the console with their short-lived tokens, and codes by which somebody may make one. */
export const passkeys: readonly Statement[] = [
  // A deleted passkey stays, without its name: what was signed with it can still be checked, and it tells that the shop has had one.
  `CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    admin_id INTEGER NOT NULL REFERENCES admins (id),
    credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    rp_id TEXT NOT NULL,
    backup_eligible INTEGER NOT NULL,
    backed_up INTEGER NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    deleted_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX passkeys_by_admin ON passkeys (admin_id)`,
  // A session is the row of `tokens` with the same id, which has its device, its admin, its end and its last use.
  `CREATE TABLE sessions (
    id INTEGER NOT NULL PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL UNIQUE,
    passkey_id INTEGER NOT NULL REFERENCES passkeys (id),
    address TEXT NOT NULL,
    renewed_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX sessions_by_passkey ON sessions (passkey_id)`,
  `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
  `CREATE TABLE session_tokens (
    token_hash TEXT NOT NULL PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX session_tokens_by_session ON session_tokens (session_id)`,
  `CREATE INDEX session_tokens_by_expiry ON session_tokens (expires_at)`,
  `CREATE TABLE passkey_challenges (
    challenge_hash TEXT NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL,
    admin_id INTEGER REFERENCES admins (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX passkey_challenges_by_admin ON passkey_challenges (admin_id)`,
  `CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`,
  `CREATE TABLE passkey_codes (
    code_hash TEXT NOT NULL PRIMARY KEY,
    admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX passkey_codes_by_admin ON passkey_codes (admin_id)`,
  `CREATE INDEX passkey_codes_by_expiry ON passkey_codes (expires_at)`,
  `CREATE TABLE recovery_codes (
    code_hash TEXT NOT NULL PRIMARY KEY,
    admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    used_at TEXT
  ) STRICT`,
  `CREATE INDEX recovery_codes_by_admin ON recovery_codes (admin_id)`,
];
