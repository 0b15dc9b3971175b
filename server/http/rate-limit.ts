import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import { callerOf } from './authentication.ts';
import type { Middleware, Wire } from './wire.ts';

/** A token bucket for each key, in memory (decisions.md §2). */
export type RateLimiter = { take(key: string): Taken };
export type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

const MAX_KEYS = 10_000;

/** `perMinute` requests a minute, all of which may come at once; 0: no limit. */
export function createRateLimiter(perMinute: number, now: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, { level: number; at: number }>();
  const perMs = perMinute / 60_000;
  return {
    take(key) {
      if (perMinute === 0) return { allowed: true, remaining: 0, resetSeconds: 0 };
      const at = now();
      const bucket = buckets.get(key) ?? { level: perMinute, at };
      bucket.level = Math.min(perMinute, bucket.level + (at - bucket.at) * perMs);
      bucket.at = at;
      if (!buckets.has(key) && buckets.size >= MAX_KEYS) forgetFull(buckets, perMinute, perMs, at);
      buckets.set(key, bucket);
      const allowed = bucket.level >= 1;
      if (allowed) bucket.level -= 1;
      const missing = allowed ? perMinute - bucket.level : 1 - bucket.level;
      return { allowed, remaining: Math.floor(bucket.level), resetSeconds: Math.max(1, Math.ceil(missing / perMs / 1000)) };
    },
  };
}

function forgetFull(buckets: Map<string, { level: number; at: number }>, perMinute: number, perMs: number, at: number): void {
  for (const [key, { level, at: since }] of buckets) {
    if (level + (at - since) * perMs >= perMinute) buckets.delete(key);
  }
  if (buckets.size >= MAX_KEYS) {
    const [oldest] = buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
  }
}

/** Sets the rate limit headers of a counted request (decisions.md §2), whatever its answer is. */
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
export function rateLimit({ config: { rateLimit: perMinute } }: Services): Middleware {
  const limiter = createRateLimiter(perMinute);
  return (ctx, next) => {
    const { actor, tokenId } = callerOf(ctx);
    if (perMinute > 0 && tokenId !== null && actor.type !== 'runner') {
      const taken = limiter.take(String(tokenId));
      setRateLimitHeaders(ctx, 'default', perMinute, taken);
      if (!taken.allowed) throw rateLimited(taken.resetSeconds, 'default');
    }
    return next();
  };
}
