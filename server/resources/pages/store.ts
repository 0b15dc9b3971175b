import { sql } from 'kysely';
import { z } from 'zod';
import { type PageDetail, type PageSummary, PageTranslation } from '../../../contract/pages.ts';
import { fold } from '../../../contract/values.ts';
import { toColumns } from '../../db/columns.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { NewRow } from '../../db/tables.ts';

/** All of a page but what its theme and its image have of it. */
export type StoredPage = Omit<PageDetail, 'content' | 'og_image_url'>;

const summaryColumns = ['id', 'slug', 'title', 'published', 'created_at', 'updated_at'] as const;
const columns = [...summaryColumns, 'meta_title', 'meta_description', 'og_image_media_id'] as const;

/** By title. `searchFolded` is looked for in titles and slugs. */
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

export async function selectPage(db: Db, id: number): Promise<StoredPage | null> {
  const row = await db.selectFrom('pages').select(columns).where('id', '=', id).executeTakeFirst();
  return row ? toPage(row) : null;
}

export async function lockPage({ db, dialect }: At, id: number): Promise<StoredPage | null> {
  const row = await db.selectFrom('pages').select(columns).where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ? toPage(row) : null;
}

/** Those that there are; none can go away before this transaction ends. */
export async function holdPages({ db, dialect }: At, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('pages').select('id').where('id', 'in', ids).orderBy('id').modifyEnd(dialect.forShare).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function lockPageOfSlug({ db, dialect }: At, slug: string): Promise<{ id: number; slug: string } | null> {
  const row = await db.selectFrom('pages').select(['id', 'slug']).where('slug', '=', slug).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ?? null;
}

/** null where the slug is taken. */
export async function insertPage(db: Db, page: Omit<StoredPage, 'id'>): Promise<StoredPage | null> {
  const { published, ...values } = page;
  const row: NewRow<'pages'> = {
    ...values,
    published: published ? 1 : 0,
    slug_folded: fold(page.slug),
    title_folded: fold(page.title),
  };
  const inserted = await db
    .insertInto('pages')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted ? { id: inserted.id, ...page } : null;
}

export async function isSlugTaken(db: Db, slug: string, exceptId: number): Promise<boolean> {
  const row = await db.selectFrom('pages').select('id').where('slug', '=', slug).where('id', '<>', exceptId).executeTakeFirst();
  return row !== undefined;
}

export function updatePage(db: Db, id: number, changes: Partial<StoredPage>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['slug', 'title']));
}

const setColumns = updateVersioned('pages');

/** The active theme has become another one: what pages show has changed, what they are has not. */
export async function countUpAll(db: Db): Promise<void> {
  await db.updateTable('pages').set({ row_version: sql<number>`row_version + 1` }).execute();
}

/** Takes an image off the pages that show it; gives their ids. */
export async function clearOgImage(db: Db, mediaId: number, now: string): Promise<number[]> {
  const rows = await db
    .updateTable('pages')
    .set({ og_image_media_id: null, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('og_image_media_id', '=', mediaId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** With its templates, its translations and its places in access groups. */
export async function deletePage(db: Db, id: number): Promise<void> {
  await db.deleteFrom('pages').where('id', '=', id).execute();
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
