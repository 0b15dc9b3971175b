import { Refusal } from '../verbs/problem.ts';
import type { Middleware } from './wire.ts';

/** Headers of which Node keeps the first and drops the rest; a proxy before this server may have acted by another one. */
const SOLE: ReadonlySet<string> = new Set(['host', 'authorization']);

/** Refuses a request that has one of these headers more than once (RFC 9112, 3.2). */
export const soleHeaders: Middleware = (ctx, next) => {
  const seen = new Set<string>();
  const { rawHeaders } = ctx.req;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!SOLE.has(name)) continue;
    if (seen.has(name)) throw new Refusal('malformed_header', `The header ${rawHeaders[at]} is there more than once; send it once.`);
    seen.add(name);
  }
  return next();
};
