import type { Statement } from '../dialect.ts';

const firstTheme = (now: string): string =>
  `INSERT INTO themes (name, name_folded, active, created_at) VALUES ('Default', 'DEFAULT', 1, ${now})`;

/** The pages of the shop with their translations, and the themes with the templates for them. */
export const pages: readonly Statement[] = [
  `CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    slug_folded TEXT NOT NULL,
    title TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    published INTEGER NOT NULL,
    meta_title TEXT NOT NULL,
    meta_description TEXT NOT NULL,
    og_image_media_id INTEGER REFERENCES media (id),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX pages_by_title ON pages (title_folded, id)`,
  `CREATE INDEX pages_by_og_image ON pages (og_image_media_id)`,
  `CREATE TABLE page_translations (
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    locale TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (page_id, field, locale)
  ) STRICT`,
  `CREATE TABLE themes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE UNIQUE INDEX themes_active ON themes (active) WHERE active = 1`,
  `CREATE INDEX themes_by_name ON themes (name_folded, id)`,
  // Exactly one theme is active, from the start.
  {
    sqlite: [firstTheme(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`)],
    postgres: [firstTheme(`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)],
  },
  `CREATE TABLE theme_templates (
    theme_id INTEGER NOT NULL REFERENCES themes (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    page_id INTEGER REFERENCES pages (id) ON DELETE CASCADE,
    content TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (theme_id, path)
  ) STRICT`,
  `CREATE INDEX theme_templates_by_page ON theme_templates (page_id, theme_id)`,
  `CREATE TABLE page_drafts (
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    theme_id INTEGER NOT NULL REFERENCES themes (id) ON DELETE CASCADE,
    changes TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (theme_id, page_id)
  ) STRICT`,
  `CREATE INDEX page_drafts_by_page ON page_drafts (page_id)`,
];
