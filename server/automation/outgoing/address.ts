import type { PlacedText } from '../../../contract/http.ts';
import { piecesOf } from '../../../contract/http-shown.ts';
import { pathFormOf } from '../secrets/masks.ts';
import { filledText, type ValueFor } from '../secrets/placed-text.ts';

/** The address of a request, in which a script may name secrets: many systems call their hooks by an address with a secret part. */

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
