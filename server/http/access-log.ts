import { PREFIX } from '../../contract/endpoint.ts';
import type { Services } from '../services.ts';
import type { Middleware } from './wire.ts';

/** Measures each request, and logs it at level debug: without its query, and without a path segment that is a secret (media, downloads, hooks). */
export function accessLog({ log, metrics }: Services): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const ms = performance.now() - started;
    const { answeredBy, ip } = ctx.state;
    metrics.requests.observe({ endpoint: answeredBy ?? 'none', status: ctx.status }, ms / 1000);
    if (!log.isLevelEnabled('debug')) return;
    log.debug(
      { method: ctx.method, path: loggedPath(ctx.path), endpoint: answeredBy, status: ctx.status, ip, ms: Math.round(ms) },
      'request',
    );
  };
}

export function loggedPath(path: string): string {
  return path.startsWith(`${PREFIX}/`) ? path : path.replace(/^(\/[a-z]+\/).+$/, '$1…');
}
