import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Preview } from '../../../contract/pages.ts';
import type { Db } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import type { Rendering } from '../../templates/liquid.ts';
import { type Actor, may } from '../../verbs/context.ts';
import { refusePermission, refuseValue } from '../../verbs/problem.ts';
import { findPageOfSlug, pageExists } from '../pages/domain.ts';
import { renderingOf, showFaults } from '../pages/preview.ts';
import { sharedTemplates } from '../templates/domain.ts';
import { slugIn } from '../templates/rules.ts';

type Call = Pick<InputOf<Endpoints['themes.preview']>, 'params' | 'body'> & { services: Services; actor: Actor };

/** Renders a template of a theme with content that is not saved: in its page, in another page, or by itself. */
export async function previewTemplate({ services, actor, params, body }: Call): Promise<Preview> {
  const { path: sent, content } = body;
  const { rendering, path } = await services.store.snapshot((db) => renderingIn(services, db, actor, params.id, body));
  return showFaults(services, rendering, { sent, content, path });
}

async function renderingIn(
  { settings }: Services,
  db: Db,
  actor: Actor,
  themeId: number,
  { path, content, page_id = null, locale }: Call['body'],
): Promise<{ rendering: Rendering; path: string }> {
  const slug = slugIn(path);
  if ((slug !== null || page_id !== null) && !may(actor, 'admin_api.pages.read'))
    throw refusePermission('forbidden', ['admin_api.pages.read'], 'To show a page, this needs the permission admin_api.pages.read.');
  const pageId = slug === null ? await existing(db, page_id) : await pageWith(db, slug, page_id);
  if (pageId === null) {
    const shop = await settings.get(db);
    const scope = { shop: { name: shop.shop_name, locale: shop.locale, currency: shop.currency }, locale: locale ?? shop.locale };
    return { rendering: { source: content, shared: await sharedTemplates(db, themeId), scope, timezone: shop.timezone }, path };
  }
  const shown = await renderingOf({ settings }, db, pageId, { locale, themeId, draft: slug === null ? {} : { content } });
  if (slug === null) shown.rendering.shared = { ...shown.rendering.shared, [path]: content };
  return shown;
}

async function existing(db: Db, pageId: number | null): Promise<number | null> {
  if (pageId !== null && !(await pageExists(db, pageId))) throw refuseValue('page_not_found', '/page_id', `there is no page ${pageId}`);
  return pageId;
}

/** The page that a template belongs to; another one cannot be shown with it. */
async function pageWith(db: Db, slug: string, asked: number | null): Promise<number> {
  const id = await findPageOfSlug(db, slug);
  if (id === null)
    throw refuseValue('page_not_found', '/path', `there is no page with the slug "${slug}", which this template would be for`);
  if (asked !== null && asked !== id) throw refuseValue('invalid_value', '/page_id', `must be ${id}: the template belongs to that page`);
  return id;
}
