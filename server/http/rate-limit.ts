import type { RateLimiter } from '../process/rate-limits.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import { callerOf, type Middleware, type Wire } from './wire.ts';

/** `perMinute` requests a minute with the same `key`; 0: no limit. `name` is what the headers call the limit. */
export type RatePolicy = { name: string; limiter: RateLimiter; perMinute: number };

/** Counts a request, tells in its rate limit headers what is left (spec C13), and refuses it with 429 where nothing is. */
export function countRequest(ctx: Wire, { name, limiter, perMinute }: RatePolicy, key: string): void {
  if (perMinute === 0) return;
  const { allowed, remaining, resetSeconds } = limiter.take(key, perMinute);
  ctx.set('RateLimit-Policy', `"${name}";q=${perMinute};w=60`);
  ctx.set('RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
  if (allowed) return;
  throw new Refusal('rate_limited', `Too many requests; try again in ${resetSeconds} s.`, {
    extra: { 'violated-policies': [name], retry_after: resetSeconds },
  });
}

/** The limit of requests with one token. */
export function tokenPolicy({ config, rateLimits }: Services): RatePolicy {
  return { name: 'default', limiter: rateLimits.limiter('default'), perMinute: config.rateLimit };
}

/** Refuses with 429 a token that sends too many requests; runs and runners are not counted. */
export function rateLimit(services: Services): Middleware {
  const policy = tokenPolicy(services);
  return (ctx, next) => {
    const { actor, tokenId } = callerOf(ctx);
    if (tokenId !== null && actor.type !== 'runner') countRequest(ctx, policy, String(tokenId));
    return next();
  };
}
