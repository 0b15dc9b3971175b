import { createHash } from 'node:crypto';
import type { At, Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { DEFAULT_TEMPLATE, pagePath } from './rules.ts';
import * as store from './store.ts';

/**
 * One at a time changes which template a page has: a page that is made while another theme becomes active would be
 * left without one. Asked for before any row.
 */
export async function holdTemplates(ctx: At): Promise<{ activeThemeId: number }> {
  await ctx.dialect.lockName(ctx.db, 'theme templates');
  return { activeThemeId: await store.holdActiveTheme(ctx) };
}

/** A page's source in the active theme. */
export async function contentOf(db: Db, pageId: number): Promise<string> {
  return (await store.selectActiveContent(db, pageId)) ?? DEFAULT_TEMPLATE;
}

/** What the templates of the active theme may use of it, by path. */
export async function sharedTemplates(db: Db): Promise<Record<string, string>> {
  const rows = await store.selectActiveShared(db);
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

/** Writes a template in the place of the one of its path. */
export function writeTemplate(db: Db, template: store.NewTemplate): Promise<void> {
  return store.saveTemplate(db, template);
}

/** In every theme the template goes with the slug (decisions.md P6). */
export function movePageTemplates(ctx: Ctx, page: PageRef): Promise<void> {
  return store.movePageTemplates(ctx.db, page.id, pagePath(page.slug), ctx.now);
}

/** Every page has a template in the active theme (decisions.md P7). */
export function addMissingTemplates(ctx: Ctx, themeId: number): Promise<void> {
  return store.insertMissing(ctx.db, themeId, pagePath(''), DEFAULT_TEMPLATE, ctx.now);
}

/** How notes tell one source from another without keeping it. */
export function sourceMark(content: string | null): string | null {
  if (content === null) return null;
  return `${content.length} characters, sha256 ${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}
