import type { Taken } from '../process/rate-limits.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import { callerOf, type Middleware, type Wire } from './wire.ts';

/** Sets the rate limit headers of a counted request (spec C13), whatever its answer is. */
export function setRateLimitHeaders(ctx: Wire, policy: string, perMinute: number, taken: Taken): void {
  ctx.set('RateLimit-Policy', `"${policy}";q=${perMinute};w=60`);
  ctx.set('RateLimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`);
}

export function rateLimited(resetSeconds: number, policy: string): Refusal {
  return new Refusal('rate_limited', `Too many requests; try again in ${resetSeconds} s.`, {
    extra: { 'violated-policies': [policy], retry_after: resetSeconds },
  });
}

/** Refuses with 429 a token that sends too many requests; runs and runners are not counted. */
export function rateLimit({ config: { rateLimit: perMinute }, rateLimits }: Services): Middleware {
  const limiter = rateLimits.limiter('default');
  return (ctx, next) => {
    const { actor, tokenId } = callerOf(ctx);
    if (perMinute > 0 && tokenId !== null && actor.type !== 'runner') {
      const taken = limiter.take(String(tokenId), perMinute);
      setRateLimitHeaders(ctx, 'default', perMinute, taken);
      if (!taken.allowed) throw rateLimited(taken.resetSeconds, 'default');
    }
    return next();
  };
}
