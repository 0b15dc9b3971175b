/**
 * To which addresses a version may send requests: the entries of `http_allow`, their canonical form, and the decision about one request.
 * This file imports nothing and has no state.
 */

/** The methods of requests that tasks can send, in the order of a canonical entry. */
export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof httpMethods)[number];

/** The methods of an entry that names none: those that change nothing. */
const READING: readonly HttpMethod[] = ['GET', 'HEAD'];

export type Checked<T> = { value: T; problem?: never } | { value?: never; problem: string };

/** An address that was checked, in the form in which it is compared and sent. */
export type CheckedUrl = {
  /** Scheme, host and port, without the default port: `https://api.example.com`. */
  origin: string;
  /** The hostname of the origin, in lower case and in ASCII. */
  hostname: string;
  /** Unreserved characters are plain, all other escapes have upper-case digits. */
  path: string;
  /** With its `?`, or empty. */
  query: string;
};

/** One entry: `path` ends with `/` if it stands for everything that begins with it. */
export type HttpRule = { methods: readonly HttpMethod[]; origin: string; hostname: string; path: string; isPrefix: boolean };

/** The canonical text of an entry `[METHODS ]https://host[:port]/path[/*]`, such as `GET,HEAD https://api.example.com/v1/*`. */
export function canonicalRule(text: string): Checked<string> {
  const { value, problem } = parseRule(text);
  if (problem !== undefined) return { problem };
  return { value: `${value.methods.join(',')} ${value.origin}${value.path}${value.isPrefix ? '*' : ''}` };
}

/** Whether one of the entries covers the request. An address that cannot be checked is covered by none. */
export function isAllowed(allow: readonly string[], method: string, url: string): boolean {
  const { value: asked } = checkUrl(url);
  if (!asked) return false;
  return allow.some((text) => {
    const { value: rule } = parseRule(text);
    if (!rule || rule.origin !== asked.origin || !rule.methods.some((one) => one === method)) return false;
    return rule.isPrefix ? asked.path.startsWith(rule.path) : asked.path === rule.path;
  });
}

export function parseRule(text: string): Checked<HttpRule> {
  const [, list, address = ''] = /^(?:([^:/]*?)\s+)?(\S*)$/.exec(text.trim()) ?? [];
  if (address === '') return { problem: `must be an address such as "https://api.example.com/v1/*", or methods, a blank and an address` };
  const methods = parseMethods(list);
  if (methods.problem !== undefined) return methods;
  if (/[?#]/.test(address)) return { problem: 'must have no query and no fragment: an entry covers every query of its path' };
  const isPrefix = address.endsWith('/*');
  const { value, problem } = checkUrl(isPrefix ? address.slice(0, -1) : address);
  if (problem !== undefined) return { problem };
  if (value.path.includes('*')) return { problem: 'can have an asterisk only at its end, as in "/v1/*"' };
  if (!/^[^/]*\/\/[^/]*\//.test(address)) {
    return { problem: `must have a path: "${value.origin}/*" covers every path of the host, "${value.origin}/" its root alone` };
  }
  return { value: { methods: methods.value, origin: value.origin, hostname: value.hostname, path: value.path, isPrefix } };
}

function parseMethods(list: string | undefined): Checked<readonly HttpMethod[]> {
  if (list === undefined) return { value: READING };
  const names = list.split(',').map((name) => name.trim().toUpperCase());
  const unknown = names.find((name) => !httpMethods.some((one) => one === name));
  if (unknown !== undefined) return { problem: `"${unknown.slice(0, 20)}" is not a method; accepted are ${httpMethods.join(', ')}` };
  return { value: httpMethods.filter((one) => names.includes(one)) };
}

/**
 * Checks an address and gives its canonical form. It refuses whatever servers, proxies and libraries read in different ways, because the
 * one that is asked might then not be the one that was compared.
 */
export function checkUrl(text: string): Checked<CheckedUrl> {
  // A URL parser would leave out line breaks and tabs, and turn a backslash into a slash.
  if (/[\p{Cc}\s\\]/u.test(text)) return { problem: 'must have no blanks, control characters or backslashes' };
  const [, scheme = '', authority = '', path = '/', query = '', fragment] =
    /^([^:/?#]+):\/\/([^/?#]*)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/u.exec(text) ?? [];
  if (!/^https?$/i.test(scheme)) return { problem: 'must be an absolute address that begins with https://' };
  if (fragment !== undefined) return { problem: 'must have no fragment (#…)' };
  const host = checkAuthority(scheme, authority);
  if (host.problem !== undefined) return host;
  const problem = pathProblem(path);
  if (problem !== null) return { problem };
  const url = new URL(`${host.value.origin}${path}${query}`);
  return { value: { ...host.value, path: plain(url.pathname), query: url.search } };
}

function checkAuthority(scheme: string, authority: string): Checked<Pick<CheckedUrl, 'origin' | 'hostname'>> {
  if (authority.includes('@')) return { problem: 'must have no user name or password before the host' };
  if (authority.includes('*')) return { problem: 'must name one host: an asterisk is not accepted in it' };
  if (authority === '' || authority.includes('%') || !URL.canParse(`${scheme}://${authority}/`))
    return { problem: 'must have a valid host' };
  const { origin, hostname, port } = new URL(`${scheme}://${authority}/`);
  if (hostname.endsWith('.')) return { problem: 'must have a host that does not end with a dot' };
  if (port === '0') return { problem: 'must have a port from 1 to 65535' };
  return { value: { origin, hostname } };
}

/** Escapes of characters that separate or step, also escaped several times, and of control characters. */
const MISLEADING = /%(?:25)*(?:2e|2f|5c|7f|[01][0-9a-f])/i;

function pathProblem(path: string): string | null {
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'must have two hexadecimal digits after each % of its path';
  if (MISLEADING.test(path)) return 'must have no escaped dot, slash, backslash or control character in its path';
  if (path.split('/').some((part) => /^\.\.?(;|$)/.test(part))) return 'must have no "." or ".." as a part of its path';
  try {
    decodeURIComponent(path);
    return null;
  } catch {
    return 'must have only escapes of UTF-8 in its path';
  }
}

function plain(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9_~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
