import { useData, withBase } from 'vitepress';
import type { DefaultTheme } from 'vitepress/theme';
import { computed, defineComponent, h, type PropType, ref, type VNode, watch } from 'vue';

type Item = DefaultTheme.SidebarItem;

/** A group of the side bar, in place of VPSidebarItem.vue, which puts a button into a button. A group that may be closed is a `details`. */
export default defineComponent({
  name: 'SidebarItem',
  props: { item: { type: Object as PropType<Item>, required: true }, depth: { type: Number, required: true } },
  setup({ item }) {
    const { page } = useData();
    const here = computed(() => `/${page.value.relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`);
    const isWithin = (): boolean => item.items?.some(({ link }) => link === here.value) ?? false;
    const isOpen = ref(item.collapsed !== true || isWithin());
    watch(here, () => {
      if (isWithin()) isOpen.value = true;
    });
    const linkTo = ({ text, link = '' }: Item): VNode =>
      h('a', { class: 'side-link', href: withBase(link), 'aria-current': link === here.value ? 'page' : undefined }, text);
    return () => {
      if (item.items === undefined) return linkTo(item);
      const list = h(
        'ul',
        { class: 'side-list' },
        item.items.map((one) => h('li', { key: one.link ?? '' }, [linkTo(one)])),
      );
      if (item.text === undefined) return list;
      if (item.collapsed === undefined) return h('section', { class: 'side-group' }, [h('h2', { class: 'side-title' }, item.text), list]);
      const onToggle = (event: Event): void => {
        if (event.currentTarget instanceof HTMLDetailsElement) isOpen.value = event.currentTarget.open;
      };
      return h('details', { class: 'side-group', open: isOpen.value, onToggle }, [h('summary', { class: 'side-title' }, item.text), list]);
    };
  },
});
