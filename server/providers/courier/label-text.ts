import type { Bidi } from 'bidi-js';
import type { LabelFont } from './label-fonts.ts';

/** Letters of one font and direction, as they stand beside one another on the paper. */
export type Piece = { text: string; font: LabelFont };
export type Line = { pieces: Piece[]; isRightToLeft: boolean };

type Glyphs = { text: string; font: LabelFont };
type Run = Glyphs & { level: number; clusters: string[] };

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** The text engine lays out the letters of these scripts from right to left by itself. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The letters of a text, each with its marks, without characters that cannot be seen. U+200C and U+200D part and join letters. */
export function clustersOf(text: string): string[] {
  const visible = text.normalize('NFC').replaceAll(/\s+/g, ' ');
  const kept = visible.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/gu, (one) => (/[\u200c\u200d]/.test(one) ? one : ''));
  return [...segmenter.segment(kept)].map(({ segment }) => segment);
}

/** How a letter is printed: in the first font that has it; else as what it is compatible with, a Latin letter also without its marks. */
export function glyphsFor(cluster: string, fonts: readonly LabelFont[]): Glyphs | null {
  const plain = cluster.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  for (const text of new Set([cluster, cluster.normalize('NFKC'), ...(/^\p{Script=Latin}/u.test(cluster) ? [plain] : [])])) {
    const font = fonts.find(({ has }) => [...text].every((one) => has(one.codePointAt(0) ?? 0)));
    if (font) return { text, font };
  }
  return null;
}

/** Breaks a text into lines of this width and puts the letters of each into the order in which they are seen. */
export function linesOfText(
  text: string,
  { fonts, bidi, width, widthOf }: { fonts: readonly LabelFont[]; bidi: Bidi; width: number; widthOf: (piece: Piece) => number },
): Line[] {
  const isRightToLeft = bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1;
  const laidOut = (clusters: readonly string[]): Line => ({ pieces: piecesOf(clusters, fonts, bidi, isRightToLeft), isRightToLeft });
  const fits = (clusters: readonly string[]): boolean => laidOut(clusters).pieces.reduce((sum, piece) => sum + widthOf(piece), 0) <= width;
  const lines: Line[] = [];
  let rest = clustersOf(text.trim());
  while (rest.length > 0) {
    const most = longestThatFits(rest, fits);
    const space = most < rest.length && rest[most] !== ' ' ? rest.lastIndexOf(' ', most - 1) : -1;
    const count = space > 0 ? space + 1 : most;
    const line = rest.slice(0, count);
    lines.push(laidOut(line.at(-1) === ' ' ? line.slice(0, -1) : line));
    rest = rest.slice(rest[count] === ' ' ? count + 1 : count);
  }
  return lines;
}

/** How many letters from the first one fit, at least one. To lay out a text is slow, so the number is found by halves. */
function longestThatFits(clusters: readonly string[], fits: (clusters: readonly string[]) => boolean): number {
  let [low, high] = [1, clusters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(clusters.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function piecesOf(clusters: readonly string[], fonts: readonly LabelFont[], bidi: Bidi, isRightToLeft: boolean): Piece[] {
  const text = clusters.join('');
  const { levels } = bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr');
  const mirrored = bidi.getMirroredCharactersMap(text, levels);
  const runs: Run[] = [];
  let at = 0;
  for (const cluster of clusters) {
    const level = levels[at] ?? 0;
    // Letters that no font has are refused before a label is bought. The shop's name may have changed since.
    const { text: shown, font } = glyphsFor(mirrored.get(at) ?? cluster, fonts) ?? { text: '?', font: fonts[0] };
    at += cluster.length;
    if (!font) continue;
    const last = runs.at(-1);
    if (last && last.font === font && last.level === level) {
      last.text += shown;
      last.clusters.push(shown);
    } else runs.push({ text: shown, font, level, clusters: [shown] });
  }
  return reordered(runs).flatMap(seenParts);
}

/** Unicode's rule L2, of whole runs. */
function reordered(runs: readonly Run[]): Run[] {
  const seen = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let from = 0; from < seen.length; from += 1) {
      let to = from;
      while ((seen[to]?.level ?? 0) >= level) to += 1;
      if (to > from) seen.splice(from, to - from, ...seen.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return seen;
}

/** The text engine turns a run round by its script alone, so what it would turn wrongly is given letter by letter. */
function seenParts({ text, font, level, clusters }: Run): Piece[] {
  const isTurned = RIGHT_TO_LEFT.test(text);
  if (level % 2 === (isTurned ? 1 : 0)) return [{ text, font }];
  return (level % 2 === 1 ? clusters.toReversed() : clusters).map((one) => ({ text: one, font }));
}
