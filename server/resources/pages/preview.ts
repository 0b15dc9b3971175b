import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Preview } from '../../../contract/pages.ts';
import type { Db } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import type { Rendering } from '../../templates/liquid.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { mediaUrl } from '../media/domain.ts';
import { sharedTemplates } from '../templates/domain.ts';
import { errorsIn } from '../templates/faults.ts';
import { pagePath } from '../templates/rules.ts';
import { getPage, listTranslations, metadataOf } from './domain.ts';
import { metadataIn } from './rules.ts';

type Draft = Omit<InputOf<Endpoints['pages.preview_draft']>['body'], 'locale'>;

/** Renders a page by its template in the active theme, in the given locale, else the shop's. */
export async function previewPage(services: Services, id: number, locale: string | undefined): Promise<string> {
  const { rendering } = await services.store.snapshot((db) => renderingOf(services, db, id, { locale }));
  const result = await services.renderer.render(rendering);
  if ('html' in result) return result.html;
  const { line, column, message, template } = result.fault;
  const place = `line ${line}, column ${column}${template === null ? '' : ` of ${template}`}`;
  throw new Refusal('template_invalid', `The template cannot be rendered: ${message} (${place}).`, { extra: { fault: result.fault } });
}

/** Renders a page as it would be with values that are not saved. */
export async function previewDraft(
  services: Services,
  id: number,
  { locale, ...draft }: InputOf<Endpoints['pages.preview_draft']>['body'],
): Promise<Preview> {
  const { rendering, path } = await services.store.snapshot((db) => renderingOf(services, db, id, { locale, draft }));
  return showFaults(services, rendering, { sent: path, content: rendering.source, path });
}

/** Renders, and finds all faults in the template that was sent. */
export async function showFaults(
  { renderer }: Services,
  rendering: Rendering,
  { sent, content, path }: { sent: string; content: string; path: string },
): Promise<Preview> {
  const result = await renderer.render(rendering);
  const checked = await renderer.check(content);
  return { html: 'html' in result ? result.html : null, errors: errorsIn(result, checked, { sent, path }) };
}

type Options = { locale: string | undefined; draft?: Draft; themeId?: number };

/** What it takes to render a page in a theme, and the path of the template. */
export async function renderingOf(
  { settings }: Pick<Services, 'settings'>,
  db: Db,
  id: number,
  { locale: asked, draft = {}, themeId }: Options,
): Promise<{ rendering: Rendering; path: string }> {
  const shop = await settings.get(db);
  const locale = asked ?? shop.locale;
  const { content, ...saved } = await getPage({ db }, id, themeId);
  const page = { ...saved, ...(draft.title === undefined ? {} : { title: draft.title }), ...metadataOf(draft) };
  const image = page.og_image_media_id;
  if (image !== saved.og_image_media_id) {
    page.og_image_url = image === null ? null : await mediaUrl(db, image);
    if (page.og_image_url === null && image !== null)
      throw refuseValue('media_not_found', '/og_image_media_id', `there is no media ${image}`);
  }
  const metadata = metadataIn(locale, shop.locale, page, await listTranslations({ db }, id));
  return {
    rendering: {
      source: draft.content ?? content,
      shared: await sharedTemplates(db, themeId),
      scope: { page: { ...page, ...metadata }, shop: { name: shop.shop_name, locale: shop.locale, currency: shop.currency }, locale },
      timezone: shop.timezone,
    },
    path: pagePath(page.slug),
  };
}
