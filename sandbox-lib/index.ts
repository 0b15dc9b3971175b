/**
 * Everything that a task may use, on one page. Every name is a global; `import { admin, log } from 'backroom'` gives the
 * same names and is useful in an editor. A task is one ES module; the return value of its default export is the run's result:
 *
 *     import { admin, checkpoint, last_checkpoint, progress } from 'backroom';
 *
 *     export default async function main() {
 *       for await (const order of admin.orders.each({ status: 'pending' })) { … }
 *     }
 *
 * Besides the language itself there are URL, URLSearchParams, Headers, TextEncoder, TextDecoder (UTF-8), atob, btoa,
 * structuredClone, Event, CustomEvent, EventTarget, AbortController, AbortSignal, DOMException, console, performance, crypto (with
 * subtle.digest and HMAC), setTimeout, setInterval and queueMicrotask. Date, Temporal, Intl, performance and timers read a clock that
 * moves only with answers; Math.random and crypto give the same values again when a run is resumed. There is no network (fetch throws;
 * `http.request` asks the server to send) and no eval.
 */

import type { Admin } from './admin-types.ts';
import type { HttpSign } from './signing-types.ts';
import type { GatheredStart, StartedRun, StartOptions } from './start-types.ts';
import './web-types.ts';

/** The types of all names for a version that declares these permissions (docs/tasks.md). */
export type { ScriptWith } from './permission-types.ts';
export type { Admin, GatheredStart, HttpSign, StartedRun, StartOptions };

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The run's parameters, checked against the version's declarations. */
export declare const parameters: Record<string, Json>;

/** The last state that the run which this one continues gave to `checkpoint`; null where there is none. */
export declare const last_checkpoint: Record<string, Json> | null;

/**
 * The shop's settings by which people read days and amounts, as they were when the run was opened: a run that resumes it, and a replay, see
 * the same. Amounts are whole numbers of the currency's minor unit everywhere: 1999 is 19.99 € or 1,999 ¥.
 */
export declare const shop: {
  /** A time zone of the IANA database, such as `Europe/Vienna`. */
  readonly timezone: string;
  readonly currency: string;
  /** How many decimals the currency has. */
  readonly currency_exponent: number;
  /** Such as `en` or `de-AT`. */
  readonly locale: string;
  /** The present day in the shop's time zone, such as `2026-01-05`, by the script's clock. */
  today(): string;
  /** The day in the shop's time zone at this time: a Date, a time in ms, or a timestamp such as `created_at`. A day stays that day. */
  day(date: Date | number | string): string;
  /** An amount for people, such as `€19.99`; in the shop's currency unless another is named. */
  money(cents: number, currency?: string): string;
  /** An amount as a plain number, such as `19.99`, for a file that a program reads. */
  decimal(cents: number, currency?: string): string;
  /** The minor units of an amount such as `19.99`, exactly; throws where it has more decimals than the currency. */
  cents(amount: string | number, currency?: string): number;
};

/** `admin.<resource>.<operation>(…path parameters, body, query)` returns the body of the answer. */
export declare const admin: Admin;

/** Calls by path instead, relative to /admin/api and including the query; returns `{status, body}`. */
export declare const admin_api: {
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body?: unknown): Promise<ApiAnswer>;
  put(path: string, body?: unknown): Promise<ApiAnswer>;
  patch(path: string, body?: unknown): Promise<ApiAnswer>;
  delete(path: string, body?: unknown): Promise<ApiAnswer>;
};
export type ApiAnswer = { status: number; body: Json };

/**
 * Asks the shop's language model; needs the permission `llm`. The tokens are taken from the run's budget: `max_tokens` and the
 * prompt's tokens are reserved before, the tokens used are charged after. A resumed run is not charged again for the same
 * request. With a JSON schema the answer is checked against it and returned as `json`.
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
  /** `stop`, or `length` when `max_tokens` cut the text off. */
  finish_reason: string;
  usage: { prompt_tokens: number; completion_tokens: number };
  /** Set in a dry run: the completion is a sample, and no language model was asked. */
  dry_run?: true;
};

/** Thrown when the server answers with status 400 or more. */
export declare class AdminApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly unknown[];
}

