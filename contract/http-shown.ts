import type { Piece, PlacedText } from './http.ts';
import { checkUrl } from './http-allow.ts';
import { shownSecret } from './secret-rules.ts';

/** How people see requests to other systems: with the names of their secrets, never with their values. */

export function piecesOf(text: PlacedText): readonly Piece[] {
  return typeof text === 'string' ? [text] : text;
}

/** The text with the names of the secrets. `decode`: makes a text of a piece that is not to be shown as it is. */
export function shownText(text: PlacedText, decode: (piece: string) => string = (piece) => piece): string {
  return piecesOf(text)
    .map((piece) =>
      typeof piece === 'string' ? decode(piece) : 'secret' in piece ? shownSecret(piece.secret) : `base64(${shownText(piece.base64)})`,
    )
    .join('');
}

/** The canonical form of an address that was checked. */
export function canonical(url: string): string {
  const { value } = checkUrl(url);
  return value === undefined ? url : `${value.origin}${value.path}${value.query}`;
}

const ESCAPED = /%7B%7Bsecret:([a-z0-9_]+)%7D%7D/g;

/** The canonical form of an address with the names of its secrets. */
export function shownAddress(url: PlacedText): string {
  return canonical(shownText(url)).replaceAll(ESCAPED, '{{secret:$1}}');
}

/** A query may hold what must not be told. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').slice(0, 500);
}

/** The request as logs and effects show it: without its query. */
export function shownRequest({ method, url }: { method: string; url: PlacedText }): string {
  return `${method} ${withoutQuery(shownAddress(url))}`;
}
