import { PREFIX } from '../../contract/endpoint.ts';
import type { Services } from '../services.ts';
import type { Middleware } from './wire.ts';

/** Measures each request, and logs it at level debug: without its query, and without a path segment that is a secret (media, downloads). */
export function accessLog({ log, metrics }: Services): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const ms = performance.now() - started;
    const { answeredBy, ip } = ctx.state;
    metrics.requests.observe({ endpoint: answeredBy ?? 'none', status: ctx.status }, ms / 1000);
    if (!log.isLevelEnabled('debug')) return;
    const path = ctx.path.startsWith(`${PREFIX}/`) ? ctx.path : ctx.path.replace(/^(\/[a-z]+\/).+$/, '$1…');
    log.debug({ method: ctx.method, path, endpoint: answeredBy, status: ctx.status, ip, ms: Math.round(ms) }, 'request');
  };
}
