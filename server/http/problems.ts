import { problemOf, toRefusal } from '../calls/problem.ts';
import type { Services } from '../services.ts';
import { loggedPath } from './described.ts';
import { shownPath } from './path.ts';
import { sendText } from './send.ts';
import type { Middleware, Wire } from './wire.ts';

/**
 * Turns every error into the problem body of RFC 9457. The media type application/problem+json is used only for clients that ask for it by
 * name (spec C1).
 */
export function problems({ log }: Services): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = toRefusal(error);
      const { retry_after: retryAfter, ...problem } = problemOf(refusal, shownPath(ctx.path), ctx.state.requestId);
      if (problem.status >= 500)
        log.error({ err: refusal.cause ?? error, request_id: ctx.state.requestId, path: loggedPath(ctx.path) }, 'request failed');
      ctx.set('Vary', 'Accept');
      if (ctx.get('accept').includes('application/problem+json')) ctx.set('Content-Type', 'application/problem+json; charset=utf-8');
      if (refusal.code === 'unauthorized') ctx.set('WWW-Authenticate', challenge(ctx));
      const { required_permission: missing } = refusal.extra;
      if (refusal.at !== undefined) ctx.set('Backroom-Time', refusal.at);
      if (typeof missing === 'string') ctx.set('X-Required-Permission', missing);
      if (typeof retryAfter === 'number') ctx.set('Retry-After', String(retryAfter));
      else if (refusal.code === 'busy' || refusal.code === 'idempotency_in_progress') ctx.set('Retry-After', '1');
      sendText(ctx, problem.status, JSON.stringify(problem));
    }
  };
}

function challenge({ headers, state: { resourceMetadata: metadata } }: Wire): string {
  const error = headers.authorization === undefined ? '' : ', error="invalid_token"';
  return `Bearer realm="admin-api"${error}${metadata === undefined ? '' : `, resource_metadata="${metadata}"`}`;
}
