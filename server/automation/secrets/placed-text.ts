import type { Piece, PlacedText } from '../../../contract/http.ts';
import { piecesOf } from '../../../contract/http-shown.ts';

/** Texts with placeholders for secrets. A script's text that only looks like a placeholder stays text. */

export type ValueFor = (name: string) => string;
/** Writes a value as the text around it needs it, such as within JSON. */
export type Encode = (value: string) => string;
type Plain = Exclude<Piece, { base64: unknown }>;

export function namesIn(text: PlacedText): string[] {
  return piecesOf(text).flatMap((piece) => (typeof piece === 'string' ? [] : 'secret' in piece ? [piece.secret] : namesIn(piece.base64)));
}

export function filledText(text: PlacedText, valueFor: ValueFor, encode: Encode = asIs): string {
  return piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? piece : filledPiece(piece, valueFor, encode)))
    .join('');
}

/** Bytes whose pieces of text are base64. */
export function filledBytes(base64: PlacedText, valueFor: ValueFor): Buffer {
  const parts = piecesOf(base64).map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece, 'base64') : Buffer.from(filledPiece(piece, valueFor, asIs)),
  );
  return Buffer.concat(parts);
}

function filledPiece(piece: Exclude<Piece, string>, valueFor: ValueFor, encode: Encode): string {
  if ('base64' in piece) return Buffer.concat(piece.base64.map((one) => bytesOf(one, valueFor))).toString('base64');
  return (piece.encode === 'url' ? encodeURIComponent : encode)(valueFor(piece.secret));
}

function bytesOf(piece: Plain, valueFor: ValueFor): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(filledPiece(piece, valueFor, asIs));
}

function asIs(text: string): string {
  return text;
}
