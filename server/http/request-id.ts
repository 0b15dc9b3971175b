import { randomUUIDv7 } from 'node:crypto';
import { REQUEST_ID } from '../../contract/values.ts';
import { asRequest } from '../process/request-id.ts';
import type { Middleware } from './wire.ts';

/** Gives the request its id, under which every log line names it: the client's own id if it is valid, else a new one. */
export const requestId: Middleware = (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUIDv7();
  ctx.state.ip = ctx.socket.remoteAddress ?? '';
  ctx.set('X-Request-Id', ctx.state.requestId);
  return asRequest(ctx.state.requestId, next);
};
