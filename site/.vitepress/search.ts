import type { DefaultTheme } from 'vitepress';

/** What the search reads: titles, headings and texts. Long data is left out: nobody looks for it, and it would be most of the index. */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  detailedView: false,
  disableQueryPersistence: true,
  miniSearch: {
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 6, titles: 2, text: 1 } },
  },
  _render(source, env, md) {
    const { fence } = md.renderer.rules;
    md.renderer.rules.fence = (tokens, at, ...rest) =>
      /^(json|text)\b/.test(tokens[at]?.info ?? '') ? '' : (fence?.(tokens, at, ...rest) ?? '');
    try {
      return md.render(source, env);
    } finally {
      md.renderer.rules.fence = fence;
    }
  },
};
