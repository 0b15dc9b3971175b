export type Output = { isTTY?: boolean; write(text: string): unknown };
export type Colours = Record<'bold' | 'dim' | 'green' | 'red', (text: string) => string>;

const ESCAPE = String.fromCharCode(27);
const CODES: Record<keyof Colours, [number, number]> = { bold: [1, 22], dim: [2, 22], green: [32, 39], red: [31, 39] };
const OWN = new Set(Object.values(CODES).flatMap((pair) => pair.map((code) => `${ESCAPE}[${code}m`)));
/** Control characters except line feed and tab, characters that change the direction of writing, and Unicode's line breaks. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const LONGEST_CODE = 6;
const REPLACEMENT = '\ufffd';

export function coloursFor(output: Output): Colours {
  const isColoured = output.isTTY === true && !process.env['NO_COLOR'];
  const paint = (name: keyof Colours) => (text: string) => {
    const [on, off] = CODES[name];
    return isColoured ? `${ESCAPE}[${on}m${text}${ESCAPE}[${off}m` : text;
  };
  return { bold: paint('bold'), dim: paint('dim'), green: paint('green'), red: paint('red') };
}

/**
 * Writes a text that may contain text of others (a log line, a name, an error). Control characters are replaced, so that such
 * text cannot control the terminal; only the codes of the four styles above are kept.
 */
export function print(output: Output, text: string): void {
  output.write(text.replaceAll(CONTROL, (found, at: number) => (output.isTTY === true && hasOwnCode(text, at) ? found : REPLACEMENT)));
}

/** Replaces all control characters in a text of others, also the codes of our own styles. */
export function plain(text: string): string {
  return text.replaceAll(CONTROL, REPLACEMENT);
}

/** Makes a text of others (a name, a label, an item) one line, so that it cannot look like further lines of output. */
export function oneLine(text: string): string {
  return plain(text).replaceAll(/[\n\t]/g, ' ');
}

function hasOwnCode(text: string, at: number): boolean {
  const end = text.indexOf('m', at);
  return end > at && end - at < LONGEST_CODE && OWN.has(text.slice(at, end + 1));
}
