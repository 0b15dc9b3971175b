import type { z } from 'zod';

/** Every path of an endpoint begins with this prefix. */
export const PREFIX = '/admin/api';

/** Permissions that a task may hold and that do not belong to a resource of the shop (spec TK5). */
export const taskLiterals = ['file_upload', 'file_download', 'prompt_input', 'llm', 'mail_send', 'http_request', 'tasks_start'] as const;
export type TaskLiteral = (typeof taskLiterals)[number];

/** What every run may do without declaring it: each is something of the run's own task, which the path names by `id`. */
export const ownTaskRights = ['task_state', 'task_variables', 'task_signals'] as const;
export type OwnTaskRight = (typeof ownTaskRights)[number];

export function isOwnTaskRight(text: string): text is OwnTaskRight {
  return ownTaskRights.some((one) => one === text);
}

/** Permissions that an endpoint can require. The catalogues of permissions are derived from the endpoints (permissions.ts). */
export type NeededPermission = `admin_api.${string}.${'read' | 'write' | 'approve'}` | TaskLiteral;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How undo takes back what a run wrote by an endpoint (spec UN1). `restore`: the records as they were; `counter_entry`: by an entry that cancels
 * the one that was made; `deletes`: what was made is deleted by that endpoint. `irreversible`: why it cannot be taken back, and what can be done
 * instead.
 */
export type Undo = 'restore' | 'counter_entry' | { deletes: string } | { irreversible: string };

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Types of path parameters: a name that ends in `id` is an integer, any other name is text. */
export type ParamsOf<Path extends string> = {
  [Name in NamesIn<Path>]: Name extends `${string}id` ? number : string;
};

/**
 * The declaration of one endpoint. Route, validation, permission, success status, response, OpenAPI document, typed client and script API
 * are all made from it.
 */
export type Endpoint = {
  /**
   * `<resource>.<operation>`: the operationId, the log action (`admin.<id>`), and the method of the client and of scripts. It never
   * changes.
   */
  id: string;
  method: Method;
  /**
   * Path below `/admin/api`. `{id}` and every name ending in `id` match digits only (spec G2); `{path}` matches the whole rest.
   */
  path: string;
  summary: string;
  /** The permission that the caller needs; null: any valid token of an admin is enough. */
  permission: NeededPermission | null;
  /**
   * The permission that a run needs if it differs from `permission`; a right to its own task, which every run has; null: tasks cannot call
   * the endpoint. Default: `permission`.
   */
  taskPermission?: NeededPermission | OwnTaskRight | null;
  /** True: the endpoint can be called without a token, a limited number of times a minute from one address. */
  open?: true;
  /** The endpoint sets the cookie of a session, or works by the one that is sent (spec AU21). Requests of other sites are refused. */
  cookie?: 'set' | 'sent';
  /**
   * True: the report token of the run that the path names (`run_id`) may call the endpoint. The version's permissions do not matter, except
   * for a `taskPermission` that is declared here. A script's calls never reach it.
   */
  ownRun?: boolean;
  /** How a write of a run is taken back; every write that tasks may call says it (`shop.ts`). */
  undo?: Undo;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Largest request body in bytes; default 1 MiB (spec G5). */
  bodyLimitBytes?: number;
  /** True if the body is a multipart form with a part `file`, which the upload handler reads; `body` then describes its text parts. */
  multipart?: boolean;
  /** That of a success; default: 200. 202: what was asked for is done after the answer. */
  status: 200 | 201 | 202 | 204;
  /** Schema of the success body; absent for 204, event streams and file contents. */
  response?: z.ZodType;
  /** True if the response is a stream of Server-Sent Events. */
  stream?: boolean;
  /** What the stream sends, and whether it ends by itself; such a stream is answered 204 after its end. */
  sse?: { description: string; events: Readonly<Record<string, { description: string; data: string }>>; ends: boolean };
  /** True if the success body is the content of a file. */
  binary?: boolean;
  /** Media type of that content, if it is always the same. */
  contentType?: string;
  /** True if the response is a part of a file. */
  partial?: boolean;
  /**
   * The kind of record that the path names. The record is looked up before values are checked (404); If-Match is compared with its version
   * (412).
   */
  record?: string;
  /** Path of the record that a 201 created; its parameters are filled from the response, then from the path parameters. */
  location?: string;
  /** Response fields that are shown only once: the response that is stored for an Idempotency-Key has null in their place. */
  secretFields?: readonly string[];
  /** Codes of the refusals that are specific to this endpoint. */
  refusals?: readonly string[];
  /**
   * True if the endpoint makes a decision that the shop's policy can ask a gesture for, by the header `Backroom-Gesture` (spec DE1). Not each
   * of its requests has to decide.
   */
  decides?: true;
  /** False for a POST that changes nothing (a preview): it runs as a read. */
  writes?: boolean;
  /** True if the response tells a runner the epoch that a checkpoint began (header `Backroom-Epoch`). */
  reportsEpoch?: boolean;
  /**
   * False for bookkeeping, between server and runner or before a decision, which leaves no audit entry, and for what carries out other writes,
   * which leave theirs.
   */
  audited?: boolean;
};

