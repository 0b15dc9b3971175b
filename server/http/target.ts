import { Refusal } from '../verbs/problem.ts';
import type { Middleware } from './wire.ts';

/**
 * Normalises the request target, so that every spelling of a path is routed alike: one with scheme and host (RFC 9112) is reduced to its
 * path, and characters that need no percent-encoding are decoded (RFC 3986, 6.2.2.2).
 */
export const requestTarget: Middleware = (ctx, next) => {
  if (PLAIN.test(ctx.url)) return next();
  const bare = ctx.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const at = bare.indexOf('?');
  const [path, query] = at === -1 ? [bare, ''] : [bare.slice(0, at), bare.slice(at)];
  ctx.url = `${path.startsWith('/') ? '' : '/'}${path.includes('%') ? path.replaceAll(/%[0-9a-f]{2}/gi, plain) : path}${query}`;
  return next();
};

/** Targets that are already normal: a path without any percent-encoding, and any query. */
const PLAIN = /^\/[^%#?]*(?:\?[^#]*)?$/;

function plain(encoded: string): string {
  const letter = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(letter) ? letter : encoded;
}

/** Refuses with 400 a path or query with broken percent-encoding (spec R2). */
export const encoding: Middleware = (ctx, next) => {
  checkEncoding(ctx);
  return next();
};

export function checkEncoding({ path, search }: { path: string; search: string }): void {
  try {
    decodeURIComponent(path);
    decodeURIComponent(search);
  } catch (cause) {
    throw new Refusal('malformed_path', 'The path or the query is not valid percent-encoding.', { cause });
  }
}
