import { PLACEHOLDER } from '../secrets/filling.ts';
import { pathFormOf } from '../secrets/masks.ts';
import { canonical } from './rules.ts';

/** The address of a request, in which a script may name secrets: many systems call their hooks by an address with a secret part. */

const NAMED = /(\{|%7b){2}secret(:|%3a)/i;
const ESCAPED = /%7B%7Bsecret:([a-z0-9_]+)%7D%7D/g;

/** Whether an address names a secret elsewhere than in its path or query, or in another spelling than that of `secret('name')`. */
export function misnamesSecret(url: string): boolean {
  const [, origin = url, rest = ''] = /^([^:/?#]+:\/\/[^/?#]*)(.*)$/s.exec(url) ?? [];
  return NAMED.test(origin) || NAMED.test(rest.replaceAll(PLACEHOLDER, ''));
}

/** The address with the values of its secrets: `fill` puts each in, encoded so that it stays within the path or the query. */
export function filledAddress(url: string, fill: (text: string, encode: (value: string) => string) => string): string {
  const query = url.indexOf('?');
  if (query === -1) return fill(url, pathFormOf);
  return `${fill(url.slice(0, query), pathFormOf)}${fill(url.slice(query), encodeURIComponent)}`;
}

/** The canonical form of an address, as scripts, logs and effects show it: with the names of its secrets, never with their values. */
export function shownAddress(url: string): string {
  return canonical(url).replaceAll(ESCAPED, '{{secret:$1}}');
}
