import indexes from '@localSearchIndex';
import MiniSearch from 'minisearch';
import { useRouter } from 'vitepress';
import { computed, defineComponent, h, nextTick, onMounted, ref, shallowRef, watch } from 'vue';
import { SEARCH_RULES, type Section } from '../search-rules.ts';

type Found = { id: string; title: string; titles: readonly string[]; terms: readonly string[] };

const MOST = 20;
const MOST_OF_PAGE = 4;

/**
 * The search, in place of VPLocalSearchBox.vue, whose elements stand within a button: a dialog with a combobox. It loads the index when it
 * is opened first.
 */
export default defineComponent({
  name: 'SearchBox',
  emits: ['close'],
  setup(_props, { emit }) {
    const router = useRouter();
    const dialog = ref<HTMLDialogElement>();
    const index = shallowRef<MiniSearch<Section>>();
    const words = ref('');
    const chosen = ref(0);
    const found = computed(() => (index.value === undefined ? [] : search(index.value, words.value)));
    watch(words, () => {
      chosen.value = 0;
    });
    watch(chosen, async (at) => {
      await nextTick();
      document.getElementById(`found-${at}`)?.scrollIntoView({ block: 'nearest' });
    });
    onMounted(async () => {
      dialog.value?.showModal();
      const { default: text = '' } = (await indexes['root']?.()) ?? {};
      index.value = MiniSearch.loadJSON(text, SEARCH_RULES);
    });
    const open = (one: Found | undefined): void => {
      if (one === undefined) return;
      dialog.value?.close();
      void router.go(one.id);
    };
    const onKeydown = (event: KeyboardEvent): void => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const count = found.value.length;
      if (step !== 0 && count > 0) chosen.value = (chosen.value + step + count) % count;
      else if (event.key === 'Enter') open(found.value[chosen.value]);
      else return;
      event.preventDefault();
    };
    const input = () =>
      h('input', {
        type: 'search',
        role: 'combobox',
        'aria-label': 'Search the documentation',
        'aria-expanded': found.value.length > 0,
        'aria-controls': 'found',
        'aria-activedescendant': found.value.length > 0 ? `found-${chosen.value}` : undefined,
        autocomplete: 'off',
        autofocus: true,
        spellcheck: false,
        placeholder: 'Search',
        maxlength: 100,
        value: words.value,
        onInput: ({ target }: Event) => {
          if (target instanceof HTMLInputElement) words.value = target.value;
        },
        onKeydown,
      });
    const option = (one: Found, at: number) =>
      h(
        'li',
        {
          id: `found-${at}`,
          key: one.id,
          role: 'option',
          'aria-selected': at === chosen.value,
          'data-page': one.id,
          onMousemove: () => {
            chosen.value = at;
          },
          onClick: () => open(one),
        },
        [
          h('span', { class: 'found-title' }, marked(one.title, one.terms)),
          one.titles.length > 0 && h('span', { class: 'found-above' }, one.titles.map(withoutEntities).join(' › ')),
        ],
      );
    return () =>
      h(
        'dialog',
        {
          ref: dialog,
          class: 'search-box',
          'aria-label': 'Search',
          onClose: () => emit('close'),
          onClick: ({ target }: Event) => target === dialog.value && dialog.value?.close(),
        },
        [
          h('div', { class: 'search-frame' }, [
            h('div', { class: 'search-line' }, [
              h('span', { class: 'search-icon vpi-search', 'aria-hidden': 'true' }),
              input(),
              h('button', { type: 'button', class: 'search-close', onClick: () => dialog.value?.close() }, 'Close'),
            ]),
            h(
              'ul',
              {
                id: 'found',
                role: 'listbox',
                'aria-label': 'Found',
                'data-words': index.value && words.value,
                class: { 'is-empty': found.value.length === 0 },
              },
              found.value.map(option),
            ),
            h('p', { class: 'found-none', role: 'status' }, nothing(index.value !== undefined, words.value, found.value.length)),
          ]),
        ],
      );
  },
});

function nothing(isLoaded: boolean, words: string, count: number): string {
  if (words.trim() === '') return 'Titles, headings and texts of all pages.';
  return isLoaded && count === 0 ? `No page has “${words}”.` : '';
}

/** The sections that have all of the words, the best first, and a few of each page. */
function search(index: MiniSearch<Section>, words: string): Found[] {
  const ofPage = new Map<string, number>();
  return index
    .search(words)
    .filter(({ id }) => {
      const page = String(id).replace(/#.*$/, '');
      ofPage.set(page, (ofPage.get(page) ?? 0) + 1);
      return (ofPage.get(page) ?? 0) <= MOST_OF_PAGE;
    })
    .slice(0, MOST)
    .map(({ id, title, titles, terms }) => ({
      id: String(id),
      title: String(title),
      titles: Array.isArray(titles) ? titles.map(String) : [],
      terms,
    }));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Titles in the index are HTML without its tags. */
function withoutEntities(title: string): string {
  return title.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** The title with the found words marked. */
function marked(title: string, terms: readonly string[]) {
  const plain = withoutEntities(title);
  if (terms.length === 0) return plain;
  const escaped = terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).sort((a, b) => b.length - a.length);
  return plain.split(new RegExp(`(${escaped.join('|')})`, 'gi')).map((part, n) => (n % 2 === 1 ? h('mark', part) : part));
}
