import { createRequire } from 'node:module';
import type { Bidi } from 'bidi-js';
import type { Address } from './courier.ts';
import { HELVETICA, type LabelFont, type LabelFonts, readFont } from './label-fonts.ts';
import { linesOfText, type Piece } from './label-text.ts';

export type PrintedLabel = {
  shopName: string;
  from: Address | null;
  to: Address;
  courierName: string;
  orderNumber: string;
  trackingNumber: string;
  weightGrams: number;
};

const MM = 72 / 25.4;
const MARGIN = 6 * MM;
const WIDTH = 105 * MM - 2 * MARGIN;
const BOTTOM = 148 * MM - MARGIN;
const BARS_HEIGHT = 30 * MM;

/** Prints an A6 label for the parcel: sender, recipient, and the tracking number as a bar code and as text. */
export async function printLabel(label: PrintedLabel, labelFonts: LabelFonts): Promise<Buffer> {
  const header = `${label.shopName}, order ${label.orderNumber}, ${(label.weightGrams / 1000).toFixed(3)} kg`;
  const from = label.from ? linesOf(label.from) : [label.shopName];
  const fonts = await labelFonts.of([label.courierName, header, ...from, ...linesOf(label.to), label.to.phone]);
  // Loaded for the first label, because loading them takes longer than starting the server.
  const { default: PdfDocument } = await import('pdfkit');
  const createBidi: () => Bidi = createRequire(import.meta.url)('bidi-js');
  const bidi = createBidi();
  const pdf = new PdfDocument({
    size: 'A6',
    margin: MARGIN,
    info: { Title: `${label.courierName} ${label.trackingNumber}`, Creator: label.shopName },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  for (const font of fonts) if (font !== HELVETICA) pdf.registerFont(keyOf(font), await readFont(font.source), font.member);
  let y = MARGIN;
  const makeRoom = (height: number): void => {
    if (y + height <= BOTTOM) return;
    pdf.addPage();
    y = MARGIN;
  };
  const write = (size: number, value: string): void => {
    const widthOf = ({ text, font }: Piece): number => pdf.font(keyOf(font)).fontSize(size).widthOfString(text, { features: [] });
    for (const { pieces, isRightToLeft } of linesOfText(value, { fonts, bidi, width: WIDTH, widthOf })) {
      makeRoom(size * LINE);
      const widths = pieces.map(widthOf);
      let x = isRightToLeft ? MARGIN + WIDTH - widths.reduce((sum, one) => sum + one, 0) : MARGIN;
      for (const [n, { text, font }] of pieces.entries()) {
        pdf.font(keyOf(font)).fontSize(size);
        // Empty features let the text engine see a piece as a whole instead of word by word.
        pdf.text(text, x, y + size, { lineBreak: false, baseline: 'alphabetic', features: [] });
        x += widths[n] ?? 0;
      }
      y += size * LINE;
    }
  };
  const rule = (): void => {
    y += 5;
    pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + WIDTH, y)
      .stroke();
    y += 5;
  };

  write(13, label.courierName);
  write(8, header);
  rule();
  write(7, 'From');
  for (const line of from) write(8, line);
  rule();
  write(7, 'To');
  for (const line of linesOf(label.to)) write(13, line);
  write(8, label.to.phone);
  rule();
  makeRoom(BARS_HEIGHT);
  drawBars(pdf, label.trackingNumber, { x: MARGIN, y, width: WIDTH, height: 18 * MM });
  pdf
    .font(HELVETICA.source)
    .fontSize(11)
    .text(label.trackingNumber, MARGIN, y + 19 * MM, { width: WIDTH, align: 'center' });
  pdf.end();
  return done;
}

/** Height of a line, in sizes of its letters. */
const LINE = 1.25;

const keyOf = ({ source, member }: LabelFont): string => (member === undefined ? source : `${source}#${member}`);

export function linesOf({ name, line1, line2, postal_code, city, state, country }: Address): string[] {
  return [name, line1, line2, [postal_code, city, state].filter(Boolean).join(' '), country].filter(Boolean);
}

/** Code 39: each letter is nine elements, bars and gaps alternating; 1 is a wide element. */
const CODE_39: Record<string, string> = {
  0: '000110100',
  1: '100100001',
  2: '001100001',
  3: '101100000',
  4: '000110001',
  5: '100110000',
  6: '001110000',
  7: '000100101',
  8: '100100100',
  9: '001100100',
  A: '100001001',
  B: '001001001',
  C: '101001000',
  D: '000011001',
  E: '100011000',
  F: '001011000',
  R: '100000110',
  '*': '010010100',
};
const WIDE = 2.5;

type Page = { rect(x: number, y: number, width: number, height: number): { fill(color: string): unknown } };
type Box = { x: number; y: number; width: number; height: number };

function drawBars(pdf: Page, number: string, { x, y, width, height }: Box): void {
  // A narrow gap separates two letters.
  const elements = [...`*${number}*`].flatMap((letter) => [...(CODE_39[letter] ?? ''), '0']).slice(0, -1);
  const widths = elements.map((element) => (element === '1' ? WIDE : 1));
  const unit = width / widths.reduce((sum, one) => sum + one, 0);
  let at = x;
  for (const [i, one] of widths.entries()) {
    // A letter has an odd number of elements and one gap after it, so every letter begins with a bar.
    if (i % 2 === 0) pdf.rect(at, y, one * unit, height).fill('black');
    at += one * unit;
  }
}
