/**
 * All that a task may use, on one page. Every name is a global; `import { admin, log } from 'backroom'` gives the
 * same and is for the editor. A task is one ES module; what its default export returns is the run's result:
 *
 *     import { admin, checkpoint, last_checkpoint, progress } from 'backroom';
 *
 *     export default async function main() {
 *       for await (const order of admin.orders.each({ status: 'pending' })) { … }
 *     }
 *
 * Besides the language itself there are URL, URLSearchParams, TextEncoder, TextDecoder (UTF-8), atob, btoa,
 * structuredClone, Event, CustomEvent, EventTarget, AbortController, AbortSignal, DOMException, console, crypto, setTimeout, setInterval
 * and queueMicrotask. Date, Temporal, Intl and timers read a clock that moves with answers only; Math.random and crypto give
 * the same again when a run is resumed. There is no network (fetch throws), and no eval.
 */

import type { AdminApi as Client } from '../contract/calls.ts';
import './globals.ts';
import './web-types.ts';

/** What the declared permissions leave of the globals, for the editor (docs/tasks.md). */
export type { AdminWith, FilesWith, LlmWith, PromptWith } from './permission-types.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The run's parameters, checked against the version's declarations. */
export declare const parameters: Record<string, Json>;

/** The state given to `checkpoint` last in the run that this one continues, or null. */
export declare const last_checkpoint: Record<string, Json> | null;

/** `admin.<resource>.<operation>(…path parameters, body, query)` gives the body of the answer. */
export declare const admin: Admin;

/** The same by path, relative to /admin/api, with its query: gives `{status, body}`. */
export declare const admin_api: {
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body?: unknown): Promise<ApiAnswer>;
  put(path: string, body?: unknown): Promise<ApiAnswer>;
  patch(path: string, body?: unknown): Promise<ApiAnswer>;
  delete(path: string, body?: unknown): Promise<ApiAnswer>;
};
export type ApiAnswer = { status: number; body: Json };

/**
 * Asks the shop's language model; needs the permission `llm`. What it costs is taken from the run's budget of tokens,
 * `max_tokens` and the prompt before, what it did cost after; a resumed run is not charged again for the same request.
 * With a JSON schema the answer is checked by it and given as `json`.
 */
export declare const llm: {
  complete<T extends Json = Json>(request: LlmRequest): Promise<LlmCompletion<T>>;
};
export type LlmRequest = {
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  schema?: object;
  max_tokens: number;
};
export type LlmCompletion<T> = {
  text: string;
  /** Null without a schema. */
  json: T;
  /** `stop`, or `length` where `max_tokens` cut it off. */
  finish_reason: string;
  usage: { prompt_tokens: number; completion_tokens: number };
  /** In a dry run: a sample, for which nobody was asked. */
  dry_run?: true;
};

/** Thrown for an answer of status 400 or more. */
export declare class AdminApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly unknown[];
}

/** Thrown for a call that the version's permissions do not cover. */
export declare class PermissionError extends AdminApiError {
  /** The permission that is missing; empty where the call is not open to tasks at all. */
  readonly permission: string;
}

/** Writes a line to the run's log: strings as they are, the rest readable; a line is cut at 16 KiB. */
export declare function log(...values: unknown[]): void;

/** Shows how far the run is; may be called as often as you like. */
export declare function progress(current: number, total: number, label?: string): void;

/** Notes what became of one item, for the run's list of results. */
export declare function result(status: string, item: string, details?: object): void;

/** Stores what the run can continue from, an object of at most 1 MiB as JSON. What came before is not done again. */
export declare function checkpoint(state: object): Promise<void>;

/** Calls `make` once for this run and all that continue it, and gives its result as JSON every time. */
export declare function once<T>(name: string, make: () => T | Promise<T>): Promise<T>;

/** Waits, at most 24 hours; it does not count as CPU time. */
export declare function sleep(ms: number): Promise<void>;

/** Files of the run. */
export declare const files: {
  /**
   * What the starter uploaded for the parameter of kind `file` with that name; needs `file_upload`. At most half of the
   * heap: with the default of 128 MiB, 64 MiB.
   */
  read(name: string): Promise<Uint8Array>;
  /** The same as text of UTF-8, without its byte order mark. */
  text(name: string): Promise<string>;
  /**
   * Leaves a file for people to fetch; needs `file_download`. The same name and content again is the same file. A string
   * is written as UTF-8; without a content type it is text/plain, bytes are application/octet-stream.
   */
  write(name: string, data: string | Uint8Array, contentType?: string): Promise<Artifact>;
};
export type Artifact = { id: number; name: string; content_type: string; size_bytes: number; sha256: string; created_at: string };

/**
 * Asks a person and gives `{name: value}`, null for what was left empty; needs `prompt_input`. Waiting uses up no time:
 * after a minute the worker is given back, and when there is an answer the run goes on from its checkpoint. After 24
 * hours without one the run is interrupted and can be resumed, and is not asked twice.
 */
export declare function prompt(question: {
  label: string;
  fields: PromptField[];
}): Promise<Record<string, string | number | boolean | null>>;
export type PromptField = {
  name: string;
  kind: 'string' | 'text' | 'number' | 'boolean' | 'date' | 'choice';
  label?: string;
  required?: boolean;
  /** What a `choice` may be. */
  options?: (string | number | boolean)[];
};

/**
 * A list in pages gives its rows one by one, a hundred a call, and asks for more when it gets there. It goes on after the
 * last row that it gave, so a loop may change what the list filters by; a row whose place in `sort` changes may come again.
 */
type Each<List> = List extends (...args: infer Args) => Promise<infer Body>
  ? Row<Body> extends never
    ? unknown
    : { each(...args: Args): AsyncIterableIterator<Row<Body>> }
  : unknown;
type Row<Body> = Body extends { next_cursor: string | null } ? Extract<Body[keyof Body], readonly unknown[]>[number] : never;

export type Admin = {
  [Resource in keyof Client]: Client[Resource] & ('list' extends keyof Client[Resource] ? Each<Client[Resource]['list']> : unknown);
};

declare global {
  const console: Record<
    'log' | 'info' | 'warn' | 'error' | 'debug' | 'trace' | 'group' | 'dir' | 'table',
    (...values: unknown[]) => void
  > & {
    assert(condition: unknown, ...values: unknown[]): void;
    count(label?: string): void;
    countReset(label?: string): void;
    groupEnd(): void;
  };
  const crypto: {
    getRandomValues<T extends ArrayBufferView>(array: T): T;
    randomUUID(): string;
  };
}
