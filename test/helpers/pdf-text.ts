import { inflateSync } from 'node:zlib';

export type Shown = { text: string; codes: string[] };

/** What a PDF of pdfkit shows, piece by piece as it is drawn: its text as the fonts map it back (ToUnicode), and the codes of its glyphs. */
export function shownOf(pdf: Buffer): Shown[] {
  const objects = new Map<string, { dictionary: string; stream: string }>();
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [dictionary = '', packed = ''] = body.split(/\nstream\n|\nendstream/);
    const isPacked = packed !== '' && dictionary.includes('/FlateDecode');
    objects.set(id, { dictionary, stream: isPacked ? inflateSync(Buffer.from(packed, 'latin1')).toString('latin1') : packed });
  }
  const fonts = new Map<string, string[] | null>();
  for (const { dictionary } of objects.values())
    for (const [, name = '', id = ''] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) fonts.set(name, toUnicode(objects, id));
  const shown: Shown[] = [];
  for (const { stream } of objects.values()) {
    if (!stream.includes(' Tf')) continue;
    for (const [, name = '', drawn = ''] of stream.matchAll(/\/(F\d+) [\d.]+ Tf([\s\S]*?)ET/g)) {
      const letters = fonts.get(name) ?? null;
      const hex = [...drawn.matchAll(/<([0-9a-f]+)>/g)].map(([, one = '']) => one).join('');
      const codes = hex.match(letters ? /.{4}/g : /.{2}/g) ?? [];
      const text = codes.map((code) => (letters ? letters[Number.parseInt(code, 16)] : String.fromCharCode(Number.parseInt(code, 16))));
      shown.push({ text: text.join(''), codes });
    }
  }
  return shown;
}

/** The text of each code of a font; null: one of the fonts that each reader has. */
function toUnicode(objects: ReadonlyMap<string, { dictionary: string; stream: string }>, font: string): string[] | null {
  const id = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.dictionary ?? '')?.[1];
  const map = id === undefined ? undefined : objects.get(id)?.stream;
  if (map === undefined) return null;
  const texts = [...map.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[(.*)\]/g)].flatMap(([, list = '']) => list.match(/<[^>]*>/g) ?? []);
  return texts.map((text) => Buffer.from(text.replaceAll(/[<> ]/g, ''), 'hex').swap16().toString('utf16le'));
}
