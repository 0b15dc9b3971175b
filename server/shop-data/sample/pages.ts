import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import { reserveIds } from '../../db/queries/reserve-ids.ts';
import { holdTemplates, savePageTemplate } from '../../resources/templates/domain.ts';
import { DEFAULT_TEMPLATE } from '../../resources/templates/rules.ts';
import { sortKey } from '../../values/texts.ts';
import type { BatchWriter } from '../batch-store.ts';

type SamplePage = {
  slug: string;
  title: string;
  published: boolean;
  description: string;
  text: readonly string[];
  german: { title: string; description: string } | null;
};

const PAGES: readonly SamplePage[] = [
  {
    slug: 'about',
    title: 'About us',
    published: true,
    description: 'Who we are and how we work.',
    text: ['{{ shop.name }} is a small shop, run by the people who pack your order.', 'Write to us: somebody reads every letter.'],
    german: { title: 'Über uns', description: 'Wer wir sind und wie wir arbeiten.' },
  },
  {
    slug: 'delivery',
    title: 'Delivery & pick-up',
    published: true,
    description: 'What delivery costs, how long it takes, and where orders can be picked up.',
    text: ['We ship on every working day.', 'Orders that you pick up yourself wait for you for 14 days.'],
    german: { title: 'Lieferung & Abholung', description: 'Was die Lieferung kostet und wie lange sie dauert.' },
  },
  {
    slug: 'returns',
    title: 'Returns',
    published: true,
    description: 'How to send something back.',
    text: ['Tell us within 14 days, and send it back within 14 more.'],
    german: null,
  },
  {
    slug: 'gift-guide',
    title: 'Gift guide',
    published: false,
    description: '',
    text: ['To be written before November.'],
    german: null,
  },
];

/** Writes the shop's pages, of which one is a draft. */
export async function writePages(dialect: Dialect, tx: Db, writer: BatchWriter, at: string): Promise<void> {
  const ids = await reserveIds({ db: tx, dialect }, 'pages', PAGES.length);
  const pages = PAGES.map((page, i) => ({ id: ids[i] ?? 0, ...page }));
  const rows = pages.map(({ id, slug, title, published, description }) => ({
    id,
    slug,
    slug_folded: sortKey(slug),
    title,
    title_folded: sortKey(title),
    published: published ? 1 : 0,
    meta_title: '',
    meta_description: description,
    og_image_media_id: null,
    created_at: at,
    updated_at: at,
  }));
  await writer.insert(tx, 'pages', rows);
  const translations = pages.flatMap(({ id, german }) =>
    german === null
      ? []
      : [
          { page_id: id, field: 'meta_title', locale: 'de', value: german.title },
          { page_id: id, field: 'meta_description', locale: 'de', value: german.description },
        ],
  );
  await writer.insert(tx, 'page_translations', translations);
  const here = { db: tx, dialect, now: at };
  const { activeThemeId } = await holdTemplates(here);
  for (const page of pages) await savePageTemplate(here, activeThemeId, page, templateOf(page));
}

function templateOf({ text }: SamplePage): string {
  const paragraphs = text.map((paragraph) => `    <p>${paragraph}</p>\n`).join('');
  return DEFAULT_TEMPLATE.replace('    <p></p>\n', () => paragraphs);
}
