import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Middleware } from './wire.ts';

/** A server that stops takes no more requests, and lets no client ask again on a connection that would hold up its end. */
export function shutdown({ stopping }: Services): Middleware {
  return (_ctx, next) => {
    if (stopping.aborted) throw new Refusal('busy', 'The server is shutting down; try again in a moment.');
    return next();
  };
}

/** Around the bodies of errors, so that those say it too. */
export function closing({ stopping }: Services): Middleware {
  return async (ctx, next) => {
    await next();
    if (stopping.aborted) ctx.set('Connection', 'close');
  };
}
