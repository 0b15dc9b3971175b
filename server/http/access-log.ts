import type { Services } from '../services.ts';
import { actorOf, loggedPath, routeOf } from './described.ts';
import type { Middleware } from './wire.ts';

/**
 * Measures each request, and logs it in one line when its answer has been sent or its connection has ended. The line has no query, and of
 * paths outside the API only the first segment, because the rest may be a secret.
 */
export function accessLog({ config, log, metrics }: Services): Middleware {
  const { accessLog: level } = config;
  const isLogged = level !== null && log.isLevelEnabled(level);
  return async (ctx, next) => {
    const started = performance.now();
    if (isLogged) {
      const { res, socket } = ctx;
      const { bytesWritten } = socket;
      res.once('close', () => {
        const { requestId, ip, span, answeredBy } = ctx.state;
        log[level](
          {
            request_id: requestId,
            ...span?.ids,
            method: ctx.method,
            route: routeOf(ctx),
            path: loggedPath(ctx.path),
            endpoint: answeredBy,
            status: res.statusCode,
            // Without an end the client has got only a part of the answer.
            ...(res.writableFinished ? {} : { cut_off: true }),
            ms: Math.round((performance.now() - started) * 10) / 10,
            bytes: socket.bytesWritten - bytesWritten,
            actor: actorOf(ctx),
            ip,
          },
          'request',
        );
      });
    }
    await next();
    metrics.requests.observe({ endpoint: ctx.state.answeredBy ?? 'none', status: ctx.status }, (performance.now() - started) / 1000);
  };
}
