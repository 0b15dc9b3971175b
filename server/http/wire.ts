import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { RequestBody, Target } from '../calls/call.ts';
import type { Params } from '../verbs/route.ts';
import type { Caller } from './authentication.ts';

/** What the steps before have found out about a request. */
export type WireState = {
  requestId: string;
  ip: string;
  /** Name of what answers, for metrics and the log. */
  answeredBy?: string;
  caller?: Caller;
  /** The endpoint and the parameters of its path, once the request was routed to it. */
  target?: Target;
  params?: Params;
  permission?: string | null;
  /** The bytes of a body, and what they say where that is JSON. */
  rawBody?: Buffer;
  body?: RequestBody;
};

export type Wire = RouterContext<WireState>;
export type Middleware = RouterMiddleware<WireState>;

/** Where the request was routed to. */
export function routedTo({ state: { target, params } }: Wire): Target & { params: Params } {
  if (!target || !params) throw new Error('asked for the endpoint before the request was routed');
  return { ...target, params };
}

/** Whether the request says that a body comes. */
export function isBodySent({ headers }: Pick<Wire, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** One header of the request; several of the same name are joined. */
export function headerOf({ headers }: Pick<Wire, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
