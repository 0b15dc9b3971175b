import { SHARED_TEMPLATES_MAX, TEMPLATE_PATH, type ThemeTemplate, type ThemeTemplateRow } from '../../../contract/themes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { pageOfSlug, touchPage } from '../pages/domain.ts';
import { holdTemplates, sourceMark, writeTemplate } from '../templates/domain.ts';
import { slugIn } from '../templates/rules.ts';
import * as store from './template-store.ts';

/** A template that does not exist yet has a version too, because a PUT may create it; a GET refuses it in its verb. */
export const recordVersions = {
  theme_template: async (db, { id, path }) =>
    TEMPLATE_PATH.test(String(path)) ? store.selectTemplateVersion(db, { theme_id: Number(id), path: String(path) }) : null,
} satisfies RecordVersions;

type Place = { id: number; path: string };

export function listTemplates(ctx: Ctx, themeId: number): Promise<ThemeTemplateRow[]> {
  return store.listTemplates(ctx.db, themeId);
}

export async function getTemplate(ctx: Ctx, { id, path }: Place): Promise<ThemeTemplate> {
  const template = await store.selectTemplate(ctx.db, { theme_id: id, path });
  if (!template) throw new Refusal('not_found', `Theme ${id} has no template "${path}".`);
  return template;
}

export async function saveTemplate(ctx: Ctx, { id, path }: Place, content: string) {
  const { activeThemeId } = await holdTemplates(ctx);
  const slug = slugIn(path);
  const page = slug === null ? null : await pageOfSlug(ctx, slug);
  if (slug !== null && !page) throw new Refusal('not_found', `There is no page with the slug "${slug}", which this template would be for.`);
  const place = { theme_id: id, path };
  const before = await store.selectTemplate(ctx.db, place);
  const changed = before?.content !== content;
  if (changed) {
    if (!page) await checkRoom(ctx, place, content);
    await writeTemplate(ctx.db, { ...place, page_id: page?.id ?? null, content, updated_at: ctx.now });
    if (page && id === activeThemeId) await touchPage(ctx, page.id);
  }
  ctx.audit({
    resource: { type: 'theme', id },
    changes: changed ? { [path]: [sourceMark(before?.content ?? null), sourceMark(content)] } : {},
    summary: `Theme ${id}: template "${path}" ${changed ? (before ? 'changed' : 'written') : 'unchanged'}`,
  });
  const updated_at = before && !changed ? before.updated_at : ctx.now;
  return { path, content, updated_at, warnings: [...ctx.prepared.warnings] };
}

/** Refuses too much text, because a preview holds all templates that belong to no page in memory. */
async function checkRoom(ctx: Ctx, place: store.TemplatePlace, content: string): Promise<void> {
  const total = (await store.sumShared(ctx.db, place)) + content.length;
  if (total <= SHARED_TEMPLATES_MAX) return;
  throw refuseValue(
    'too_long',
    '/content',
    `the theme's templates that belong to no page may have ${SHARED_TEMPLATES_MAX} characters together, and would have ${total}`,
  );
}
