import type { DefaultTheme } from 'vitepress';

/** What the search reads: titles, headings and texts. Long data is left out: nobody looks for it, and it would be most of the index. */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  _render(source, env, md) {
    const { fence } = md.renderer.rules;
    md.renderer.rules.fence = (tokens, at) =>
      /^(json|text)\b/.test(tokens[at]?.info ?? '') ? '' : `<pre>${md.utils.escapeHtml(tokens[at]?.content ?? '')}</pre>`;
    try {
      return md.render(source, env);
    } finally {
      md.renderer.rules.fence = fence;
    }
  },
};
