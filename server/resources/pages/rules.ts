import type { PageTranslation } from '../../../contract/pages.ts';

type Metadata = { meta_title: string; meta_description: string };

/**
 * A page's metadata in a locale. In the shop's own locale the page's own metadata count, whatever a translation says
 * (spec C10). In another locale the nearest translation counts (`de-AT`, then `de`), else the page's own metadata.
 */
export function metadataIn(locale: string, shopLocale: string, page: Metadata, translations: readonly PageTranslation[]): Metadata {
  const find = (field: keyof Metadata): string => {
    for (let wanted = locale; wanted !== '' && wanted !== shopLocale; wanted = parentOf(wanted)) {
      const found = translations.find((entry) => entry.field === field && entry.locale === wanted);
      if (found) return found.value;
    }
    return page[field];
  };
  return { meta_title: find('meta_title'), meta_description: find('meta_description') };
}

function parentOf(locale: string): string {
  return locale.slice(0, Math.max(0, locale.lastIndexOf('-')));
}
