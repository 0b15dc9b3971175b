import type { z } from 'zod';
import type { Endpoint, Method, ResponseOf } from './endpoint.ts';
import type { ErrorItem, Problem } from './errors.ts';
import type { EndpointId, Endpoints } from './index.ts';

/** `path` is relative to `/admin/api`, with its query. */
export type ClientRequest = { method: Method; path: string; body?: unknown; headers?: Record<string, string> };
export type ClientResponse = { status: number; headers: Record<string, string>; body: unknown };
export type Send = (request: ClientRequest) => Promise<ClientResponse>;
export type CallOptions = { headers?: Record<string, string> };

/** A part of a multipart form; `send` encodes it. */
export type FilePart = { filename: string; content: Uint8Array | string; content_type?: string };

/** A response with status 400 or above. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly ErrorItem[];
  readonly problem: Problem | null;

  constructor(status: number, problem: Problem | null) {
    super(problem ? `${status} ${problem.code}: ${problem.detail}` : `${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.detail = problem?.detail ?? '';
    this.errors = problem?.errors ?? [];
    this.problem = problem;
  }
}

/** Describes how to build the request of one operation. It is plain JSON, because the sandbox's prelude is given it as text. */
export type Operation = {
  id: string;
  method: Method;
  /** Path below `/admin/api`, with `{name}` for each of `paramNames`. */
  path: string;
  paramNames: string[];
  hasBody: boolean;
  hasQuery: boolean;
};

type ParamArgs<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [value: Name extends `${string}id` ? number : string, ...rest: ParamArgs<Rest>]
  : [];

type Json<E> = E extends { body: infer B extends z.ZodType } ? z.input<B> : never;
type Parts<E> = { file: FilePart } & ([Json<E>] extends [never] ? object : Json<E>);
type Body<E> = E extends { multipart: true } ? Parts<E> : Json<E>;
type BodyArgs<E> = [Body<E>] extends [never] ? [] : object extends Body<E> ? [body?: Body<E>] : [body: Body<E>];
type QueryArgs<E> = E extends { query: infer Q extends z.ZodType }
  ? object extends z.input<Q>
    ? [query?: z.input<Q>]
    : [query: z.input<Q>]
  : [];

type Call<E extends Endpoint> = (
  ...args: [...ParamArgs<E['path']>, ...BodyArgs<E>, ...QueryArgs<E>, options?: CallOptions]
) => Promise<ResponseOf<E>>;

type NotJson = { [Id in EndpointId]: Endpoints[Id] extends { stream: true } | { binary: true } ? Id : never }[EndpointId];
type CallId = Exclude<EndpointId, NotJson>;
type ResourceOf<Id> = Id extends `${infer Resource}.${string}` ? Resource : never;

/** `api.<resource>.<operation>(…path parameters, body, query, options)`. Event streams and file contents are not part of the client. */
export type AdminApi = {
  [Resource in ResourceOf<CallId>]: {
    [Id in CallId as Id extends `${Resource}.${infer Name}` ? Name : never]: Call<Endpoints[Id]>;
  };
};

/**
 * The typed client: every call goes through `send`. At run time it needs only the table of operations, so a browser loads no
 * schemas. `client.ts` makes that table from the contract.
 */
export function createCalls(send: Send, operations: readonly Operation[]): AdminApi {
  const api: Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>> = {};
  for (const operation of operations) {
    const [resource = '', name = ''] = operation.id.split('.');
    const calls = api[resource] ?? {};
    api[resource] = calls;
    calls[name] = async (...args) => answer(await send(buildRequest(operation, args)));
  }
  if (!isMadeOf(api, operations)) throw new Error('the table of operations is empty');
  return api;
}

/** Turns positional arguments into a request. The sandbox's prelude contains the same logic for scripts. */
export function buildRequest(operation: Operation, args: readonly unknown[]): ClientRequest {
  const rest = [...args];
  let path = operation.path;
  for (const name of operation.paramNames) {
    const value = rest.shift();
    if (typeof value !== 'number' && typeof value !== 'string') throw new TypeError(`${operation.id}: ${name} is missing`);
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const request: ClientRequest = { method: operation.method, path };
  if (operation.hasBody) request.body = rest.shift() ?? {};
  if (operation.hasQuery) request.path += queryText(rest.shift());
  const options = rest.shift();
  if (isRecord(options) && isRecord(options['headers'])) {
    request.headers = Object.fromEntries(Object.entries(options['headers']).map(([name, value]) => [name, String(value)]));
  }
  return request;
}

function answer(response: ClientResponse): unknown {
  if (response.status >= 400) throw new ApiError(response.status, isProblem(response.body) ? response.body : null);
  return response.status === 204 ? undefined : response.body;
}

function queryText(query: unknown): string {
  if (!isRecord(query)) return '';
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the body of an answer is that of a refusal. */
export function isProblem(value: unknown): value is Problem {
  return isRecord(value) && typeof value['code'] === 'string' && typeof value['detail'] === 'string';
}

/** `AdminApi` has a member for each resource of the endpoints that the table was made of. */
function isMadeOf(api: object, operations: readonly Operation[]): api is AdminApi {
  return operations.length > 0 && operations.every(({ id }) => (id.split('.')[0] ?? '') in api);
}
