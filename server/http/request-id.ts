import { randomUUIDv7 } from 'node:crypto';
import { REQUEST_ID } from '../../contract/values.ts';
import { asRequest } from '../process/request-id.ts';
import type { Middleware } from './wire.ts';

/** The id under which the request is found in every log: the client's own where it is one. */
export const requestId: Middleware = (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUIDv7();
  ctx.state.ip = ctx.socket.remoteAddress ?? '';
  ctx.set('X-Request-Id', ctx.state.requestId);
  return asRequest(ctx.state.requestId, next);
};
