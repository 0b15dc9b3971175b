import { sql } from 'kysely';
import type { ThemeTemplate, ThemeTemplateRow } from '../../../contract/themes.ts';
import type { Ctx } from '../../context.ts';
import type { Db } from '../../db/open.ts';

type At = Pick<Ctx, 'db' | 'dialect'>;
export type TemplatePlace = { theme_id: number; path: string };

/** It stays the active one until this transaction ends. */
export async function holdActiveTheme({ db, dialect }: At): Promise<number> {
  const { id } = await db.selectFrom('themes').select('id').where('active', '=', 1).modifyEnd(dialect.forShare).executeTakeFirstOrThrow();
  return id;
}

/** The source in the active theme. */
export async function selectActiveContent(db: Db, pageId: number): Promise<string | null> {
  const row = await db
    .selectFrom('theme_templates as t')
    .innerJoin('themes', 'themes.id', 't.theme_id')
    .select('t.content')
    .where('t.page_id', '=', pageId)
    .where('themes.active', '=', 1)
    .executeTakeFirst();
  return row?.content ?? null;
}

/** Those of the active theme that belong to no page. */
export function selectActiveShared(db: Db): Promise<{ path: string; content: string }[]> {
  return db
    .selectFrom('theme_templates as t')
    .innerJoin('themes', 'themes.id', 't.theme_id')
    .select(['t.path', 't.content'])
    .where('themes.active', '=', 1)
    .where('t.page_id', 'is', null)
    .execute();
}

/** Characters of a theme's templates that belong to no page, but for one of them. */
export async function sumShared(db: Db, { theme_id, path }: TemplatePlace): Promise<number> {
  const { sum } = await db
    .selectFrom('theme_templates')
    .select(sql<number>`CAST(coalesce(sum(length(content)), 0) AS bigint)`.as('sum'))
    .where('theme_id', '=', theme_id)
    .where('page_id', 'is', null)
    .where('path', '<>', path)
    .executeTakeFirstOrThrow();
  return sum;
}

export function listTemplates(db: Db, themeId: number): Promise<ThemeTemplateRow[]> {
  return db
    .selectFrom('theme_templates')
    .select(['path', sql<number>`length(content)`.as('size'), 'updated_at'])
    .where('theme_id', '=', themeId)
    .orderBy('path')
    .execute();
}

export async function selectTemplate(db: Db, { theme_id, path }: TemplatePlace): Promise<ThemeTemplate | null> {
  const row = await db
    .selectFrom('theme_templates')
    .select(['path', 'content', 'updated_at'])
    .where('theme_id', '=', theme_id)
    .where('path', '=', path)
    .executeTakeFirst();
  return row ?? null;
}

/** null: there is no such theme; 0: it has no such template yet. With the page whose template it is. */
export async function selectTemplateVersion(db: Db, { theme_id, path }: TemplatePlace): Promise<number | string | null> {
  const row = await db
    .selectFrom('themes')
    .leftJoin('theme_templates as t', (join) => join.onRef('t.theme_id', '=', 'themes.id').on('t.path', '=', path))
    .select(['t.row_version', 't.page_id'])
    .where('themes.id', '=', theme_id)
    .executeTakeFirst();
  if (!row) return null;
  return row.page_id === null ? (row.row_version ?? 0) : `${row.page_id}-${row.row_version}`;
}

export async function saveTemplate(db: Db, template: TemplatePlace & { page_id: number | null; content: string; updated_at: string }) {
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

/** In every theme. */
export async function movePageTemplates(db: Db, pageId: number, path: string, now: string): Promise<void> {
  await db
    .updateTable('theme_templates')
    .set({ path, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('page_id', '=', pageId)
    .execute();
}

/** Gives this content to every page that the theme has no template for. */
export async function insertMissing(db: Db, themeId: number, pathStart: string, content: string, now: string): Promise<void> {
  await sql`
    INSERT INTO theme_templates (theme_id, path, page_id, content, updated_at)
    SELECT CAST(${themeId} AS bigint), CAST(${pathStart} AS text) || p.slug, p.id, CAST(${content} AS text), CAST(${now} AS text)
    FROM pages p
    WHERE NOT EXISTS (SELECT 1 FROM theme_templates t WHERE t.page_id = p.id AND t.theme_id = ${themeId})`.execute(db);
}