/** Thrown for a call for which the version lacks the permission. */
export declare class PermissionError extends AdminApiError {
  /** The missing permission; empty where the call is not open to tasks at all. */
  readonly permission: string;
}

/**
 * `throw new RetryAfter(60_000)` asks for another attempt of this run after at least so many milliseconds (24 hours at most). It begins
 * from the last checkpoint, if the task's `settings.retry.attempts` leave one; otherwise the run fails. An attempt that wrote nothing after
 * its checkpoint is followed by one that asks everything anew.
 */
export declare class RetryAfter extends Error {
  readonly ms: number;
  constructor(ms: number, message?: string, options?: ErrorOptions);
}

/** Writes one line to the run's log: strings as they are, other values in readable form. A line is cut at 16 KiB. */
export declare function log(...values: unknown[]): void;

/** Shows how far the run has come; may be called as often as you like. */
export declare function progress(current: number, total: number, label?: string): void;

/** Adds the outcome for one item to the run's list of results. */
export declare function result(status: string, item: string, details?: object): void;

/** Says in one line what the run is about, which lists show beside its number; 200 characters at most. The last call counts. */
export declare function describe(description: string): void;

/** Shows this Markdown on the page of the run, in place of what was there; 64 KiB at most. The last call counts. */
export declare function details(markdown: string): void;

/** Stores the state from which the run can continue, an object of at most 1 MiB as JSON. Earlier effects are not repeated. */
export declare function checkpoint(state: object): Promise<void>;

/** Calls `make` only once for this run and all runs that continue it, and always returns that result, as JSON. */
export declare function once<T>(name: string, make: () => T | Promise<T>): Promise<T>;

/**
 * Waits for `ms` milliseconds, at most a year. From a second on the run needs no worker meanwhile, and the time does not count. A dry run
 * does not wait: its clock moves on.
 */
export declare function sleep(ms: number): Promise<void>;

/**
 * Waits for an event of the shop, such as `order.paid`, and returns it, or null when the time is up. The run needs no worker meanwhile, and
 * the time does not count. It needs permission to read what the event is about. `hook:NAME` is a request to the hook with this name of the
 * run's own task; its `data` is what was sent, and `match` tests the fields of the body.
 */
export declare function waitFor<Data = { [name: string]: Json }>(event: string, options?: WaitOptions): Promise<AwaitedEvent<Data> | null>;
/**
 * Sends a value to a run, by its id or by a key, which gets it by `waitFor('signal')` or `waitFor('signal:KEY')`: once, and also where it
 * waits later. Without `task` it is a run of the own task; another task must be in the version's `may_start`, and needs `tasks_start`.
 */
export declare function signal(
  to: number | string,
  value?: Json,
  options?: { task?: string | number; key?: string },
): Promise<{ id: number; taken: boolean }>;
export type WaitOptions = {
  /** Fields that the event must have, each with its value or a list of values. */
  match?: { [field: string]: string | number | boolean | null | (string | number | boolean | null)[] };
  /** In milliseconds; at most, and by default, a year. */
  timeout?: number;
  /** `start`: an event since the beginning of the run counts too, unless an earlier `waitFor` has returned it. */
  since?: 'start';
  /** The event that a dry run gets at once; without it, it gets null. */
  sample?: Json;
};
export type AwaitedEvent<Data> = { id: number; type: string; at: string; data: Data };

/** Files of the run. */
export declare const files: {
  /**
   * Reads the file that was uploaded for the parameter `name` of kind `file`; needs `file_upload`. The file may be as large as
   * half of the heap: 64 MiB with the default heap of 128 MiB.
   */
  read(name: string): Promise<Uint8Array>;
  /** Reads such a file as UTF-8 text, without a byte order mark. */
  text(name: string): Promise<string>;
  /**
   * Writes a file that people can download from the run; needs `file_download`. Writing the same name and content again
   * returns the same file. A string is written as UTF-8. The default content type is text/plain for a string and
   * application/octet-stream for bytes.
   */
  write(name: string, data: string | Uint8Array, contentType?: string): Promise<Artifact>;
};
export type Artifact = { id: number; name: string; content_type: string; size_bytes: number; sha256: string; created_at: string };

