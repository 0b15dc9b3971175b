import { withoutMarks } from '../../../contract/texts.ts';

/** How well a text fits what is typed: the lower, the better. */
const ranks = ['whole', 'start', 'word', 'words', 'part'] as const;
const NONE = ranks.length;

/** The entries whose texts fit what is typed, best first; entries that fit equally well keep their order. */
export function matching<T>(entries: readonly T[], typed: string, textsOf: (entry: T) => readonly string[]): T[] {
  return ranked(entries, typed, textsOf)
    .filter(({ rank }) => rank < NONE)
    .map(({ entry }) => entry);
}

/** All entries, best first: the server may have found one by what the entry does not show. */
export function bestFirst<T>(entries: readonly T[], typed: string, textsOf: (entry: T) => readonly string[]): T[] {
  return ranked(entries, typed, textsOf).map(({ entry }) => entry);
}

function ranked<T>(entries: readonly T[], typed: string, textsOf: (entry: T) => readonly string[]): { entry: T; rank: number }[] {
  const wanted = withoutMarks(typed);
  const rankOf = (entry: T): number => Math.min(...textsOf(entry).map((text) => rank(withoutMarks(text), wanted)));
  return entries.map((entry) => ({ entry, rank: rankOf(entry) })).sort((a, b) => a.rank - b.rank);
}

function rank(text: string, wanted: string): number {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const fits = {
    whole: text === wanted,
    start: text.startsWith(wanted),
    word: text.includes(` ${wanted}`),
    words: wanted.split(/\s+/).every((part) => words.some((word) => word.startsWith(part))),
    part: text.includes(wanted),
  };
  const at = ranks.findIndex((one) => fits[one]);
  return at < 0 ? NONE : at;
}
