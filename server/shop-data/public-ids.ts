import { hash } from 'node:crypto';
import { publicIdFrom } from '../values/public-id.ts';

/**
 * A public id computed from a text, so that a repeated fill makes the same ids.
 * `place` (below `PLACES`): the first 4 characters of the id rise with it, so that many rows are written in the order of the id's index.
 */
export function publicIdOf(text: string, place?: number): string {
  const bytes = hash('sha256', text, 'buffer');
  if (place !== undefined) for (let i = 0; i < 4; i++) bytes[i] = place >>> (15 - 5 * i);
  return publicIdFrom(bytes.subarray(0, 12));
}

/** The number of places that `publicIdOf` tells apart. */
export const PLACES = 2 ** 20;
