import { addressAttributes, within } from '../../tracing/current.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { actorOf, loggedPath, routeOf } from './described.ts';
import type { Middleware, Wire } from './wire.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Makes a span of each request, below that of its client. It ends when the answer has been sent or the connection has ended. */
export function requestSpans(tracing: Tracing): Middleware {
  return (ctx, next) => {
    const { requestId, ip } = ctx.state;
    const method = METHODS.has(ctx.method) ? ctx.method : '_OTHER';
    const span = tracing.start(method, {
      kind: 'server',
      parent: ctx.get('traceparent'),
      attributes: {
        'http.request.method': method,
        'url.path': loggedPath(ctx.path),
        ...addressAttributes(`http://${ctx.host}`),
        'network.protocol.version': ctx.req.httpVersion,
        'client.address': ip,
        'backroom.request_id': requestId,
      },
    });
    ctx.state.span = span;
    ctx.res.once('close', () => {
      const route = routeOf(ctx);
      const { statusCode } = ctx.res;
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({
        'http.route': route,
        'http.response.status_code': statusCode,
        'backroom.endpoint': ctx.state.answeredBy,
        ...actorAttributes(ctx),
      });
      if (statusCode >= 500) span.fail(String(statusCode));
      else if (!ctx.res.writableFinished) span.set({ 'error.type': 'cut_off' });
      span.end();
    });
    return within(span, next);
  };
}

function actorAttributes(ctx: Wire) {
  const actor = actorOf(ctx);
  return {
    'backroom.actor.type': actor?.type,
    'backroom.actor.id': actor?.id,
    'backroom.task.id': actor?.task_id,
    'backroom.run.id': actor?.run_id,
  };
}