/**
 * Asks a person and returns `{name: value}`, with null for fields left empty; needs `prompt_input`. Waiting does not count as
 * wall time. After a minute the worker is given back, and the run continues from its checkpoint when the person has answered.
 * After 24 hours without an answer the run is interrupted. A run that goes on from the same checkpoint gets a given answer again. After a later
 * checkpoint the question is a new one: put it into `once` where the answer is to be kept for good.
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
  /** The values that a `choice` may have. */
  options?: (string | number | boolean)[];
};

/**
 * Writes a notification to the admins, in the transaction of the call; needs `admin_api.notifications.write`. A run, with the
 * runs that it resumes, may write 100.
 */
export declare function notify(message: Notification): Promise<{ id: number }>;
export type Notification = {
  /** One line of at most 200 characters. */
  title: string;
  /** At most 5,000 characters. */
  body: string;
  /** A path of the console such as `/orders?open=12`, or an https address. */
  link?: string | null;
  /** Ids of the admins who see it; without it, all do. */
  admins?: number[] | null;
  /** Default: info. */
  severity?: 'error' | 'warning' | 'info';
};

/**
 * Puts a mail for each address into the shop's outbox, in the transaction of the call; needs `mail_send`, and each address must be
 * covered by the version's `mail_to`. If one is not, nobody gets a mail. A run, with the runs that it resumes, may write 100.
 */
export declare function mail(message: Mail): Promise<WrittenMails>;
export type Mail = {
  /** One address, or at most 50; each gets a mail of its own. */
  to: string | string[];
  /** One line of at most 200 characters. */
  subject: string;
  /** At most 100 KiB. */
  text: string;
  /** At most 500 KiB. */
  html?: string | null;
  reply_to?: string | null;
  /**
   * `marketing`: to customers alone and not to those who have opted out. The recipient's link to opt out takes the place of
   * `{{unsubscribe_url}}` in text and html, or stands at their end. Default: `transactional`.
   */
  kind?: 'transactional' | 'marketing';
};
export type WrittenMails = {
  mails: { id: number; to: string }[];
  /** Those who get no mail of this kind. */
  left_out: { to: string; reason: 'opted_out' }[];
};

/**
 * Starts other tasks; needs `tasks_start`, and the task in the version's `may_start`. The run that is started has the permissions of its
 * own approved version. A run, with the runs that it resumes, may start 100, and at most 5 runs may stand above a run.
 */
export declare const tasks: {
  /** Starts a task by its name or id and returns at once; a run that is resumed does not start it again. */
  start(task: string | number, parameters?: { [name: string]: Json }): Promise<StartedRun>;
  /**
   * The same with starts that are gathered, put off or limited in number; those of all runs of this task count together. Returns at once, also
   * if the run opens later.
   */
  start(task: string | number, parameters: { [name: string]: Json }, options: StartOptions): Promise<GatheredStart>;
  /**
   * Starts a task as `start` does, waits until its run has ended, and gives what its script returned. The worker is given back meanwhile,
   * and the time does not count. Any other end than success throws an error with the name `TaskRunError` and the fields `run_id`,
   * `task_id`, `status` and `end_reason`. A dry run starts nothing, and gives `sample`.
   */
  run(task: string | number, parameters?: { [name: string]: Json }, options?: { sample?: Json }): Promise<Json>;
};

/**
 * Sends a request to another system; needs `http_request`, and an entry of the version's `http_allow` for its method and
 * address, also for each redirect. An answer of any status is returned. A GET or HEAD that was answered is not sent again by
 * a resumed run. Any other request carries an `Idempotency-Key`; where it is not known whether it arrived, it is not sent again
 * but throws an `AdminApiError` with the code `outcome_unknown`.
 */
export declare const http: {
  request(request: HttpRequest): Promise<HttpAnswer>;
};
export type HttpRequest = {
  /** Default: GET. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string> | Headers;
  /** A text, bytes, or a value that is sent as JSON; at most 1 MiB as it is sent. */
  body?: unknown;
  /** At most, and by default, 30,000. */
  timeout_ms?: number;
  /** The answer in a dry run, which sends nothing. */
  sample?: { status?: number; headers?: Record<string, string>; body?: Json };
  /** True: it is sent again where it is not known whether it arrived. */
  repeat?: boolean;
  /** The server signs the request with secrets that are named here, just before it sends it. */
  sign?: HttpSign;
};

