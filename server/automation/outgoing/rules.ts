import { checkUrl, isAllowed } from '../../../contract/http-allow.ts';
import { withoutQuery } from '../../../contract/http-shown.ts';

/** What of an outgoing request is allowed, and how it goes on after an answer. */

/** A request that was checked; `url` is in the form that is compared with the allow-list and sent. */
export type Asked = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  /** The headers with a secret, which stay with their first host; in lower case, as all names. */
  secretHeaders: readonly string[];
  /** The names of the secrets in the body. */
  bodySecrets: readonly string[];
};

/** Headers that say how the request is sent, which the server decides. */
const REFUSED =
  /^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|idempotency-key|proxy-.*|sec-.*)$/;
const HEADERS_MAX = 64;

/** What is wrong with a header, by its name as it was given; null: nothing. */
export function headerProblems(headers: Readonly<Record<string, string>>): [name: string, problem: string][] {
  const names = Object.keys(headers);
  const problems = names.flatMap((name, index): [string, string][] => {
    const lower = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower)) return [[name, 'is not the name of a header']];
    if (REFUSED.test(lower)) return [[name, 'is set by the server and cannot be given']];
    if (names.findIndex((other) => other.toLowerCase() === lower) !== index) return [[name, 'is given twice']];
    // Line breaks would begin another header.
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(headers[name] ?? '')
      ? []
      : [[name, 'must have no control characters and only those of Latin-1']];
  });
  return names.length > HEADERS_MAX ? [...problems, ['', `must be at most ${HEADERS_MAX} headers`]] : problems;
}

/** Why the version may not send the request; null: it may. `shown`: the address as the text may have it. */
export function refusalOf(allow: readonly string[], method: string, url: string, shown = withoutQuery(url)): string | null {
  const { problem } = checkUrl(url);
  if (problem !== undefined) return `the address ${problem}`;
  if (isAllowed(allow, method, url)) return null;
  return `the version's http_allow has no entry for ${method} ${shown}; it has ${allow.join(' · ') || 'none'}`;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that may follow to another host; all others may be meant for the first one alone. */
const HARMLESS = /^(accept|accept-encoding|accept-language|content-type|idempotency-key|user-agent|x-request-id)$/i;

/** The request that a redirect asks for, by the rules of fetch; null: the answer is none. */
export function redirected(asked: Asked, status: number, location: string | undefined): Asked | null {
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, asked.url)) return null;
  const next = new URL(location, asked.url);
  next.hash = '';
  const isRead = asked.method === 'GET' || asked.method === 'HEAD';
  const becomesGet = (status === 303 && !isRead) || ((status === 301 || status === 302) && asked.method === 'POST');
  const isElsewhere = next.origin !== new URL(asked.url).origin;
  const kept = Object.entries(asked.headers).filter(
    ([name]) =>
      (!isElsewhere || (HARMLESS.test(name) && !asked.secretHeaders.includes(name))) &&
      !(becomesGet && /^(content-|idempotency-key$)/i.test(name)),
  );
  return {
    method: becomesGet ? 'GET' : asked.method,
    url: next.href,
    headers: Object.fromEntries(kept),
    body: becomesGet ? null : asked.body,
    secretHeaders: asked.secretHeaders,
    bodySecrets: becomesGet ? [] : asked.bodySecrets,
  };
}

const FIRST_WAIT_MS = 250;

/** How long to wait before the next try, with jitter, and never less than the other system asks for. */
export function waitMs(tries: number, retryAfterMs: number | null, random: number): number {
  return Math.max(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + random), retryAfterMs ?? 0);
}

export function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

/** A body as JSON can hold it. */
export function shownBody(body: Buffer): { body: string; encoding: 'text' | 'base64' } {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body), encoding: 'text' };
  } catch {
    return { body: body.toString('base64'), encoding: 'base64' };
  }
}
