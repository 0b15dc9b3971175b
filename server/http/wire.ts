import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Span } from '../../tracing/tracing.ts';
import type { RequestBody, Target } from '../calls/call.ts';
import type { Actor } from '../verbs/context.ts';

/**
 * The authenticated sender of a request. `isFenced`: a run's token whose claim has ended; it can only get an answer that it was given
 * before. `unchecked`: a run's token whose claim was looked up by an earlier request, so the claim may have ended since.
 */
export type Caller = { actor: Actor; tokenId: number | null; isFenced: boolean; unchecked?: string };

/** What earlier steps have found out about a request. */
export type WireState = {
  requestId: string;
  ip: string;
  /** The span of the request, while there is tracing. */
  span?: Span;
  /** Name of the endpoint or webhook that answers, for metrics and the log. */
  answeredBy?: string;
  caller?: Caller;
  /** Where a client without a valid token learns how it gets one. */
  resourceMetadata?: string;
  /** The endpoint, once the request has been routed. */
  target?: Target;
  permission?: string | null;
  /** The bytes of the body, and its parsed value if it is JSON. */
  rawBody?: Buffer;
  body?: RequestBody;
};

export type Wire = RouterContext<WireState>;
export type Middleware = RouterMiddleware<WireState>;

export function callerOf({ state }: Wire): Caller {
  if (state.caller === undefined) throw new Error('asked for the caller before it was authenticated');
  return state.caller;
}

/** Whether the headers announce a body. */
export function isBodySent({ headers }: Pick<Wire, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** One header of the request; several headers of the same name are joined. */
export function headerOf({ headers }: Pick<Wire, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
