import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';

/** `page_id` is null for a template that belongs to no page. */
export type NewTemplate = { theme_id: number; path: string; page_id: number | null; content: string; updated_at: string };

/** The id of the active theme, locked so that it stays active until this transaction ends. */
export async function holdActiveTheme({ db, dialect }: At): Promise<number> {
  const { id } = await db.selectFrom('themes').select('id').where('active', '=', 1).modifyEnd(dialect.forShare).executeTakeFirstOrThrow();
  return id;
}

export async function selectActiveTheme(db: Db): Promise<number> {
  return (await db.selectFrom('themes').select('id').where('active', '=', 1).executeTakeFirstOrThrow()).id;
}

/** The templates of one theme; null: of the active one. */
function templatesOf(db: Db, themeId: number | null) {
  return db
    .selectFrom('theme_templates as t')
    .innerJoin('themes', 'themes.id', 't.theme_id')
    .where((eb) => (themeId === null ? eb('themes.active', '=', 1) : eb('themes.id', '=', themeId)));
}

/** The source of a page's template in a theme; null if it has none. */
export async function selectContent(db: Db, themeId: number | null, pageId: number): Promise<string | null> {
  const row = await templatesOf(db, themeId).select('t.content').where('t.page_id', '=', pageId).executeTakeFirst();
  return row?.content ?? null;
}

/** The templates of a theme that belong to no page. */
export function selectShared(db: Db, themeId: number | null): Promise<{ path: string; content: string }[]> {
  return templatesOf(db, themeId).select(['t.path', 't.content']).where('t.page_id', 'is', null).execute();
}

export async function saveTemplate(db: Db, template: NewTemplate): Promise<void> {
  const { content, updated_at } = template;
  await db
    .insertInto('theme_templates')
    .values(template)
    .onConflict((conflict) =>
      conflict
        .columns(['theme_id', 'path'])
        .doUpdateSet({ content, updated_at, row_version: sql<number>`theme_templates.row_version + 1` }),
    )
    .execute();
}

/** Sets the path of a page's templates in all themes. */
export async function movePageTemplates(db: Db, pageId: number, path: string, now: string): Promise<void> {
  await db
    .updateTable('theme_templates')
    .set({ path, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('page_id', '=', pageId)
    .execute();
}

/** Adds a template with this content for every page that has none in the theme. */
export async function insertMissing(db: Db, themeId: number, pathStart: string, content: string, now: string): Promise<void> {
  await sql`
    INSERT INTO theme_templates (theme_id, path, page_id, content, updated_at)
    SELECT CAST(${themeId} AS bigint), CAST(${pathStart} AS text) || p.slug, p.id, CAST(${content} AS text), CAST(${now} AS text)
    FROM pages p
    WHERE NOT EXISTS (SELECT 1 FROM theme_templates t WHERE t.page_id = p.id AND t.theme_id = ${themeId})`.execute(db);
}
