import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readFont } from '../../server/providers/courier/label-fonts.ts';

const DEJAVU = fileURLToPath(import.meta.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff'));
const FIRST_GLYPH = 36;

/** Writes a font that has these letters, in the shapes of others, and no more. */
export async function writeFont(file: string, letters: string): Promise<void> {
  const font = await readFont(DEJAVU);
  const codePoints = [...letters].map((letter) => letter.codePointAt(0) ?? 0).sort((a, b) => a - b);
  // One table of segmented coverage (format 12) for all of Unicode, with a group for each letter.
  const cmap = Buffer.alloc(12 + 16 + 12 * codePoints.length);
  for (const [at, value] of [1, 3, 10].entries()) cmap.writeUInt16BE(value, 2 + 2 * at);
  cmap.writeUInt32BE(12, 8);
  cmap.writeUInt16BE(12, 12);
  cmap.writeUInt32BE(cmap.length - 12, 16);
  cmap.writeUInt32BE(codePoints.length, 24);
  for (const [n, codePoint] of codePoints.entries())
    for (const [at, value] of [codePoint, codePoint, FIRST_GLYPH + n].entries()) cmap.writeUInt32BE(value, 28 + 12 * n + 4 * at);
  const entry = font.indexOf('cmap', 12, 'latin1');
  font.writeUInt32BE(font.length, entry + 8);
  font.writeUInt32BE(cmap.length, entry + 12);
  // Without another checksum, the writer of PDFs would take it for the font that it was made of.
  const head = font.readUInt32BE(font.indexOf('head', 12, 'latin1') + 8);
  font.writeUInt32BE((font.readUInt32BE(head + 8) ^ 1) >>> 0, head + 8);
  writeFileSync(file, Buffer.concat([font, cmap]));
}
