import { sql } from 'kysely';
import { z } from 'zod';
import { type PageDetail, type PageSummary, PageTranslation } from '../../../contract/pages.ts';
import type { At, Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { takenIn } from '../../db/queries/unique-values.ts';

/** A page without its content (from the theme) and its image's URL. */
export type StoredPage = Omit<PageDetail, 'content' | 'og_image_url'>;

const summaryColumns = ['id', 'slug', 'title', 'published', 'created_at', 'updated_at'] as const;

/** Deleting a page also deletes its templates, translations and places in access groups (cascading foreign keys). */
export const pages = recordTable('pages', {
  type: 'page',
  toRecord: ({ slug_folded: _, title_folded: __, row_version: ___, ...row }): StoredPage => toPage(row),
  toRow: (page) => toColumns(page, ['slug', 'title']),
  search: ['title_folded', 'slug_folded'],
  order: { name: 'title_folded', type: 'text' },
});

export const isSlugTaken = takenIn('pages', 'slug');

/** Pages by title. `searchFolded` is searched in titles and slugs. */
export async function selectPages({ db, dialect }: At, searchFolded: string): Promise<PageSummary[]> {
  const all = db.selectFrom('pages').select(summaryColumns).orderBy('title_folded').orderBy('id');
  const found =
    searchFolded === ''
      ? all
      : all.where((eb) =>
          eb.or([dialect.contains(eb.ref('title_folded'), searchFolded), dialect.contains(eb.ref('slug_folded'), searchFolded)]),
        );
  return (await found.execute()).map(toPage);
}

export async function selectPageOfSlug(db: Db, slug: string): Promise<number | null> {
  const row = await db.selectFrom('pages').select('id').where('slug', '=', slug).executeTakeFirst();
  return row?.id ?? null;
}

export async function lockPageOfSlug({ db, dialect }: At, slug: string): Promise<{ id: number; slug: string } | null> {
  const row = await db.selectFrom('pages').select(['id', 'slug']).where('slug', '=', slug).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ?? null;
}

/**
 * Raises the row versions of all pages, because another theme became active: the pages show other content, though their own
 * columns stay.
 */
export async function raiseAllVersions(db: Db): Promise<void> {
  await db.updateTable('pages').set({ row_version: sql<number>`row_version + 1` }).execute();
}

/** Removes an image from the pages that show it; returns their ids. */
export async function clearOgImage(db: Db, mediaId: number, now: string): Promise<number[]> {
  const rows = await db
    .updateTable('pages')
    .set({ og_image_media_id: null, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('og_image_media_id', '=', mediaId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function selectTranslations(db: Db, pageId: number): Promise<PageTranslation[]> {
  const rows = await db
    .selectFrom('page_translations')
    .select(['field', 'locale', 'value'])
    .where('page_id', '=', pageId)
    .orderBy('field')
    .orderBy('locale')
    .execute();
  return Translations.parse(rows);
}

const Translations = z.array(PageTranslation);

export async function replaceTranslations(db: Db, pageId: number, entries: readonly PageTranslation[]): Promise<void> {
  await db.deleteFrom('page_translations').where('page_id', '=', pageId).execute();
  const rows = entries.map((entry) => ({ page_id: pageId, ...entry }));
  if (rows.length > 0) await db.insertInto('page_translations').values(rows).execute();
}

function toPage<Row extends { published: number }>(row: Row): Omit<Row, 'published'> & { published: boolean } {
  return { ...row, published: row.published === 1 };
}

/** The pages that have a draft in a theme. */
export function selectDrafts(db: Db, themeId: number): Promise<{ page_id: number; updated_at: string }[]> {
  return db.selectFrom('page_drafts').select(['page_id', 'updated_at']).where('theme_id', '=', themeId).orderBy('page_id').execute();
}

export async function selectDraft(db: Db, pageId: number, themeId: number): Promise<{ changes: string; updated_at: string } | null> {
  const row = await db
    .selectFrom('page_drafts')
    .select(['changes', 'updated_at'])
    .where('theme_id', '=', themeId)
    .where('page_id', '=', pageId)
    .executeTakeFirst();
  return row ?? null;
}

export async function saveDraft(db: Db, draft: { page_id: number; theme_id: number; changes: string; updated_at: string }): Promise<void> {
  const { changes, updated_at } = draft;
  await db
    .insertInto('page_drafts')
    .values(draft)
    .onConflict((conflict) => conflict.columns(['theme_id', 'page_id']).doUpdateSet({ changes, updated_at }))
    .execute();
}

export async function deleteDraft(db: Db, pageId: number, themeId: number): Promise<void> {
  await db.deleteFrom('page_drafts').where('theme_id', '=', themeId).where('page_id', '=', pageId).execute();
}
