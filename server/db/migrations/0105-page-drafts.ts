import type { Statement } from '../dialect.ts';

/** What of a page is changed but not yet published, for each theme in which it was written. */
export const statements: readonly Statement[] = [
  `CREATE TABLE page_drafts (
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    theme_id INTEGER NOT NULL REFERENCES themes (id) ON DELETE CASCADE,
    changes TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (theme_id, page_id)
  ) STRICT`,
  `CREATE INDEX page_drafts_by_page ON page_drafts (page_id)`,
];
