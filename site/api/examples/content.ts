import type { ExamplesOf } from './example.ts';
import { PIXEL } from './samples.ts';

/** Files, media, pages, themes and access groups. */

export const files: ExamplesOf<'files'> = {
  'files.create': {
    body: { file: { filename: 'brewing-guide.pdf', content: '%PDF-1.4\nA guide to brewing', content_type: 'application/pdf' } },
  },
  'files.list': {},
  'files.get': ({ got }) => ({ params: { id: got('files.create').id } }),
  'files.update': ({ got }) => ({ params: { id: got('files.create').id }, body: { original_filename: 'Brewing guide.pdf' } }),
  'files.get_content': ({ got }) => ({ params: { id: got('files.create').id } }),
  'files.delete': async ({ api }) => {
    const { id } = await api.files.create({ file: { filename: 'old-price-list.csv', content: 'sku,price\n', content_type: 'text/csv' } });
    return { params: { id } };
  },
};

export const media: ExamplesOf<'media'> = {
  'media.create': { body: { alt: 'A moka pot on a stove', file: { filename: 'moka.png', content: PIXEL, content_type: 'image/png' } } },
  'media.list': {},
  'media.get': ({ got }) => ({ params: { id: got('media.create').id } }),
  'media.update': ({ got }) => ({ params: { id: got('media.create').id }, body: { alt: 'A moka pot on a gas stove' } }),
  'media.delete': async ({ api }) => {
    const { id } = await api.media.create({ file: { filename: 'old.png', content: PIXEL, content_type: 'image/png' } });
    return { params: { id } };
  },
};

export const pages: ExamplesOf<'pages'> = {
  'pages.list': {},
  'pages.create': { body: { slug: 'workshops', title: 'Workshops' } },
  'pages.get': { params: { id: 1 } },
  'pages.update': ({ got }) => ({
    params: { id: got('pages.create').id },
    body: { published: true, meta_description: 'Learn to brew with us.' },
  }),
  'pages.list_translations': { params: { id: 1 } },
  'pages.replace_translations': {
    params: { id: 1 },
    body: { entries: [{ field: 'meta_title', locale: 'de', value: 'Über uns' }] },
  },
  'pages.save_draft': { params: { id: 2 }, body: { title: 'Delivery and pick-up', meta_description: 'What delivery costs.' } },
  'pages.list_drafts': {},
  'pages.get_draft': { params: { id: 2 } },
  'pages.preview': { params: { id: 1 }, query: { locale: 'de' } },
  'pages.preview_draft': { params: { id: 2 }, body: { title: 'Delivery', locale: 'en' } },
  'pages.publish_draft': { params: { id: 2 } },
  'pages.discard_draft': async ({ api }) => {
    await api.pages.save_draft(3, { title: 'Send it back' });
    return { params: { id: 3 }, note: 'The page had a draft.' };
  },
  'pages.delete': ({ got }) => ({ params: { id: got('pages.create').id } }),
};

export const themes: ExamplesOf<'themes'> = {
  'themes.list': {},
  'themes.create': { body: { name: 'Winter' } },
  'themes.get': ({ got }) => ({ params: { id: got('themes.create').id } }),
  'themes.update': ({ got }) => ({ params: { id: got('themes.create').id }, body: { name: 'Winter 2026' } }),
  'themes.save_template': ({ got }) => ({
    params: { id: got('themes.create').id, path: 'pages/about' },
    body: { content: '<h1>{{ page.title }}</h1>\n<p>Write to {{ shop.name }}.</p>' },
  }),
  'themes.list_templates': ({ got }) => ({ params: { id: got('themes.create').id } }),
  'themes.get_template': ({ got }) => ({ params: { id: got('themes.create').id, path: 'pages/about' } }),
  'themes.preview': ({ got }) => ({
    params: { id: got('themes.create').id },
    body: { path: 'pages/about', content: '<h1>{{ page.title }}</h1>', page_id: 1 },
  }),
  'themes.activate': ({ got }) => ({ params: { id: got('themes.create').id } }),
  'themes.delete': async ({ api }) => {
    const { id } = await api.themes.create({ name: 'Summer 2024' });
    return { params: { id } };
  },
};

export const accessGroups: ExamplesOf<'access_groups'> = {
  'access_groups.create': { body: { slug: 'brewing-school', name: 'Brewing school', description: 'Videos and guides' } },
  'access_groups.list': {},
  'access_groups.replace_files': ({ got }) => ({
    params: { id: got('access_groups.create').id },
    body: { file_ids: [got('files.create').id] },
  }),
  'access_groups.replace_pages': ({ got }) => ({ params: { id: got('access_groups.create').id }, body: { page_ids: [3] } }),
  'access_groups.create_grant': ({ got }) => ({
    params: { id: got('access_groups.create').id },
    body: { customer_id: 12, expires_at: '2027-12-31T23:00:00Z', note: 'Won the quiz' },
  }),
  'access_groups.create_grants': ({ got }) => ({
    params: { id: got('access_groups.create').id },
    body: { customer_ids: [13, 14, 15], expires_at: null },
  }),
  'access_groups.list_members': ({ got }) => ({ params: { id: got('access_groups.create').id } }),
  'access_groups.get': ({ got }) => ({ params: { id: got('access_groups.create').id } }),
  'access_groups.update': ({ got }) => ({
    params: { id: got('access_groups.create').id },
    body: { slug: 'brewing-school', name: 'Brewing school', description: 'Videos, guides and a monthly call' },
  }),
  'access_groups.revoke_grant': ({ got }) => ({ params: { grant_id: got('access_groups.create_grant').id } }),
  'access_groups.delete': async ({ api }) => {
    const { id } = await api.access_groups.create({ slug: 'tasting-club', name: 'Tasting club' });
    return { params: { id } };
  },
};
