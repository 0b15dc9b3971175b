import { z } from 'zod';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { PageDetail, PageDraft, PageSummary } from '../../../contract/pages.ts';
import { changesBetween, given, noteChanged } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { lockRecord } from '../../verbs/record-verbs.ts';
import { mediaUrl } from '../media/domain.ts';
import { activeTheme, contentOf, holdTemplates, sourceMark } from '../templates/domain.ts';
import { getPage, holdOgImage, metadataOf, updatePage } from './domain.ts';
import * as store from './store.ts';
import { pages } from './store.ts';

/** What the draft of a page changes. It belongs to the theme that was active when it was written, as the page's template does (spec P14). */
const Changes = z
  .object({
    title: z.string(),
    content: z.string(),
    meta_title: z.string(),
    meta_description: z.string(),
    og_image_media_id: z.int().nullable(),
  })
  .partial();
type Changes = z.infer<typeof Changes>;

export async function listDrafts({ db }: Ctx): Promise<{ page_id: number; updated_at: string }[]> {
  return store.selectDrafts(db, await activeTheme(db));
}

/** A page as it would be with its draft published. */
export async function getDraft(ctx: Pick<Ctx, 'db'>, id: number): Promise<PageDraft> {
  const page = await getPage(ctx, id);
  const draft = await store.selectDraft(ctx.db, id, await activeTheme(ctx.db));
  const changes = changesOf(draft);
  const image = changes.og_image_media_id;
  const og_image_url = image === undefined ? page.og_image_url : image === null ? null : await mediaUrl(ctx.db, image);
  return { ...page, ...given(changes), og_image_url, draft_updated_at: draft?.updated_at ?? null };
}

type Sent = InputOf<Endpoints['pages.save_draft']>['body'];

/** Changes the draft of a page; a field that is then as the page has it is no longer in the draft. */
export async function saveDraft(ctx: Ctx, id: number, { title, content, ...metadata }: Sent) {
  const { activeThemeId } = await holdTemplates(ctx);
  const page = await lockRecord(ctx, pages, id);
  await holdOgImage(ctx, metadata.og_image_media_id);
  const before = await store.selectDraft(ctx.db, id, activeThemeId);
  const own = { ...page, content: await contentOf(ctx.db, id) };
  const wanted = { ...changesOf(before), ...given({ title, content }), ...metadataOf(metadata) };
  const differing = Object.fromEntries(
    Object.entries(changesBetween<object, object>(own, wanted)).map(([name, [, value]]) => [name, value]),
  );
  const changes = JSON.stringify(differing);
  const changed = (before?.changes ?? '{}') !== changes;
  noteDraft(ctx, own, changesOf(before), Changes.parse(differing));
  const warnings = [...ctx.prepared.warnings];
  if (!changed) return { page_id: id, draft_updated_at: before?.updated_at ?? null, warnings };
  const isLeft = Object.keys(differing).length > 0;
  if (isLeft) await store.saveDraft(ctx.db, { page_id: id, theme_id: activeThemeId, changes, updated_at: ctx.now });
  else await store.deleteDraft(ctx.db, id, activeThemeId);
  await pages.setColumns(ctx.db, id, {});
  return { page_id: id, draft_updated_at: isLeft ? ctx.now : null, warnings };
}

/** Puts the draft into the page. Whether the page is published stays. */
export async function publishDraft(ctx: Ctx, id: number): Promise<PageSummary> {
  const { changes, themeId } = await takeDraft(ctx, id);
  const { warnings: _, ...page } = await updatePage(ctx, id, changes);
  await store.deleteDraft(ctx.db, id, themeId);
  await pages.setColumns(ctx.db, id, {});
  return page;
}

export async function discardDraft(ctx: Ctx, id: number): Promise<undefined> {
  const { page, changes, themeId } = await takeDraft(ctx, id);
  await store.deleteDraft(ctx.db, id, themeId);
  await pages.setColumns(ctx.db, id, {});
  noteDraft(ctx, { ...page, content: await contentOf(ctx.db, id) }, changes, {});
}

async function takeDraft(ctx: Ctx, id: number) {
  const { activeThemeId: themeId } = await holdTemplates(ctx);
  const page = await lockRecord(ctx, pages, id);
  const draft = await store.selectDraft(ctx.db, id, themeId);
  if (draft === null) throw new Refusal('no_draft', `Page ${id} has no draft in the active theme.`);
  return { page, themeId, changes: changesOf(draft) };
}

function changesOf(draft: { changes: string } | null): Changes {
  return draft === null ? {} : Changes.parse(JSON.parse(draft.changes));
}

/** Notes what another draft would show than the one before; a field that the draft does not have is as the page has it. */
function noteDraft(ctx: Ctx, own: Pick<PageDetail, 'id' | keyof Changes>, before: Changes, after: Changes): void {
  const changes = Object.entries(changesBetween<object, object>({ ...own, ...before }, { ...own, ...after }));
  const shown = ([name, [old, next]]: (typeof changes)[number]): [string, [unknown, unknown]] =>
    name === 'content' ? ['draft.content', [sourceMark(String(old)), sourceMark(String(next))]] : [`draft.${name}`, [old, next]];
  noteChanged(ctx, 'page', own.id, Object.fromEntries(changes.map(shown)));
}
