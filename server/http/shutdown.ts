import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Middleware } from './wire.ts';

/** A stopping server refuses new requests, so that open connections do not delay its end. */
export function shutdown({ stopping }: Services): Middleware {
  return (_ctx, next) => {
    if (stopping.aborted) throw new Refusal('busy', 'The server is shutting down; try again in a moment.');
    return next();
  };
}

/** Closes the connections of a stopping server after the answer. It runs outside the error handling, so that error answers say so too. */
export function closeConnections({ stopping }: Services): Middleware {
  return async (ctx, next) => {
    await next();
    if (stopping.aborted) ctx.set('Connection', 'close');
  };
}
