import type { z } from 'zod';

/** Where the paths of the endpoints begin. */
export const PREFIX = '/admin/api';

/** What a task may hold beside the resources of the shop (automation.md §2). */
export const taskLiterals = ['file_upload', 'file_download', 'prompt_input', 'llm'] as const;
export type TaskLiteral = (typeof taskLiterals)[number];

/** What an endpoint can ask for; which permissions there are, and who may hold them, follows from the endpoints. */
export type NeededPermission = `admin_api.${string}.${'read' | 'write' | 'approve'}` | TaskLiteral;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Path parameters: a name that ends in `id` is an integer, any other is text. */
export type ParamsOf<Path extends string> = {
  [Name in NamesIn<Path>]: Name extends `${string}id` ? number : string;
};

/**
 * One endpoint, declared once: route, validation, permission, success code, response, OpenAPI, typed client
 * and script API all come from it.
 */
export type Endpoint = {
  /** `<resource>.<operation>`: operationId, log action (`admin.<id>`), client and script method. Never changes. */
  id: string;
  method: Method;
  /** Below `/admin/api`. `{id}` and every name ending in `id` match digits only (decisions.md 1.11); `{path}` all that is left. */
  path: string;
  summary: string;
  /** What the caller needs; null: any valid token of an admin. */
  permission: NeededPermission | null;
  /** What a run needs where that differs from `permission`; null: closed to tasks. Default: `permission`. */
  taskPermission?: NeededPermission | null;
  /**
   * Open to the report token of the run that the path names (`run_id`), whatever its version may but for a `taskPermission`
   * named beside it; never to what a script asks.
   */
  ownRun?: boolean;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Largest request body in bytes; default 1 MiB (decisions.md G5). */
  bodyLimitBytes?: number;
  /** True where the body is a multipart form with a part `file`, validated by its own handler; `body`: its text parts. */
  multipart?: boolean;
  status: 200 | 201 | 204;
  /** Shape of the success body; absent for 204, event streams and the content of files. */
  response?: z.ZodType;
  /** True for Server-Sent Events. */
  stream?: boolean;
  /** True where the success body is the content of a file. */
  binary?: boolean;
  /** Media type of that content where it is known beforehand. */
  contentType?: string;
  /** True where the content is a part of a file. */
  partial?: boolean;
  /** The record in the path: looked for before values are checked (404), its version answers If-Match (412). */
  record?: string;
  /** Path of the record that a 201 made, filled from the response, then from the path parameters. */
  location?: string;
  /** Fields of the answer that are shown once: an answer kept for its Idempotency-Key has null in their place. */
  secretFields?: readonly string[];
  /** The endpoint's own refusals, by code. */
  refusals?: readonly string[];
  /** False for a POST that changes nothing (previews): it runs as a read. */
  writes?: boolean;
  /** True where a runner is told the epoch that a checkpoint began. */
  reportsEpoch?: boolean;
  /** False for bookkeeping between server and runner that leaves no audit entry. */
  audited?: boolean;
  /** True for what the API document does not list and we add. */
  added?: boolean;
};

/** Declares the endpoints of a file, under their ids; keeps their literal types. */
export function endpointsOf<const List extends readonly Endpoint[]>(...list: List): { [E in List[number] as E['id']]: E } {
  return Object.fromEntries(list.map((one) => [one.id, one])) as { [E in List[number] as E['id']]: E };
}

/** Whether a call can change something; such a call runs in one transaction. */
export function isWrite(e: Endpoint): boolean {
  return e.method !== 'GET' && e.writes !== false;
}

/** Whether it reads the record of its path itself, whose version it then answers, rather than something below it. */
export function readsOne(e: Endpoint): boolean {
  return e.method === 'GET' && e.record !== undefined && /^[^{]+$|\}$/.test(e.path);
}

/** Records that have no version of their own: a write to them carries, and asks for, that of their order (decisions.md 1.11). */
const belowOrder = new Set(['payment', 'shipment', 'locker_network']);

export function isBelowOrder({ record }: Pick<Endpoint, 'record'>): boolean {
  return record !== undefined && belowOrder.has(record);
}

/** Whether its answer carries an ETag: of the record that was read, made or changed, but not of one that is gone. */
export function tellsEtag(e: Endpoint): boolean {
  if (!isWrite(e)) return readsOne(e);
  const removesIt = e.method === 'DELETE' && e.path.endsWith('}') && !isBelowOrder(e);
  return e.location !== undefined || (e.record !== undefined && !removesIt);
}

/** Whether it is refused where the record that it writes to, or below, is not at the version of If-Match any more. */
export function takesIfMatch(e: Endpoint): boolean {
  return e.record !== undefined && isWrite(e);
}

/** Whether a request carries a body: JSON, or a form. */
export function hasBody(e: Endpoint): boolean {
  return e.body !== undefined || e.multipart === true;
}

export type QueryOf<E extends Endpoint> = E extends { query: infer Q extends z.ZodType } ? z.output<Q> : Record<string, never>;
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
export type ResponseOf<E extends Endpoint> = E extends { response: infer R extends z.ZodType } ? z.output<R> : undefined;
export type InputOf<E extends Endpoint> = { params: ParamsOf<E['path']>; query: QueryOf<E>; body: BodyOf<E> };