export type HttpAnswer = {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  /** At most 4 MiB; base64 where it is no UTF-8. */
  body: string;
  encoding: 'text' | 'base64';
  /** The address that answered, after redirects. */
  url: string;
  /** Set in a dry run: the answer is the sample. */
  dry_run?: true;
};

/**
 * Values that the task keeps from run to run: at most 1,000 keys of letters, digits and `. _ : -`, each with a value of at most
 * 64 KiB as JSON. Every run may use the state of its own task. A run that is resumed repeats no change, a dry run keeps none.
 */
export declare const state: {
  /** The value of the key; null where there is none. */
  get<T extends Json = Json>(key: string): Promise<T | null>;
  /** The value with its version; null where there is none. */
  entry<T extends Json = Json>(key: string): Promise<StateEntry<T> | null>;
  /**
   * Sets the value. With `if_version` only if the value still has that version (0: if there is no value yet); otherwise it throws an
   * AdminApiError with the code `state_stale`, because another run has changed the value.
   */
  set(key: string, value: unknown, options?: { if_version?: number }): Promise<Omit<StateRow, 'updated_by_run_id'>>;
  /**
   * Sets the value to what `change` makes of the present one (null where there is none), and returns the new value. If another run
   * changes the value meanwhile, `change` is called again with that run's value, so no change is lost.
   */
  update<T extends Json = Json>(key: string, change: (value: T | null) => T | Promise<T>): Promise<T>;
  /** Deletes the value; false where there was none. `if_version` is as in `set`. */
  delete(key: string, options?: { if_version?: number }): Promise<boolean>;
  /** All keys, or those that begin with the prefix, in their order. */
  list(prefix?: string): Promise<StateRow[]>;
};
export type StateRow = {
  key: string;
  /** Rises with each change, and never becomes a number again that the key had before. */
  version: number;
  size_bytes: number;
  updated_at: string;
  /** Null: an admin wrote the value. */
  updated_by_run_id: number | null;
};
export type StateEntry<T> = StateRow & { value: T };

/**
 * A text that stands for a secret of the shop. The script never sees the value: the server puts it into the address, headers and body of
 * a request, if the version declares the secret and the secret may be sent to that host. Only what this function gives stands for a
 * secret, in this run and those that resume it; it can be joined with other texts, encoded for a URL, and with `btoa`. Logs, results and
 * all else show it as `{{secret:stripe_key}}`.
 */
export declare function secret(name: string): string;

/** Values that admins set for the tasks. A resumed run sees the same value again. */
export declare const variables: {
  /** The task's own variable, else the shop's; null where there is none. */
  get<T extends Json = Json>(name: string): Promise<T | null>;
};

/** The same names as globals; their types are those of the module that stands as index.ts (console/editor/declarations.ts). */
type Names = typeof import('./index.ts');

declare global {
  const parameters: Names['parameters'];
  const last_checkpoint: Names['last_checkpoint'];
  const shop: Names['shop'];
  const admin_api: Names['admin_api'];
  const admin: Names['admin'];
  const AdminApiError: Names['AdminApiError'];
  const PermissionError: Names['PermissionError'];
  const RetryAfter: Names['RetryAfter'];
  const log: Names['log'];
  const progress: Names['progress'];
  const result: Names['result'];
  const describe: Names['describe'];
  const details: Names['details'];
  const checkpoint: Names['checkpoint'];
  const once: Names['once'];
  const sleep: Names['sleep'];
  const waitFor: Names['waitFor'];
  const signal: Names['signal'];
  const files: Names['files'];
  const prompt: Names['prompt'];
  const llm: Names['llm'];
  const notify: Names['notify'];
  const mail: Names['mail'];
  const state: Names['state'];
  const secret: Names['secret'];
  const variables: Names['variables'];
  const http: Names['http'];
  const tasks: Names['tasks'];
}
