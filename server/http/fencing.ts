import { fenced } from '../calls/journal/claims.ts';
import type { Api } from './api.ts';
import { type Caller, callerOf, type Middleware, type Wire } from './wire.ts';

/** Refuses the token of a run whose claim has ended (spec RU6). */
export function fencing(api: Api): Middleware {
  return (ctx, next) => {
    refuseFenced(ctx, callerOf(ctx), api);
    return next();
  };
}

/** A runner may repeat the PATCH that ended its claim, to get its answer again (spec JO8). */
export function refuseFenced({ method, path, headers }: Wire, { actor, isFenced }: Caller, api: Api): void {
  if (!isFenced) return;
  const reports = actor.type === 'task' && actor.token === 'report';
  const isRepeat = reports && headers['idempotency-key'] !== undefined && api.find(method, path)?.target.endpoint.ownRun === true;
  if (!isRepeat) throw fenced();
}
