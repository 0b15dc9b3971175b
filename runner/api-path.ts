const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;
/** Percent-encodings of what needs none (RFC 3986, unreserved): two spellings of one path. */
const NEEDLESS = /%(2[dD]|2[eE]|3\d|4[1-9a-fA-F]|5[0-9aA]|5[fF]|6[1-9a-fA-F]|7[0-9aA]|7[eE])/;

/** A path that a script gave and that was found in order; nothing but `scriptPath` makes one. */
export class ScriptPath {
  readonly #text: string;
  constructor(text: string) {
    const problem = pathProblem(text);
    if (problem !== null) throw new Error(problem);
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/**
 * What is wrong with a script's path, or null. It is relative to /admin/api and must stay below it whoever
 * normalises it, and have one spelling: what the URL parser would change in any way is refused.
 */
export function pathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'the path must start with "/"';
  if (!PRINTABLE_ASCII.test(path)) return 'the path must be printable ASCII: use encodeURIComponent for values';
  if (path.includes('#') || path.includes('\\')) return 'the path must not contain "#" or "\\"';
  const [pathname = ''] = path.split('?', 1);
  if (pathname.includes('//')) return 'the path must not contain "//"';
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(pathname) || /%2f|%5c|%00/i.test(pathname)) return 'the path must not leave /admin/api';
  const needless = NEEDLESS.exec(pathname);
  if (needless) return `the path must not percent-encode what needs no encoding: ${needless[0]}`;
  if (!URL.canParse(`http://shop/admin/api${path}`)) return 'the path is not a valid URL path';
  return new URL(`http://shop/admin/api${path}`).pathname === `/admin/api${pathname}` ? null : 'the path is not in normal form';
}
