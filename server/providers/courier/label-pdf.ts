import type { Address } from './courier.ts';

export type PrintedLabel = {
  shopName: string;
  from: Address | null;
  to: Address;
  courierName: string;
  orderNumber: string;
  trackingNumber: string;
  weightGrams: number;
  /** A TrueType file; without one the label is in Latin letters without what they lack. */
  fontFile: string | undefined;
};

const MM = 72 / 25.4;
const MARGIN = 6 * MM;
const WIDTH = 105 * MM - 2 * MARGIN;

/** A label of A6, to print and stick on the parcel: sender, recipient, number in bars and in letters. */
export async function printLabel(label: PrintedLabel): Promise<Buffer> {
  // Loaded when the first label is printed: it takes longer than the server's own start.
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

function linesOf({ name, line1, line2, postal_code, city, state, country }: Address): string[] {
  return [name, line1, line2, [postal_code, city, state].filter(Boolean).join(' '), country].filter(Boolean);
}

const PRINTABLE = /[^\x20-\x7e\xa1-\xff]/g;

/** The letters that the built-in font has; others lose their accent, or become a question mark. */
function inLatin(value: string): string {
  return value
    .normalize('NFC')
    .replaceAll(PRINTABLE, (letter) => letter.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(PRINTABLE, '?') || '?');
}

/** Code 39: nine elements a letter, bars and gaps in turn, 1 for a wide one. */
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
  // Between two letters there is a narrow gap.
  const elements = [...`*${number}*`].flatMap((letter) => [...(CODE_39[letter] ?? ''), '0']).slice(0, -1);
  const widths = elements.map((element) => (element === '1' ? WIDE : 1));
  const unit = width / widths.reduce((sum, one) => sum + one, 0);
  let at = x;
  for (const [i, one] of widths.entries()) {
    // Letters have an odd number of elements, so that with the gap after each every letter begins with a bar.
    if (i % 2 === 0) pdf.rect(at, y, one * unit, height).fill('black');
    at += one * unit;
  }
}
