import type { Services } from '../../services.ts';
import type { Rendering } from '../../templates/liquid.ts';
import { Refusal } from '../../verbs/problem.ts';
import { sharedTemplates } from '../templates/domain.ts';
import { getPage, listTranslations } from './domain.ts';
import { metadataIn } from './rules.ts';

/** Renders a page by its template in the active theme, in the given locale, else the shop's. */
export async function previewPage({ store, settings, renderer }: Services, id: number, asked: string | undefined): Promise<string> {
  const rendering = await store.snapshot(async (db): Promise<Rendering> => {
    const shop = await settings.get(db);
    const locale = asked ?? shop.locale;
    const { content, ...page } = await getPage({ db }, id);
    const metadata = metadataIn(locale, shop.locale, page, await listTranslations({ db }, id));
    return {
      source: content,
      shared: await sharedTemplates(db),
      scope: { page: { ...page, ...metadata }, shop: { name: shop.shop_name, locale: shop.locale, currency: shop.currency }, locale },
      timezone: shop.timezone,
    };
  });
  const result = await renderer.render(rendering);
  if ('html' in result) return result.html;
  const { line, column, message, template } = result.fault;
  const place = `line ${line}, column ${column}${template === null ? '' : ` of ${template}`}`;
  throw new Refusal('template_invalid', `The template cannot be rendered: ${message} (${place}).`, { extra: { fault: result.fault } });
}
