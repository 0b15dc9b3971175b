import { SESSION_COOKIE } from '../../../contract/sessions.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Place } from './place.ts';

const PATTERN = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([0-9A-Za-z]{43})(?:;|$)`);

/** The secret of the session that a browser sends; null: none, or one that cannot be a secret. */
export function secretIn(header: string | undefined): string | null {
  return PATTERN.exec(header ?? '')?.[1] ?? null;
}

/** `secret` null: the browser forgets the cookie. Browsers take it over https, and from http://localhost. */
export function cookieOf(secret: string | null, maxAgeSeconds: number): string {
  return `${SESSION_COOKIE}=${secret ?? ''}; Path=/; Max-Age=${secret === null ? 0 : maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;
}

/**
 * Refuses requests that pages of other sites send, and such over plain http: browsers tell with every POST and DELETE where the page is from. A
 * program that tells neither has no cookie of anybody.
 */
export function requireOwnOrigin(
  { origin, 'sec-fetch-site': site }: { origin: string | undefined; 'sec-fetch-site': string | undefined },
  place: Place,
): void {
  if (origin === place.origin && (site === undefined || site === 'same-origin')) return;
  throw new Refusal('wrong_origin', `Sessions work at ${place.origin} alone, on pages of its own.`);
}
