import { sql } from 'kysely';
import type { ThemeTemplate, ThemeTemplateRow } from '../../../contract/themes.ts';
import type { Db } from '../../db/open.ts';

export type TemplatePlace = { theme_id: number; path: string };

/** The total characters of a theme's templates that belong to no page, without the template at `path`. */
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

/**
 * The version of a template: null if there is no such theme, 0 if the theme has no such template yet. The id of the
 * template's page is part of it, because a path may pass to another page.
 */
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
