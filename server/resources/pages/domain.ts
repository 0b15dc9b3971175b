import type { InputOf } from '../../../contract/endpoint.ts';
import type { ErrorItem } from '../../../contract/errors.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { PageDetail, PageSaved, PageSummary, PageTranslation } from '../../../contract/pages.ts';
import { fold } from '../../../contract/values.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { type Refusal, refuseMissing, refuseValue, refuseValues } from '../../verbs/problem.ts';
import { getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { holdMedia, mediaUrl } from '../media/domain.ts';
import { contentOf, holdTemplates, movePageTemplates, savePageTemplate, sourceMark } from '../templates/domain.ts';
import * as store from './store.ts';
import { pages } from './store.ts';

export const recordVersions = { page: pages.version } satisfies RecordVersions;

/** Lists pages by title (spec P1). */
export function listPages(ctx: Ctx, search: string | undefined): Promise<PageSummary[]> {
  return store.selectPages(ctx, fold(search ?? ''));
}

/** A page with its template in a theme; without `themeId`, in the active one. */
export async function getPage(ctx: Pick<Ctx, 'db'>, id: number, themeId?: number): Promise<PageDetail> {
  const page = await getRecord(ctx, pages, id);
  const og_image_url = page.og_image_media_id === null ? null : await mediaUrl(ctx.db, page.og_image_media_id);
  return { ...page, og_image_url, content: await contentOf(ctx.db, id, themeId) };
}

export async function createPage(ctx: Ctx, { slug, title, ...metadata }: InputOf<Endpoints['pages.create']>['body']): Promise<PageSummary> {
  metadata satisfies OnlyOf<typeof metadata, MetadataInput>;
  const { activeThemeId } = await holdTemplates(ctx);
  await holdOgImage(ctx, metadata.og_image_media_id);
  const values = { slug, title, published: false, ...NO_METADATA, ...metadataOf(metadata), created_at: ctx.now, updated_at: ctx.now };
  const page = await pages.insertUnlessTaken(ctx.db, values, 'slug');
  if (!page) throw slugTaken(slug);
  await savePageTemplate(ctx, activeThemeId, page);
  const { created_at: _, updated_at: __, ...noted } = page;
  noteCreated(ctx, 'page', noted, title);
  return summaryOf(page);
}

/** Changes a page. Fields that are left out stay; if nothing changes, `updated_at` stays too (spec P5). */
export async function updatePage(ctx: Ctx, id: number, body: InputOf<Endpoints['pages.update']>['body']): Promise<PageSaved> {
  const { title, slug, published, content, ...metadata } = body;
  metadata satisfies OnlyOf<typeof metadata, MetadataInput>;
  const touchesTemplate = slug !== undefined || content !== undefined;
  const held = touchesTemplate ? await holdTemplates(ctx) : null;
  const page = await lockRecord(ctx, pages, id);
  await holdOgImage(ctx, metadata.og_image_media_id);
  const wanted = { ...given({ title, slug, published }), ...metadataOf(metadata) };
  if (slug !== undefined && slug !== page.slug && (await store.isSlugTaken(ctx.db, slug, id))) throw slugTaken(slug);
  const contentBefore = content === undefined ? undefined : await contentOf(ctx.db, id);
  const newContent = content === contentBefore ? undefined : content;
  const fields = changesBetween(page, wanted);
  const contentMarks: [unknown, unknown] = [sourceMark(contentBefore ?? null), sourceMark(newContent ?? null)];
  const changes = newContent === undefined ? fields : { ...fields, content: contentMarks };
  noteChanged(ctx, 'page', id, changes);
  const warnings = [...ctx.prepared.warnings];
  if (Object.keys(changes).length === 0) return { ...summaryOf(page), warnings };
  const after = { ...page, ...wanted, updated_at: ctx.now };
  await pages.update(ctx.db, page, after);
  if (fields['slug']) await movePageTemplates(ctx, after);
  if (held && newContent !== undefined) await savePageTemplate(ctx, held.activeThemeId, after, newContent);
  return { ...summaryOf(after), warnings };
}

/** Deletes a page with its templates in all themes, its translations and its places in access groups (spec P8). */
export async function deletePage(ctx: Ctx, id: number): Promise<undefined> {
  await holdTemplates(ctx);
  const { created_at: _, updated_at: __, ...values } = await lockRecord(ctx, pages, id);
  await pages.remove(ctx.db, id);
  noteDeleted(ctx, 'page', values, values.title);
}

export function listTranslations(ctx: Pick<Ctx, 'db'>, id: number): Promise<PageTranslation[]> {
  return store.selectTranslations(ctx.db, id);
}

type Entries = InputOf<Endpoints['pages.replace_translations']>['body']['entries'];

export async function replaceTranslations(ctx: Ctx, id: number, entries: Entries): Promise<undefined> {
  await lockRecord(ctx, pages, id);
  const before = await store.selectTranslations(ctx.db, id);
  refuseOtherLocales(ctx, entries, before);
  await store.replaceTranslations(ctx.db, id, entries);
  await touchPage(ctx, id);
  ctx.audit({
    resource: { type: 'page', id },
    changes: { translations: [before, entries] },
    summary: `Page ${id}: ${before.length} translations replaced by ${entries.length}`,
  });
}

/** If the settings list locales, refuses translations for other locales, except for those that the page has already. */
function refuseOtherLocales({ settings }: Ctx, entries: Entries, before: readonly PageTranslation[]): void {
  if (settings.locales.length === 0) return;
  const known = new Set([settings.locale, ...settings.locales, ...before.map(({ locale }) => locale)]);
  const errors = entries.flatMap(({ locale }, i): ErrorItem[] =>
    known.has(locale)
      ? []
      : [{ pointer: `/entries/${i}/locale`, parameter: null, code: 'invalid_enum', detail: `must be one of ${[...known].join(', ')}` }],
  );
  if (errors.length > 0) throw refuseValues(errors);
}

/** Raises a page's row version, because something that it shows has changed. */
export function touchPage(ctx: Ctx, id: number): Promise<void> {
  return pages.setColumns(ctx.db, id, { updated_at: ctx.now });
}

export function touchAllPages(ctx: Ctx): Promise<void> {
  return store.raiseAllVersions(ctx.db);
}

/** The id of the page with a slug. */
export { selectPageOfSlug as findPageOfSlug } from './store.ts';

export function pageExists(db: Ctx['db'], id: number): Promise<boolean> {
  return pages.find(db, id).then((page) => page !== null);
}

/** Finds and locks the page with a slug. */
export { lockPageOfSlug as pageOfSlug } from './store.ts';

/**
 * Refuses ids of pages that do not exist, and locks the others, so that they stay until the transaction ends. `pointer` is
 * the place of the list in the body.
 */
export async function holdPages(ctx: Ctx, ids: readonly number[], pointer: string): Promise<void> {
  const held = new Set((await pages.holdAll(ctx, ids)).map((page) => page.id));
  refuseMissing(ids, held, { code: 'page_not_found', what: 'page', pointerTo: (index) => `${pointer}/${index}` });
}

const NO_METADATA = { meta_title: '', meta_description: '', og_image_media_id: null };

type MetadataInput = Pick<InputOf<Endpoints['pages.update']>['body'], 'meta_title' | 'meta_description' | 'og_image_media_id'>;

/** `null` clears a text, as `''` does (spec P5). */
export function metadataOf({ meta_title, meta_description, og_image_media_id }: MetadataInput) {
  return given({
    meta_title: meta_title === null ? '' : meta_title,
    meta_description: meta_description === null ? '' : meta_description,
    og_image_media_id,
  });
}

export async function holdOgImage(ctx: Ctx, id: number | null | undefined): Promise<void> {
  if (id !== null && id !== undefined) await holdMedia(ctx, [id], () => '/og_image_media_id');
}

function summaryOf({ id, slug, title, published, created_at, updated_at }: store.StoredPage): PageSummary {
  return { id, slug, title, published, created_at, updated_at };
}

function slugTaken(slug: string): Refusal {
  return refuseValue('slug_taken', '/slug', `there is already a page with the slug "${slug}"`);
}
