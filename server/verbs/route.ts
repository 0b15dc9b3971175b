import type { InputOf, ResponseOf } from '../../contract/endpoint.ts';
import type { EndpointId, Endpoints } from '../../contract/index.ts';
import type { Services } from '../services.ts';
import type { Actor, Ctx, Prepared, Steps } from './context.ts';
import type { FileAnswer } from './file-answer.ts';

/** The parameters of a path: numbers for names that end in `id`, otherwise texts. */
export type Params = Record<string, string | number>;
/** The values of a request after the check by the endpoint's schemas. */
export type Input = { params: Params; query: unknown; body: unknown };

/*
 * The kinds of routes; `I` is the endpoint's input, `O` its answer. The functions are declared as methods, so that the route of one endpoint
 * is also an `AnyRoute`.
 */

export interface ReadRoute<I extends Input, O> {
  kind: 'read';
  verb(ctx: Ctx, input: I): Promise<O>;
  /** Whether a read with this query may take more than some milliseconds; on SQLite it then runs in a thread of its own. */
  isHeavy?(query: I['query']): boolean;
}

export interface WriteRoute<I extends Input, O> {
  kind: 'write';
  verb(ctx: Ctx, input: I): Promise<O>;
  /** Slow work on the unchecked body that must be done before the transaction. */
  prepare?(services: Services, body: Readonly<Record<string, unknown>>): Promise<Prepared>;
  /**
   * What the answer holds besides what is stored of it: done after the commit, and anew for a repeated request. It must not reject, because
   * the write has taken effect.
   */
  besides?(call: { services: Services; body: I['body'] }): Promise<Partial<O>>;
}

/** The rules for uploads to one endpoint. */
export type UploadRule = {
  /** Whether the file counts towards the storage cap, as customer files and digital files do (spec CU4). */
  counts: boolean;
  /** How many bytes from the start of the content the verb needs. */
  headBytes: number;
};

/** A write with a file, whose bytes are in the file store before the transaction begins. */
export interface UploadRoute<I extends Input, O> {
  kind: 'upload';
  rule: UploadRule;
  verb(ctx: Ctx, input: I): Promise<O>;
}

/** Returned by `inside` if the verb would have to ask somebody outside. */
export const OUTSIDE = Symbol('outside');

/** Short transactions with calls to somebody outside, or long reads, between them. The verb returns the last transaction, which makes the answer. */
export interface StepsRoute<I extends Input, O> {
  kind: 'steps';
  verb(steps: Steps, input: I): Promise<(ctx: Ctx) => Promise<O>>;
  /** The verb in one transaction, for cases that need nobody outside; used by dry runs and when their plans are applied. */
  inside?(ctx: Ctx, input: I): Promise<O | typeof OUTSIDE>;
  /** The answer of a dry run instead of asking somebody outside; default: the smallest value that the response's schema allows. */
  sample?(ctx: Ctx, input: I): O | Promise<O>;
  /** True: `sample` tells the plan what would be done. */
  samplesEffect?: true;
}

type Asking = { services: Services; actor: Actor };

/** A route whose answer is the content of a file. */
export interface ContentRoute<I extends Input> {
  kind: 'content';
  open(call: Asking & Pick<I, 'params' | 'query'>): Promise<FileAnswer>;
}

/** `until` is aborted when the client has gone or may no longer have the answer. */
type Lasting = Asking & { until: AbortSignal };

/** A stream of Server-Sent Events, as texts; null: there are no further events, and the client must not ask again. */
export interface StreamRoute<I extends Input> {
  kind: 'stream';
  open(call: Lasting & Pick<I, 'params'> & { lastEventId: string | undefined }): Promise<AsyncIterable<string> | null>;
}

/** A call that waits for something; it opens short transactions of its own instead of running in one. */
export interface WaitRoute<I extends Input, O> {
  kind: 'wait';
  wait(call: Lasting & Pick<I, 'params' | 'body'>): Promise<O>;
}

