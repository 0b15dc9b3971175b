import type { Piece, PlacedText } from '../contract/http.ts';

/** Finds the placeholders that `secret` made in what a script gives to a request, and makes places of them, apart from the text. */
export type Places = {
  /** The text itself where it has none. Throws where it has a part of one, or one in a form that the server cannot fill. */
  of(text: string): PlacedText;
  /** The same for bytes; a text between the places is base64, as the bytes are. */
  inBytes(base64: string): PlacedText;
};

type Plain = Exclude<Piece, { base64: unknown }>;

const NAME = '([a-z][a-z0-9_]{0,63})';
const COLON = '(?::|%3[aA])';
/** How many characters at the start of a base64 text depend on what stands before the mark, for each place in a group of three bytes. */
const STARTS = [0, 2, 3];
const BLOCK = 8192;

export function createPlaces(mark: string): Places {
  const placeholder = new RegExp(`(\\{\\{|%7[bB]%7[bB])secret${COLON}${NAME}${COLON}${mark}(?:\\}\\}|%7[dD]%7[dD])`, 'g');
  const encoded = formsInBase64(mark);
  const inBase64 = new RegExp(encoded.join('|'), 'g');
  const isIn = (text: string): boolean => encoded.some((form) => text.includes(form));

  return {
    of: (text) => (text.includes(mark) || isIn(text) ? anyPieces(text) : text),
    inBytes: (text) => (isIn(text) ? anyPieces(bytesIn(text)).map((piece) => (typeof piece === 'string' ? base64Of(piece) : piece)) : text),
  };

  function anyPieces(text: string): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const { index } of text.matchAll(inBase64)) {
      if (index < at) continue;
      const [start, end] = base64Around(text, index, at);
      pieces.push(...plainPieces(text.slice(at, start)), { base64: placesIn(text.slice(start, end)) });
      at = end;
    }
    pieces.push(...plainPieces(text.slice(at)));
    return pieces;
  }

  function plainPieces(text: string): Plain[] {
    const pieces: Plain[] = [];
    let at = 0;
    for (const { index, 0: whole, 1: open, 2: name = '' } of text.matchAll(placeholder)) {
      if (index > at) pieces.push(text.slice(at, index));
      pieces.push(open === '{{' ? { secret: name } : { secret: name, encode: 'url' });
      at = index + whole.length;
    }
    if (at < text.length) pieces.push(text.slice(at));
    if (pieces.some((piece) => typeof piece === 'string' && piece.includes(mark))) throw changed();
    return pieces;
  }

  function placesIn(found: string): Plain[] {
    const bytes = bytesIn(found);
    if (base64Of(bytes) !== found) throw changed();
    const pieces = plainPieces(bytes);
    if (pieces.every((piece) => typeof piece === 'string')) throw changed();
    return pieces;
  }
}

/**
 * Where the base64 begins and ends that has this place in it. A regular expression for all of it would try each letter of a long text as
 * its beginning, and a text may be the base64 of a file.
 */
function base64Around(text: string, place: number, least: number): [start: number, end: number] {
  let [start, end] = [place, place];
  while (start > least && isBase64(text.charCodeAt(start - 1))) start--;
  while (isBase64(text.charCodeAt(end))) end++;
  return [start, end + (/^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0)];
}

function isBase64(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;
}

/** The parts of the mark's base64 that are the same whatever stands before and after it. */
function formsInBase64(mark: string): string[] {
  return STARTS.map((from, before) => {
    const text = base64Of(' '.repeat(before) + mark).replace(/=+$/, '');
    return text.slice(from, (before + mark.length) % 3 === 0 ? undefined : -1);
  });
}

/** Bytes, each as one character. */
function bytesIn(base64: string): string {
  let text = '';
  try {
    const bytes = Uint8Array.fromBase64(base64);
    for (let at = 0; at < bytes.length; at += BLOCK) text += String.fromCharCode(...bytes.subarray(at, at + BLOCK));
  } catch {
    throw changed();
  }
  return text;
}

function base64Of(bytes: string): string {
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).toBase64();
}

function changed(): TypeError {
  return new TypeError(
    'a request can have the placeholder of a secret only as secret() gave it, encoded for a URL, or in the base64 of a text around it',
  );
}
