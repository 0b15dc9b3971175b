import { Refusal } from '../verbs/problem.ts';
import type { Api } from './api.ts';
import { sendText } from './send.ts';
import { checkEncoding } from './target.ts';
import type { Middleware } from './wire.ts';

type Layers = readonly { methods: readonly string[] }[];

/** 405 for a path that is there, but not with this method; 404 for any other. Behind the routers. */
export function noSuchRoute(more: readonly string[] = []): Middleware {
  return (ctx) => {
    const layers: Layers = ctx.matched ?? [];
    if (layers.length === 0) throw new Refusal('route_not_found', `There is no ${ctx.path}.`);
    const allowed = allowOf(layers, more);
    ctx.set('Allow', allowed);
    throw new Refusal('method_not_allowed', `${ctx.path} takes ${allowed}.`);
  };
}

/** What a path of the API takes, for whoever asks without a token. */
export function options(api: Api): Middleware {
  return (ctx, next) => {
    if (ctx.method !== 'OPTIONS') return next();
    checkEncoding(ctx);
    const allowed = api.allowOf(ctx.path);
    if (allowed === null) throw new Refusal('route_not_found', `There is no ${ctx.path}.`);
    ctx.set('Allow', allowed);
    return sendText(ctx, 204, null);
  };
}

/** What a path takes, HEAD behind the methods that are declared, and `more`. */
export function allowOf(layers: Layers, more: readonly string[] = []): string {
  const methods = new Set(layers.flatMap((layer) => layer.methods));
  const hasHead = methods.delete('HEAD');
  return [...methods, ...(hasHead ? ['HEAD'] : []), ...more].join(', ');
}