/**
 * A call that opens, renews or ends the session of a browser, in one transaction. `secret`: of the session whose cookie was sent. One that is
 * returned becomes the cookie; null: the browser forgets it; undefined: it stays.
 */
export interface SessionRoute<I extends Input, O> {
  kind: 'session';
  act(ctx: Ctx, call: Pick<I, 'body'> & { secret: string | null }): Promise<{ answer: O; secret?: string | null }>;
}

/** The kinds of route that an endpoint may have, derived from its declaration. */
type RouteOf<E, I extends Input, O> = E extends { cookie: string }
  ? SessionRoute<I, O>
  : E extends { stream: true }
    ? StreamRoute<I>
    : E extends { binary: true }
      ? ContentRoute<I>
      : E extends { multipart: true }
        ? UploadRoute<I, O>
        : E extends { method: 'GET' } | { writes: false }
          ? ReadRoute<I, O> | StepsRoute<I, O> | WaitRoute<I, O>
          : WriteRoute<I, O> | StepsRoute<I, O> | WaitRoute<I, O>;

/** A route for every endpoint. A resource's `routes.ts` holds its part, `server/routes.ts` all of them. */
export type Routes = { [Id in EndpointId]: RouteOf<Endpoints[Id], InputOf<Endpoints[Id]>, ResponseOf<Endpoints[Id]>> };

/** The route of any endpoint; its input has been checked by that endpoint's schemas. */
export type AnyRoute =
  | ReadRoute<Input, unknown>
  | WriteRoute<Input, unknown>
  | UploadRoute<Input, unknown>
  | StepsRoute<Input, unknown>
  | ContentRoute<Input>
  | StreamRoute<Input>
  | WaitRoute<Input, unknown>
  | SessionRoute<Input, unknown>;

type Read<I extends Input, O> = ReadRoute<I, O>;
type Write<I extends Input, O> = WriteRoute<I, O>;

export function read<I extends Input, O>(verb: Read<I, O>['verb'], options: Pick<Read<I, O>, 'isHeavy'> = {}): Read<I, O> {
  return { kind: 'read', verb, ...options };
}

/** `isHeavy` of a list that may hold many records: no index finds a text in the middle of others, so a search reads all of them. */
export function isSearch({ search, q }: { search?: string | undefined; q?: string | undefined }): boolean {
  return Boolean(search || q);
}

export function write<I extends Input, O>(verb: Write<I, O>['verb'], options: Pick<Write<I, O>, 'prepare' | 'besides'> = {}): Write<I, O> {
  return { kind: 'write', verb, ...options };
}

/**
 * Wraps writes that may take access from an admin or a token: after the commit, open streams and waiting requests check their
 * access again.
 */
export function recheckingAccess<T>(ctx: Ctx, done: Promise<T>): Promise<T> {
  ctx.after(() => ctx.services.access.fire());
  return done;
}

export function upload<I extends Input, O>(rule: UploadRule, verb: UploadRoute<I, O>['verb']): UploadRoute<I, O> {
  return { kind: 'upload', rule, verb };
}

export function steps<I extends Input, O>(
  verb: StepsRoute<I, O>['verb'],
  options: Pick<StepsRoute<I, O>, 'inside' | 'sample' | 'samplesEffect'> = {},
): StepsRoute<I, O> {
  return { kind: 'steps', verb, ...options };
}

export function content<I extends Input>(open: ContentRoute<I>['open']): ContentRoute<I> {
  return { kind: 'content', open };
}

export function stream<I extends Input>(open: StreamRoute<I>['open']): StreamRoute<I> {
  return { kind: 'stream', open };
}

export function wait<I extends Input, O>(answer: WaitRoute<I, O>['wait']): WaitRoute<I, O> {
  return { kind: 'wait', wait: answer };
}

export function session<I extends Input, O>(act: SessionRoute<I, O>['act']): SessionRoute<I, O> {
  return { kind: 'session', act };
}
