import { hash } from 'node:crypto';
import { publicIdFrom } from '../values/public-id.ts';

/**
 * A public id that follows from a text, so that a repeated fill makes the same.
 * `place`: its first 4 characters rise with this number, so that very many rows are written in the order of their ids' index.
 */
export function publicIdOf(text: string, place?: number): string {
  const bytes = hash('sha256', text, 'buffer');
  if (place !== undefined) for (let i = 0; i < 4; i++) bytes[i] = place >>> (15 - 5 * i);
  return publicIdFrom(bytes.subarray(0, 12));
}

/** Places for `publicIdOf`. */
export const PLACES = 2 ** 20;
