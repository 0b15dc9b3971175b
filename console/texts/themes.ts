import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Themes',
  count: (total: number) => counted(total, 'theme', 'themes'),
  name: 'Name',
  state: 'State',
  made: 'Made',
  active: 'In use',
  inactive: 'Not in use',
  empty: 'There is no theme yet.',
  create: 'New theme',
  add: 'Add',
  back: 'All themes',
  activate: 'Use this theme',
  remove: 'Delete…',
  removal: 'Its templates are deleted for good.',
  templates: 'Templates',
  newTemplate: 'New template',
  noTemplates: 'There is no template yet. Those of pages come when the theme is used.',
  choose: 'Choose a template to see and change it.',
  source: 'Source',
  path: 'Path',
  pathHint: 'Such as layouts/shop or parts/menu.',
  preview: 'Preview',
  showIn: 'Show it in',
  alone: 'no page',
} as const;

export type ThemesText = Words<typeof english>;
export const themesText = translated('themes', english);
