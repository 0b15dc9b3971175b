import { Refusal } from '../verbs/problem.ts';
import type { Middleware } from './wire.ts';

/**
 * Headers of which Node keeps the first and drops the rest, while a proxy before this server may have acted by another one, each with the
 * code of a request that has it more than once.
 */
const SOLE = { host: 'malformed_header', authorization: 'unauthorized' } as const;

/** Refuses a request that has one of these headers more than once (RFC 9112, 3.2); with two tokens it has no valid one. */
export const soleHeaders: Middleware = (ctx, next) => {
  const seen = new Set<string>();
  const { rawHeaders } = ctx.req;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (name !== 'host' && name !== 'authorization') continue;
    if (seen.has(name)) throw new Refusal(SOLE[name], `The header ${rawHeaders[at]} is there more than once; send it once.`);
    seen.add(name);
  }
  return next();
};
