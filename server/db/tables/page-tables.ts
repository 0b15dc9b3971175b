import type { Generated } from 'kysely';

/** Pages and themes, in the form that tables.ts describes. */

export type PageTables = {
  pages: PagesTable;
  page_translations: PageTranslationsTable;
  page_drafts: PageDraftsTable;
  themes: ThemesTable;
  theme_templates: ThemeTemplatesTable;
};

type PagesTable = {
  id: Generated<number>;
  slug: string;
  slug_folded: string;
  title: string;
  title_folded: string;
  published: number;
  /** '': not set. */
  meta_title: string;
  meta_description: string;
  og_image_media_id: number | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type PageTranslationsTable = { page_id: number; field: string; locale: string; value: string };

/** `changes`: JSON of the fields that differ from the page's own. */
type PageDraftsTable = { page_id: number; theme_id: number; changes: string; updated_at: string };

type ThemesTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  /** 1 in exactly one row. */
  active: number;
  created_at: string;
  row_version: Generated<number>;
};

type ThemeTemplatesTable = {
  theme_id: number;
  path: string;
  /** The page that the template is for; its path contains the page's slug. null: a template that other templates use. */
  page_id: number | null;
  content: string;
  updated_at: string;
  row_version: Generated<number>;
};
