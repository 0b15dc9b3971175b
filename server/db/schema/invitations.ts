import type { Statement } from '../dialect.ts';

export const invitations: readonly Statement[] = [
  `CREATE TABLE admin_invitations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    role_id INTEGER REFERENCES roles (id),
    permissions TEXT NOT NULL,
    invited_by INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    mailed INTEGER NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX admin_invitations_by_expiry ON admin_invitations (expires_at)`,
];

/** The links of stores from before passkeys, which migration 0098 made. */
export const linksBeforePasskeys = `CREATE TABLE one_time_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL UNIQUE,
    target TEXT,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    created_at TEXT NOT NULL,
    admin_id INTEGER REFERENCES admins (id) ON DELETE CASCADE,
    invitation_id INTEGER REFERENCES admin_invitations (id) ON DELETE CASCADE,
    made_by INTEGER REFERENCES admins (id) ON DELETE CASCADE
  ) STRICT`;

/** A link belongs to the token that made it, to the admin who signs in by it, or to an invitation. */
export const oneTimeLinks = linksBeforePasskeys.replace('\n  ) STRICT', ',\n    enrols INTEGER NOT NULL DEFAULT 0\n  ) STRICT');

export const indexesOfLinks: readonly string[] = [
  `CREATE INDEX one_time_links_by_token ON one_time_links (token_id)`,
  `CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at)`,
  `CREATE INDEX one_time_links_by_admin ON one_time_links (admin_id) WHERE admin_id IS NOT NULL`,
  `CREATE INDEX one_time_links_by_invitation ON one_time_links (invitation_id) WHERE invitation_id IS NOT NULL`,
];
