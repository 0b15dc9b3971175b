import { createHash } from 'node:crypto';
import type { At, Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { DEFAULT_TEMPLATE, pagePath } from './rules.ts';
import * as store from './store.ts';

/**
 * Takes a lock, so that only one transaction at a time changes which template a page has; otherwise a page that is created
 * while another theme becomes active would have no template in it. Must be called before any row is locked.
 */
export async function holdTemplates(ctx: At): Promise<{ activeThemeId: number }> {
  await ctx.dialect.lockName(ctx.db, 'theme templates');
  return { activeThemeId: await store.holdActiveTheme(ctx) };
}

/** The id of the active theme. */
export { selectActiveTheme as activeTheme } from './store.ts';

/** The source of a page's template in a theme; null: in the active one. */
export async function contentOf(db: Db, pageId: number, themeId: number | null = null): Promise<string> {
  return (await store.selectContent(db, themeId, pageId)) ?? DEFAULT_TEMPLATE;
}

/** The templates of a theme (null: of the active one) that belong to no page and that other templates may include, by path. */
export async function sharedTemplates(db: Db, themeId: number | null = null): Promise<Record<string, string>> {
  const rows = await store.selectShared(db, themeId);
  return Object.fromEntries(rows.map(({ path, content }) => [path, content]));
}

type PageRef = { id: number; slug: string };

export async function savePageTemplate(
  ctx: Pick<Ctx, 'db' | 'now'>,
  themeId: number,
  page: PageRef,
  content: string = DEFAULT_TEMPLATE,
): Promise<void> {
  await store.saveTemplate(ctx.db, { theme_id: themeId, path: pagePath(page.slug), page_id: page.id, content, updated_at: ctx.now });
}

/** Stores a template, in place of one with the same path. */
export { saveTemplate as writeTemplate } from './store.ts';

/** Renames the page's template in every theme, because its path contains the slug (spec P6). */
export function movePageTemplates(ctx: Ctx, page: PageRef): Promise<void> {
  return store.movePageTemplates(ctx.db, page.id, pagePath(page.slug), ctx.now);
}

/** Adds the default template for pages that have none in this theme (spec P7). */
export function addMissingTemplates(ctx: Ctx, themeId: number): Promise<void> {
  return store.insertMissing(ctx.db, themeId, pagePath(''), DEFAULT_TEMPLATE, ctx.now);
}

/** A short mark of a source for the audit log, which tells sources apart without storing them. */
export function sourceMark(content: string | null): string | null {
  if (content === null) return null;
  return `${content.length} characters, sha256 ${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}
