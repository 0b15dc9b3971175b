import { countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Pages',
  count: (total: string) => `${total} ${total === '1' ? 'page' : 'pages'}`,
  search: 'Title or address',
  state: 'State',
  changed: 'Changed',
  published: 'Published',
  hidden: 'Hidden',
  empty: 'The shop has no pages yet.',
  create: 'New page',
  add: 'Add',
  back: 'All pages',
  remove: 'Delete…',
  removal: 'Its templates in all themes are deleted for good.',
  editor: 'Page',
  slugHint: 'Its part of the shop’s address.',
  contentHint: 'Liquid: {{ page.title }}, {{ shop.name }}. It is the template in the active theme.',
  noImage: 'No image',
  preview: 'Preview',
  locale: 'Preview in',
  localeHint: 'A language such as de-AT. Empty: the shop’s own.',
  fields: {
    title: 'Title',
    slug: 'Address',
    published: 'Published',
    content: 'Template',
    meta_title: 'Title for search engines',
    meta_description: 'Description for search engines',
    og_image_media_id: 'Image where the page is shared',
  },
  translations: {
    title: 'Translations',
    none: 'Titles and descriptions for search engines are not translated yet.',
    one: (place: number) => `Translation ${countText(place)}`,
    locale: 'Language',
    field: 'Text',
    value: 'Translation',
    remove: 'Remove',
    removeOne: (place: number) => `Remove translation ${countText(place)}`,
    add: 'Add a translation',
  },
} as const;

export type PagesText = Words<typeof english>;
export const pagesText = translated('pages', english);
