import { defineComponent, h } from 'vue';

/** What opens the search, in place of VPNavBarSearchButton.vue, whose name does not have its words. */
export default defineComponent({
  name: 'SearchButton',
  setup: () => () =>
    h('button', { type: 'button', class: 'search-button' }, [
      h('span', { class: 'search-icon vpi-search', 'aria-hidden': 'true' }),
      h('span', { class: 'search-word' }, 'Search'),
      h('kbd', { 'aria-hidden': 'true' }, '/'),
    ]),
});
