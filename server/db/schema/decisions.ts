import type { Statement } from '../dialect.ts';

/** What admins decided, with what was signed, and what is about to be signed. */
export const decisions: readonly Statement[] = [
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
    rp_id TEXT,
    chain TEXT
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

/** What one owner proposes to change of the policy, until another one has decided on it. */
export const policyChanges: readonly Statement[] = [
  // `body` is gone once it is decided on: it may hold a password.
  `CREATE TABLE policy_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT,
    acts TEXT NOT NULL,
    decided TEXT NOT NULL,
    comment TEXT,
    state TEXT NOT NULL,
    proposed_by INTEGER NOT NULL REFERENCES admins (id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    decided_by INTEGER,
    decided_at TEXT,
    reason TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX policy_changes_by_expiry ON policy_changes (expires_at)`,
];

/** Plans of two persons that wait for the second, or have waited. */
export const planRequests: readonly Statement[] = [
  `CREATE TABLE plan_requests (
    run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    asked_by INTEGER NOT NULL REFERENCES admins (id),
    asked_at TEXT NOT NULL,
    comment TEXT,
    decided_by INTEGER,
    decided_at TEXT,
    reason TEXT
  ) STRICT`,
  `CREATE INDEX plan_requests_waiting ON plan_requests (run_id) WHERE state = 'waiting'`,
];
