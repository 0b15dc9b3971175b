import { randomUUIDv7 } from 'node:crypto';
import { REQUEST_ID } from '../../contract/values.ts';
import { asRequest } from '../process/request-id.ts';
import type { Services } from '../services.ts';
import { clientAddress } from './client-address.ts';
import type { Middleware } from './wire.ts';

/** Finds the client's address, and gives the request its id, under which every log line names it: the client's own id if it is valid, else a new one. */
export function requestId({ config }: Services): Middleware {
  return (ctx, next) => {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUIDv7();
    ctx.state.ip = clientAddress(ctx.req, config.trustedProxies);
    ctx.set('X-Request-Id', ctx.state.requestId);
    return asRequest(ctx.state.requestId, next);
  };
}
