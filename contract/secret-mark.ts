import { hash } from 'node:crypto';
import { MARK_DIGITS } from './secret-rules.ts';

/** The drawn part of a lineage's placeholders for secrets. It is the same in each attempt, because checkpoints and `once` may hold one. */
export function secretMark(lineageSeed: string): string {
  const digits = BigInt(`0x${hash('sha256', `${lineageSeed}/secrets`, 'hex')}`).toString();
  return digits.slice(-MARK_DIGITS).padStart(MARK_DIGITS, '0');
}
