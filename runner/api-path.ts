const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;
/** Percent-encoded characters that need no encoding (RFC 3986, unreserved). They would give one path two spellings. */
const NEEDLESS_ENCODING = /%(2[dD]|2[eE]|3\d|4[1-9a-fA-F]|5[0-9aA]|5[fF]|6[1-9a-fA-F]|7[0-9aA]|7[eE])/;

/** A path from a script, checked by `pathProblem`. The constructor throws for a path that is not acceptable. */
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
 * Returns what is wrong with a script's path, or null. The path is relative to /admin/api and must stay below it, whichever
 * program on the way normalises it. A path that the URL parser would change is refused, so that each path has one spelling.
 */
export function pathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'the path must start with "/"';
  if (!PRINTABLE_ASCII.test(path)) return 'the path must be printable ASCII: use encodeURIComponent for values';
  if (path.includes('#') || path.includes('\\')) return 'the path must not contain "#" or "\\"';
  const [pathname = ''] = path.split('?', 1);
  if (pathname.includes('//')) return 'the path must not contain "//"';
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(pathname) || /%2f|%5c|%00/i.test(pathname)) return 'the path must not leave /admin/api';
  const needless = NEEDLESS_ENCODING.exec(pathname);
  if (needless) return `the path must not percent-encode what needs no encoding: ${needless[0]}`;
  if (!URL.canParse(`http://shop/admin/api${path}`)) return 'the path is not a valid URL path';
  return new URL(`http://shop/admin/api${path}`).pathname === `/admin/api${pathname}` ? null : 'the path is not in normal form';
}
