import type { PlacedText } from '../../../contract/http.ts';
import { pathFormOf } from '../secrets/masks.ts';
import { filledText, piecesOf, shownText, type ValueFor } from '../secrets/placed-text.ts';
import { canonical } from './rules.ts';

/** The address of a request, in which a script may name secrets: many systems call their hooks by an address with a secret part. */

const ESCAPED = /%7B%7Bsecret:([a-z0-9_]+)%7D%7D/g;

/** Whether a secret has a place elsewhere than in the path or query. */
export function misplacesSecret(url: PlacedText): boolean {
  const pieces = piecesOf(url);
  const first = pieces.findIndex((piece) => typeof piece !== 'string');
  return first !== -1 && !/^[^:/?#]+:\/\/[^/?#]+[/?]/.test(pieces.slice(0, first).join(''));
}

/** The address with the values of its secrets, encoded so that each stays within the path or the query. */
export function filledAddress(url: PlacedText, valueFor: ValueFor): string {
  let isQuery = false;
  const parts = piecesOf(url).map((piece) => {
    if (typeof piece === 'string') isQuery ||= piece.includes('?');
    const plain = typeof piece !== 'string' && 'secret' in piece ? { secret: piece.secret } : piece;
    return filledText([plain], valueFor, isQuery ? encodeURIComponent : pathFormOf);
  });
  return parts.join('');
}

/** The canonical form of an address, as scripts, logs and effects show it: with the names of its secrets, never with their values. */
export function shownAddress(url: PlacedText): string {
  return canonical(shownText(url)).replaceAll(ESCAPED, '{{secret:$1}}');
}
