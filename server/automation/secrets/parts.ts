/**
 * Parts of a secret that tell of it by themselves: fixed pieces of what was drawn at random in it, and passwords that stand in it under their
 * name. A piece is found whole or not at all, and is too long to be guessed. If shorter runs were looked for wherever they begin, a script
 * could guess one character after the other and see from an echo which guess is right.
 */

/** `isBase64`: `+` and `/` may belong to it, too. */
export type Part = { text: string; isBase64: boolean };

export function partsOf(value: string): Part[] {
  const parts = textsIn(value).flatMap(({ text, name }) => {
    if (PUBLIC.test(name)) return [];
    const whole = [...(SECRET.test(name) && !/ur[il]$/i.test(name) ? [text] : []), ...passwordsIn(text)].filter(isPassword);
    return [...whole.map((one) => ({ text: one, isBase64: false })), ...piecesOf(text)];
  });
  const distinct = new Map(parts.map((part) => [part.text, part]));
  distinct.delete(value);
  return [...distinct.values()];
}

/** Names of fields in a secret that is JSON. */
const SECRET = /pass|pwd|secret|token|key|credential/i;
const PUBLIC = /(?:id|name|type|email)$/i;

/** The texts of a secret that is JSON, such as a service account, each with the name of its field. */
function textsIn(value: string): { text: string; name: string }[] {
  const found: { text: string; name: string }[] = [];
  const left: { value: unknown; name: string }[] = [{ value: jsonIn(value), name: '' }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: one, name } = next;
    if (typeof one === 'string') found.push({ text: one, name });
    else if (Array.isArray(one)) left.push(...one.map((item: unknown) => ({ value: item, name })));
    else if (typeof one === 'object' && one !== null)
      left.push(...Object.entries(one).map(([key, item]: [string, unknown]) => ({ value: item, name: key })));
  }
  return found;
}

function jsonIn(value: string): unknown {
  if (!/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Of `https://name:password@host` and of `name:password`. */
function passwordsIn(text: string): string[] {
  if (URL.canParse(text) && text.includes('://')) return [new URL(text).password];
  const [, password] = /^[^\s:/]+:(\S+)$/.exec(text) ?? [];
  return password === undefined ? [] : [password];
}

const PASSWORD = { least: 8, most: 64, leastLetters: 16 };

/** A password that is a word could stand in any answer. */
function isPassword(text: string): boolean {
  const isWord = /^[a-z]+$/i.test(text) && text.length < PASSWORD.leastLetters;
  return text.length >= PASSWORD.least && text.length <= PASSWORD.most && !isWord;
}

const ADDRESS = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi;
/** What all keys of a kind begin with. */
const KEY_BEGIN = /(-----BEGIN [A-Z0-9 ]{1,40}-----(?:\s|\\[nr])+)[A-Za-z0-9+/]{1,48}/g;
const BASE64 = /[A-Za-z0-9+/]{40,}/g;
const BASE64_OF_KEY = /[A-Za-z0-9+/]{16,}/g;
const LETTERS = /[A-Za-z0-9]{12,}/g;

function piecesOf(text: string): Part[] {
  const found: Part[] = [];
  const take = (pattern: RegExp, isBase64: boolean) => (run: string) =>
    run.replaceAll(pattern, (token) => {
      if (!isRandom(token)) return token;
      found.push(...blocksOf(token).map((block) => ({ text: block, isBase64 })));
      return ' ';
    });
  // The path of an address looks like base64 where it is long.
  const rest = text.replaceAll(ADDRESS, (address) => `${take(LETTERS, false)(address)} `).replaceAll(KEY_BEGIN, '$1 ');
  take(LETTERS, false)(take(text.includes('-----BEGIN ') ? BASE64_OF_KEY : BASE64, true)(rest));
  return found;
}

/** Whether the token looks random rather than written by hand. Of a readable token (`eyJ…`, JSON in base64), only the signature is secret. */
function isRandom(token: string): boolean {
  if (token.startsWith('eyJ') || !/[a-z]/i.test(token)) return false;
  const changes = token.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
  if (changes >= 3) return true;
  if (!/[a-z]/.test(token) || !/[A-Z]/.test(token)) return /^[a-z]{24,}$/i.test(token);
  return (token.match(/(?<![a-z])[a-z]{1,2}(?![a-z])/g)?.length ?? 0) >= 2;
}

/** The token in blocks of about equal length, each of 62 bits at least though case is not told apart. */
function blocksOf(token: string): string[] {
  const least = /^[0-9a-f]+$/i.test(token) ? 16 : /^[a-z]+$/i.test(token) ? 14 : 12;
  const count = Math.floor(token.length / least);
  const border = (n: number): number => Math.round((n * token.length) / count);
  return Array.from({ length: count }, (_, n) => token.slice(border(n), border(n + 1)));
}
