import { createHash } from 'node:crypto';

/** The challenge that stands for a text of what is decided. */
export function challengeOf(payload: string): string {
  return createHash('sha256').update(payload).digest('base64url');
}
