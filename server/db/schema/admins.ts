import type { Statement } from '../dialect.ts';
import { indexesOfLinks, invitations, oneTimeLinks } from './invitations.ts';
import { oauth } from './oauth.ts';
import { passkeys } from './passkeys.ts';
import { roles } from './roles.ts';

/** Admins, their roles, tokens, links and saved views. */
export const admins: readonly Statement[] = [
  ...roles,
  `CREATE TABLE admins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    permissions TEXT,
    active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1,
    name_folded TEXT NOT NULL DEFAULT '',
    console TEXT,
    role_id INTEGER REFERENCES roles (id)
  ) STRICT`,
  `CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    admin_id INTEGER REFERENCES admins (id),
    name TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    token_prefix TEXT NOT NULL,
    permissions TEXT,
    expires_at TEXT,
    last_used_at TEXT,
    revoked_at TEXT,
    created_at TEXT NOT NULL,
    parent_token_id INTEGER REFERENCES tokens (id),
    kind TEXT NOT NULL DEFAULT 'personal',
    sees_personal_data INTEGER NOT NULL DEFAULT 0,
    oauth_client TEXT,
    device TEXT,
    single_use INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE INDEX tokens_by_admin ON tokens (admin_id)`,
  `CREATE INDEX tokens_by_parent ON tokens (parent_token_id) WHERE parent_token_id IS NOT NULL`,
  `CREATE INDEX tokens_of_agents ON tokens (id) WHERE kind = 'agent' AND revoked_at IS NULL`,
  ...invitations,
  oneTimeLinks,
  ...indexesOfLinks,
  ...oauth,
  ...passkeys,
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
