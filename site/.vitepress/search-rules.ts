import type { Options } from 'minisearch';

/** A section of a page, as the index has it. `titles`: the headings above its own. */
export type Section = { id: string; title: string; titles: string[]; text: string };

/** What explains comes before what is looked up, and both before what is written for those who work on the project. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^\/docs\/(concepts|tutorial|recipes)/, 1.5],
  [/^\/docs\/(spec|internals|architecture|contributing|changelog|benchmarks)/, 0.6],
  [/^\/docs\/(api|cli|commands)/, 0.5],
];

/** How the index is searched; its fields are those that VitePress makes it of. */
export const SEARCH_RULES: Options<Section> = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    combineWith: 'AND',
    boost: { title: 6, titles: 2, text: 1 },
    boostDocument(id, _term, { titles } = {}) {
      const [, weight = 1] = WEIGHTS.find(([path]) => path.test(String(id))) ?? [];
      const isWholePage = Array.isArray(titles) && titles.length === 0;
      return isWholePage ? weight * 1.6 : weight;
    },
  },
};
