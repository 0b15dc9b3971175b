import { Refusal } from '../verbs/problem.ts';
import type { Api } from './api.ts';
import { shownPath } from './path.ts';
import { sendText } from './send.ts';
import { checkEncoding } from './target.ts';
import type { Middleware } from './wire.ts';

type Layers = readonly { methods: readonly string[] }[];

/** Refuses with 405 a path that exists with other methods, and with 404 any other path. Runs after the routers. */
export function noSuchRoute(more: readonly string[] = []): Middleware {
  return (ctx) => {
    const layers: Layers = ctx.matched ?? [];
    if (layers.length === 0) throw new Refusal('route_not_found', `No endpoint has the path ${shownPath(ctx.path)}.`);
    const allowed = allowOf(layers, more);
    ctx.set('Allow', allowed);
    throw new Refusal('method_not_allowed', `${shownPath(ctx.path)} accepts only ${allowed}.`);
  };
}

/** Answers OPTIONS with the methods of a path; no token is needed. */
export function options(api: Api): Middleware {
  return (ctx, next) => {
    if (ctx.method !== 'OPTIONS') return next();
    checkEncoding(ctx);
    const allowed = api.allowOf(ctx.path);
    if (allowed === null) throw new Refusal('route_not_found', `No endpoint has the path ${ctx.path}.`);
    ctx.set('Allow', allowed);
    return sendText(ctx, 204, null);
  };
}

/** The methods of a path: the declared ones, then HEAD, then `more`. */
export function allowOf(layers: Layers, more: readonly string[] = []): string {
  const methods = new Set(layers.flatMap((layer) => layer.methods));
  const hasHead = methods.delete('HEAD');
  return [...methods, ...(hasHead ? ['HEAD'] : []), ...more].join(', ');
}
