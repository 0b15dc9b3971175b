export type Output = { isTTY?: boolean; write(text: string): unknown };
export type Colours = Record<'bold' | 'dim' | 'green' | 'red', (text: string) => string>;

const ESCAPE = String.fromCharCode(27);
const CODES: Record<keyof Colours, [number, number]> = { bold: [1, 22], dim: [2, 22], green: [32, 39], red: [31, 39] };
const OWN = new Set(Object.values(CODES).flatMap((pair) => pair.map((code) => `${ESCAPE}[${code}m`)));
/** Control characters but line feeds and tabs, what turns the direction of writing, and Unicode's own line breaks. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const LONGEST_CODE = 6;
const TAKEN_OUT = '\ufffd';

export function coloursFor(output: Output): Colours {
  const isColoured = output.isTTY === true && !process.env['NO_COLOR'];
  const paint = (name: keyof Colours) => (text: string) => {
    const [on, off] = CODES[name];
    return isColoured ? `${ESCAPE}[${on}m${text}${ESCAPE}[${off}m` : text;
  };
  return { bold: paint('bold'), dim: paint('dim'), green: paint('green'), red: paint('red') };
}

/**
 * Writes a text of which parts may be somebody else's (a log line, a name, an error): nothing of it steers the terminal,
 * where the four styles above can be told from what does.
 */
export function print(output: Output, text: string): void {
  output.write(text.replaceAll(CONTROL, (found, at: number) => (output.isTTY === true && hasOwnCode(text, at) ? found : TAKEN_OUT)));
}

/** A text of somebody else's that goes between our own: no style of it passes for one of ours. */
export function plain(text: string): string {
  return text.replaceAll(CONTROL, TAKEN_OUT);
}

/** A name, a label or an item: it takes up one line, and cannot look like further ones. */
export function oneLine(text: string): string {
  return plain(text).replaceAll(/[\n\t]/g, ' ');
}

function hasOwnCode(text: string, at: number): boolean {
  const end = text.indexOf('m', at);
  return end > at && end - at < LONGEST_CODE && OWN.has(text.slice(at, end + 1));
}
