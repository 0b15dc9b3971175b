import { Refusal } from '../verbs/problem.ts';
import type { Middleware } from './wire.ts';

/**
 * Makes path and query of whatever request target: one with scheme and host (RFC 9112) is read from its path on, and
 * letters that need no percent-encoding lose it (RFC 3986, 6.2.2.2), so that every spelling of a path is routed alike.
 */
export const requestTarget: Middleware = (ctx, next) => {
  if (PLAIN.test(ctx.url)) return next();
  const bare = ctx.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const at = bare.indexOf('?');
  const [path, query] = at === -1 ? [bare, ''] : [bare.slice(0, at), bare.slice(at)];
  ctx.url = `${path.startsWith('/') ? '' : '/'}${path.includes('%') ? path.replaceAll(/%[0-9a-f]{2}/gi, plain) : path}${query}`;
  return next();
};

/** What stays as it is: a path without any encoding, and whatever query. */
const PLAIN = /^\/[^%#?]*(?:\?[^#]*)?$/;

function plain(encoded: string): string {
  const letter = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(letter) ? letter : encoded;
}

/** 400 where the percent-encoding of path or query is broken (decisions.md R2, 1.11). */
export const encoding: Middleware = (ctx, next) => {
  checkEncoding(ctx);
  return next();
};

export function checkEncoding({ path, search }: { path: string; search: string }): void {
  try {
    decodeURIComponent(path);
    decodeURIComponent(search);
  } catch (cause) {
    throw new Refusal('malformed_path', 'Path or query is not valid percent-encoding.', { cause });
  }
}
