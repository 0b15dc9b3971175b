import { onContentUpdated, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, onMounted } from 'vue';
import { useCodeBlocks } from './code-blocks.ts';

const toConsole = (name: string) => h('a', { class: name, href: '/', target: '_self' }, 'Console');

const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'This page is not there'),
    h('p', [
      'It may have another name now. Press ',
      h('kbd', '/'),
      ' to search, or begin at the ',
      h('a', { href: withBase('/') }, 'front page'),
      '.',
    ]),
  ]);

/** The frame of all pages: VitePress's, with a way back to the shop's console. */
export const Layout = defineComponent({
  name: 'SiteLayout',
  setup() {
    useCodeBlocks();
    onContentUpdated(() => document.querySelector('.VPSidebar [aria-current]')?.scrollIntoView({ block: 'nearest' }));
    // What the build hides by styles is shown by the page itself from here on (site/build/finish.ts).
    onMounted(() => document.documentElement.classList.add('ready'));
    return () =>
      h(DefaultTheme.Layout, null, {
        'nav-bar-title-after': () => h('span', { class: 'title-part' }, 'Docs'),
        'nav-bar-content-before': () => toConsole('to-console'),
        'not-found': notFound,
        'nav-screen-content-before': () => toConsole('to-console in-screen'),
      });
  },
});
