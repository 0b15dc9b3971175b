import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InputOf, QueryOf, ResponseOf } from '../../contract/endpoint.ts';
import type { EndpointId, endpoints } from '../../contract/index.ts';
import type { Actor, Ctx, DirectCall, Perform, Steps } from '../context.ts';
import type { FileAnswer } from './file-answer.ts';
import type { Params } from './route.ts';

type Endpoints = typeof endpoints;

/** The verb behind an endpoint: gets the checked input, returns the wire object. */
export type Verb<Id extends EndpointId> = (ctx: Ctx, input: InputOf<Endpoints[Id]>) => Promise<ResponseOf<Endpoints[Id]>>;

/** What a resource's `routes.ts` exports: endpoint id → verb. */
export type Handlers = { [Id in EndpointId]?: Verb<Id> };

/** Verbs that carry out other writes of the API in their transaction. */
export type PerformingHandlers = { [Id in EndpointId]?: (perform: Perform) => Verb<Id> };

/** Reads that may take more than some milliseconds, as far as their query tells: they keep off the server's own thread. */
export type HeavyReads = { [Id in EndpointId]?: (query: QueryOf<Endpoints[Id]>) => boolean };

/** The verb that asks somebody outside between its transactions; it gives the last of them, which makes the answer. */
export type StepsVerb<Id extends EndpointId> = (
  steps: Steps,
  input: InputOf<Endpoints[Id]>,
) => Promise<(ctx: Ctx) => Promise<ResponseOf<Endpoints[Id]>>>;

export type StepsHandlers = { [Id in EndpointId]?: StepsVerb<Id> };

/** What a verb inside one transaction gives where it would have to ask somebody outside. */
export const OUTSIDE = Symbol('outside');

/** The same as a `steps` verb in one transaction, where nobody outside need be asked: for dry runs, and their plans. */
export type InsideHandlers = {
  [Id in EndpointId]?: (ctx: Ctx, input: InputOf<Endpoints[Id]>) => Promise<ResponseOf<Endpoints[Id]> | typeof OUTSIDE>;
};

/** What a dry run gets instead of asking somebody outside, where that depends on what is asked. */
export type Samples = {
  [Id in EndpointId]?: (ctx: Ctx, input: InputOf<Endpoints[Id]>) => ResponseOf<Endpoints[Id]> | Promise<ResponseOf<Endpoints[Id]>>;
};

export type DirectHandlers = Record<string, (call: DirectCall) => Promise<unknown>>;

/** A call that is answered by an event stream; `until` is aborted when the client has gone, or may no longer see it. */
export type StreamCall = {
  actor: Actor;
  requestId: string;
  params: Params;
  request: IncomingMessage;
  response: ServerResponse;
  until: AbortSignal;
};
export type Streams = Record<
  string,
  (call: StreamCall) => Promise<'streamed' | { status: number; headers: Record<string, string>; body: null }>
>;

/** What answers with the content of a file: by the endpoint's id. */
export type Contents = {
  [Id in EndpointId]?: (call: Pick<InputOf<Endpoints[Id]>, 'params' | 'query'> & { actor: Actor }) => Promise<FileAnswer>;
};

export type PublicCall = { method: 'GET' | 'HEAD'; name: string; ifNoneMatch: string | undefined };

/** What is served at the root to whoever knows the name: by the first segment of its path. */
export type PublicPages = Record<
  string,
  (call: PublicCall) => Promise<FileAnswer | { status: 304; headers: Record<string, string>; body: null }>
>;
