import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import type { Font, FontCollection } from 'fontkit';
import { clustersOf, glyphsFor } from './label-text.ts';

/** A font with which labels are printed. */
export type LabelFont = {
  /** Its file, or the name of a font that each PDF reader has. */
  source: string;
  /** Its name in a collection of fonts. */
  member?: string;
  has(codePoint: number): boolean;
};

export type LabelFonts = {
  /** The fonts for these texts, in the order in which a letter is looked for in them. */
  of(texts: readonly string[]): Promise<readonly LabelFont[]>;
  /** The letters of these texts that no font has, each once. */
  missing(texts: readonly string[]): Promise<string[]>;
};

export const HELVETICA: LabelFont = {
  source: 'Helvetica',
  has: (codePoint) => (codePoint >= 0x20 && codePoint <= 0x7e) || (codePoint >= 0xa1 && codePoint <= 0xff && codePoint !== 0xad),
};
const FILES_MAX = 1000;
/** Fonts of many letters, of the weight and shape of text, are looked at first. */
const LIKELY =
  /cjk|noto ?sans|notosans|droidsansfallback|arial ?unicode|unifont|wqy|hiragino|pingfang|gothic|msyh|malgun|yugoth|takao|ipa|vl-/i;
const UNLIKELY = /bold|black|heavy|light|thin|italic|oblique|condensed|mono|serif|emoji/i;

/**
 * The fonts of this server, loaded when a label first needs them: the file of LABEL_FONT, one that comes with the server, and what the
 * folders have for the letters that these lack. Letters of Western Europe need none of them.
 */
export function createLabelFonts(
  { file, folders }: { file: string | undefined; folders: readonly string[] },
  onUnreadable: (file: string, error: unknown) => void,
): LabelFonts {
  const opened = new Map<string, Promise<LabelFont | null>>();
  let listed: Promise<string[]> | undefined;
  let owned: Promise<LabelFont[]> | undefined;

  function open(path: string): Promise<LabelFont | null> {
    const known = opened.get(path) ?? openFont(path).catch(() => null);
    opened.set(path, known);
    return known;
  }

  async function own(): Promise<LabelFont[]> {
    const first = file === undefined ? null : await open(file);
    if (file !== undefined && !first) onUnreadable(file, new Error('it is no TrueType or OpenType font that can be embedded'));
    const shipped = await open(fileURLToPath(import.meta.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff')));
    return [first, shipped].filter((font) => font !== null);
  }

  async function of(texts: readonly string[]): Promise<readonly LabelFont[]> {
    const clusters = [...new Set(texts.flatMap((text) => clustersOf(text)))];
    if (file === undefined && clusters.every((cluster) => [...cluster].every((one) => HELVETICA.has(one.codePointAt(0) ?? 0))))
      return [HELVETICA];
    owned ??= own();
    const fonts = [...(await owned)];
    let rest = clusters.filter((cluster) => !glyphsFor(cluster, fonts));
    if (rest.length === 0) return fonts;
    listed ??= listFonts(folders);
    for (const path of await listed) {
      const font = await open(path);
      if (!font || rest.every((cluster) => !glyphsFor(cluster, [font]))) continue;
      fonts.push(font);
      rest = rest.filter((cluster) => !glyphsFor(cluster, [font]));
      if (rest.length === 0) break;
    }
    return fonts;
  }

  return {
    of,
    async missing(texts) {
      const fonts = await of(texts);
      return [...new Set(texts.flatMap((text) => clustersOf(text)))].filter((cluster) => !glyphsFor(cluster, fonts));
    },
  };
}

/** The files of fonts below these folders, those first that are likely to help. */
async function listFonts(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  const paths = lists.flatMap((names, n) => names.map((name) => join(folders[n] ?? '', name)));
  const rank = (path: string): number => (LIKELY.test(path) ? 0 : 2) + (UNLIKELY.test(path) ? 1 : 0);
  return paths
    .filter((path) => ['.ttf', '.otf', '.ttc', '.otc', '.woff'].includes(extname(path).toLowerCase()))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, FILES_MAX);
}

/** The font as TrueType or OpenType. Each use of a letter of a WOFF file would inflate a whole table. */
export async function readFont(path: string): Promise<Buffer> {
  const woff = await readFile(path);
  if (woff.toString('latin1', 0, 4) !== 'wOFF') return woff;
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let at = header.length;
  for (let n = 0; n < count; n += 1) {
    const entry = woff.subarray(44 + 20 * n, 64 + 20 * n);
    const [offset, packed, size] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const stored = woff.subarray(offset, offset + packed);
    const table = Buffer.alloc(Math.ceil(size / 4) * 4);
    (packed < size ? inflateSync(stored) : stored).copy(table);
    entry.copy(header, 12 + 16 * n, 0, 4);
    entry.copy(header, 16 + 16 * n, 16, 20);
    header.writeUInt32BE(at, 20 + 16 * n);
    header.writeUInt32BE(size, 24 + 16 * n);
    tables.push(table);
    at += table.length;
  }
  return Buffer.concat([header, ...tables]);
}

/** null: the font cannot be embedded, or has no outlines of letters. */
async function openFont(path: string): Promise<LabelFont | null> {
  const { create } = await import('fontkit');
  const found: Font | FontCollection = create(await readFont(path));
  const font = 'fonts' in found ? found.fonts[0] : found;
  const sample = font?.characterSet.find((codePoint) => codePoint > 0x40);
  if (!font || sample === undefined || /LastResort/i.test(font.postscriptName)) return null;
  const glyph = font.glyphForCodePoint(sample);
  if (glyph.path.commands.length === 0) return null;
  const subset = font.createSubset();
  subset.includeGlyph(glyph);
  subset.encode();
  const ranges = rangesOf(font.characterSet);
  const joins = joinsArabic(font);
  return {
    source: path,
    ...('fonts' in found ? { member: font.postscriptName } : {}),
    has: (codePoint) => isIn(ranges, codePoint) && (joins || !/\p{Script=Arabic}/u.test(String.fromCodePoint(codePoint))),
  };
}

/** Arabic letters have other forms at the start and at the end of a word. A font that does not know them would print each apart. */
function joinsArabic(font: Font): boolean {
  const [end, start] = font.layout('\u0628\u0628').glyphs;
  return end !== undefined && start !== undefined && end.id !== start.id;
}

/** First and last of each range, one after another: a font of Chinese has 60,000 letters, but few gaps. */
function rangesOf(codePoints: readonly number[]): Uint32Array {
  const ranges: number[] = [];
  for (const codePoint of [...codePoints].sort((a, b) => a - b)) {
    if (ranges.at(-1) === codePoint - 1) ranges[ranges.length - 1] = codePoint;
    else if (ranges.at(-1) !== codePoint) ranges.push(codePoint, codePoint);
  }
  return Uint32Array.from(ranges);
}

function isIn(ranges: Uint32Array, codePoint: number): boolean {
  let [low, high] = [0, ranges.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[2 * middle + 1] ?? 0) < codePoint) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && (ranges[2 * low] ?? 0) <= codePoint;
}
