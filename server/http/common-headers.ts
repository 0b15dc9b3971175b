import type { Services } from '../services.ts';
import type { Middleware } from './wire.ts';

/** Date of the last change of the API, which only grows (spec G24). */
const API_VERSION = '2026-11-21';
const EXPOSED = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed';
const ALLOWED = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';

/** Sets the headers of every answer, and the CORS headers for a browser on one of the configured origins. */
export function commonHeaders({ config }: Services): Middleware {
  return (ctx, next) => {
    ctx.set('API-Version', API_VERSION);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    const { origin } = ctx.headers;
    if (origin !== undefined && config.corsOrigins.includes(origin)) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Access-Control-Expose-Headers', EXPOSED);
      ctx.set('Access-Control-Allow-Headers', ALLOWED);
      ctx.set('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
      ctx.set('Vary', 'Origin');
    }
    return next();
  };
}