type Declared = Omit<Endpoint, 'status'> & Partial<Pick<Endpoint, 'status'>>;
type Keyed<List extends readonly Declared[]> = { [E in List[number] as E['id']]: E & Pick<Endpoint, 'status'> };

/** Declares the endpoints of a file, keyed by their ids, and keeps their literal types. */
export function endpointsOf<const List extends readonly Declared[]>(...list: List): Keyed<List> {
  return Object.fromEntries(list.map((one) => [one.id, { status: 200, ...one }])) as Keyed<List>;
}

/** Whether a call to the endpoint can change something; such a call runs in one transaction. */
export function isWrite(e: Endpoint): boolean {
  return e.method !== 'GET' && e.writes !== false;
}

/** Whether an admin reads the content of a file from the endpoint; such a read can be made by a one-time link. */
export function isDownloadable(e: Endpoint): boolean {
  return e.binary === true && e.method === 'GET' && e.ownRun !== true;
}

/** Whether the endpoint reads the record that its path names (not a list below it), so that the response carries the record's version. */
export function readsRecord(e: Endpoint): boolean {
  return e.method === 'GET' && e.record !== undefined && /^[^{]+$|\}$/.test(e.path);
}

/**
 * Kinds of records without a version of their own: writes to them return, and check If-Match against, the version of their order
 * (spec ET5).
 */
const belowOrder = new Set(['payment', 'shipment', 'locker_network']);

export function isBelowOrder({ record }: Pick<Endpoint, 'record'>): boolean {
  return record !== undefined && belowOrder.has(record);
}

/** Whether the response carries an ETag: that of the record that was read, created or changed, but not of a deleted one. */
export function returnsEtag(e: Endpoint): boolean {
  if (!isWrite(e)) return readsRecord(e);
  const removesIt = e.method === 'DELETE' && e.path.endsWith('}') && !isBelowOrder(e);
  return e.location !== undefined || (e.record !== undefined && !removesIt);
}

/** Whether the endpoint checks If-Match against the version of the record that its path names (412 if the record has changed). */
export function takesIfMatch(e: Endpoint): boolean {
  return e.record !== undefined && isWrite(e);
}

/** Whether requests carry a body, JSON or a form. */
export function hasBody(e: Endpoint): boolean {
  return e.body !== undefined || e.multipart === true;
}

export type QueryOf<E extends Endpoint> = E extends { query: infer Q extends z.ZodType } ? z.output<Q> : Record<string, never>;
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
export type ResponseOf<E extends Endpoint> = E extends { response: infer R extends z.ZodType } ? z.output<R> : undefined;
export type InputOf<E extends Endpoint> = { params: ParamsOf<E['path']>; query: QueryOf<E>; body: BodyOf<E> };
