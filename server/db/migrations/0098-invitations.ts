import type { Statement } from '../dialect.ts';
import { indexesOfLinks, invitations, linksBeforePasskeys } from '../schema/invitations.ts';

const newColumns = [
  'admin_id INTEGER REFERENCES admins (id) ON DELETE CASCADE',
  'invitation_id INTEGER REFERENCES admin_invitations (id) ON DELETE CASCADE',
  'made_by INTEGER REFERENCES admins (id) ON DELETE CASCADE',
];

/** Invitations, links that no token made, and the devices of those who signed in. SQLite cannot make a column nullable, so it copies the links. */
export const statements: readonly Statement[] = [
  ...invitations,
  `ALTER TABLE tokens ADD COLUMN device TEXT`,
  {
    sqlite: [
      ...['by_token', 'by_expiry'].map((name) => `DROP INDEX one_time_links_${name}`),
      `ALTER TABLE one_time_links RENAME TO earlier_links`,
      linksBeforePasskeys,
      `INSERT INTO one_time_links (id, token_id, code_hash, target, expires_at, used_at, created_at)
        SELECT id, token_id, code_hash, target, expires_at, used_at, created_at FROM earlier_links`,
      `DROP TABLE earlier_links`,
      ...indexesOfLinks,
    ],
    postgres: [
      `ALTER TABLE one_time_links ALTER COLUMN token_id DROP NOT NULL`,
      ...newColumns.map((column) => `ALTER TABLE one_time_links ADD COLUMN ${column.replace('INTEGER', 'BIGINT')}`),
      ...indexesOfLinks.slice(2),
    ],
  },
];
