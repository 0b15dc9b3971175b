import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { listPackages } from '../../tools/bundled-packages.ts';
import { anchorOf } from '../build/markdown.ts';
import { classesForColours, codeTheme } from './code-colours.ts';
import { ourMarkdown } from './markdown-rules.ts';
import { searchOptions } from './search.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Assembled = { title: string; pages: { path: string; title: string }[] }[];

/** What tools/build-docs.ts has assembled. */
const SOURCE = at('../../dist/docs-source');
const groups: Assembled = JSON.parse(readFileSync(`${SOURCE}/navigation.json`, 'utf8'));

const CLOSED: ReadonlySet<string> = new Set(['Rules', 'Project']);

const linkOf = (path: string): string => `/${path.replace(/(^|\/)index$/, '$1')}`;
const isApi = ({ path }: { path: string }): boolean => path.startsWith('api/');

/** The API has a side bar of its own, since it has as many pages as all the rest; there its group has one entry. */
function sidebar(): DefaultTheme.SidebarMulti {
  const item = ({ path, title }: { path: string; title: string }): DefaultTheme.SidebarItem => ({ text: title, link: linkOf(path) });
  const ofAll = groups.map(({ title, pages }) => ({
    text: title,
    // What is looked up seldom is closed until one of its pages is open.
    ...(CLOSED.has(title) && { collapsed: true }),
    items: pages.filter((page) => !isApi(page) || page.path === 'api/index').map(item),
  }));
  const ofApi = groups
    .flatMap(({ pages }) => pages.filter(isApi))
    .map((page) => item(page.path === 'api/index' ? { ...page, title: 'Overview' } : page));
  return { '/': ofAll, '/api/': [{ items: [{ text: 'All documents', link: '/' }] }, { text: 'API', items: ofApi }] };
}

export default defineConfig({
  srcDir: SOURCE,
  outDir: at('../../dist/docs'),
  cacheDir: at('../../node_modules/.cache/vitepress'),
  base: '/docs/',
  lang: 'en',
  title: 'Backroom',
  titleTemplate: ':title · Backroom',
  description: 'The back office of an online shop, and the safest place to automate it',
  // Otherwise each change of the colours puts a style into the page, which the content policy refuses.
  appearance: { disableTransition: false },
  cleanUrls: true,
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  markdown: {
    theme: codeTheme,
    codeTransformers: [classesForColours],
    anchor: { slugify: anchorOf },
    config: ourMarkdown,
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local', options: searchOptions },
    darkModeSwitchTitle: 'Dark colours',
    lightModeSwitchTitle: 'Light colours',
    darkModeSwitchLabel: 'Colours',
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: {
    logLevel: 'warn',
    plugins: [
      {
        name: 'console-tokens',
        // The console's colours are the site's: VitePress marks the dark ones by a class.
        transform: (code, id) =>
          id.endsWith('console/ui/tokens.css') ? code.replace(':root[data-theme="dark"]', ':root.dark') : undefined,
      },
      listPackages().build,
    ],
    resolve: {
      alias: [
        // The search of a company, which is not used.
        { find: '@docsearch/css', replacement: at('./theme/nothing.css') },
        { find: /^.*\/VPSidebarItem\.vue$/, replacement: at('./theme/sidebar-item.ts') },
        { find: /^.*\/VPLocalSearchBox\.vue$/, replacement: at('./theme/search-box.ts') },
        { find: /^.*\/VPNavBarSearchButton\.vue$/, replacement: at('./theme/search-button.ts') },
      ],
    },
    build: {
      // Small images and fonts as data URLs would be refused by the content policy.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4000,
    },
  },
});
