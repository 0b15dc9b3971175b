import type { Address } from './courier.ts';
import { inLatin } from './label-letters.ts';

export type PrintedLabel = {
  shopName: string;
  from: Address | null;
  to: Address;
  courierName: string;
  orderNumber: string;
  trackingNumber: string;
  weightGrams: number;
  /** A TrueType font; without one the label uses the built-in Latin font and replaces the letters that this font lacks. */
  fontFile: string | undefined;
};

const MM = 72 / 25.4;
const MARGIN = 6 * MM;
const WIDTH = 105 * MM - 2 * MARGIN;

/** Prints an A6 label for the parcel: sender, recipient, and the tracking number as a bar code and as text. */
export async function printLabel(label: PrintedLabel): Promise<Buffer> {
  // Loaded for the first label, because loading it takes longer than starting the server.
  const { default: PdfDocument } = await import('pdfkit');
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
  const text = label.fontFile === undefined ? inLatin : (value: string) => value;
  const write = (size: number, value: string): void => {
    if (value !== '') pdf.fontSize(size).text(text(value), { width: WIDTH, lineGap: 1 });
  };
  const rule = (): void => {
    pdf.moveDown(0.5);
    pdf
      .moveTo(MARGIN, pdf.y)
      .lineTo(MARGIN + WIDTH, pdf.y)
      .stroke();
    pdf.moveDown(0.5);
  };

  if (label.fontFile !== undefined) pdf.font(label.fontFile);
  write(13, label.courierName);
  write(8, `${label.shopName}, order ${label.orderNumber}, ${(label.weightGrams / 1000).toFixed(3)} kg`);
  rule();
  write(7, 'From');
  for (const line of label.from ? linesOf(label.from) : [label.shopName]) write(8, line);
  rule();
  write(7, 'To');
  for (const line of linesOf(label.to)) write(13, line);
  if (label.to.phone !== '') write(8, label.to.phone);
  rule();
  drawBars(pdf, label.trackingNumber, { x: MARGIN, y: pdf.y, width: WIDTH, height: 18 * MM });
  pdf.y += 19 * MM;
  pdf.fontSize(11).text(label.trackingNumber, MARGIN, pdf.y, { width: WIDTH, align: 'center' });
  pdf.end();
  return done;
}

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
