/**
 * Everything that the test of a task may use. A test is a Node program (node:test, node:assert). It is `NAME.test.ts` beside
 * the task's `NAME.ts` and `NAME.task.json`, and `backroom task test` runs it:
 *
 *     import { openShop } from 'backroom/testing';
 *
 *     test('who is new gets a note', async () => {
 *       const shop = await openShop();
 *       const { id } = await shop.admin.customers.create({ email: 'ann@example.com', name: 'Ann' });
 *       const { status, result } = await shop.run({ days: 1 });
 *       …
 *     });
 */

import type { AdminApi } from '../contract/calls.ts';
import type { ResponseOf } from '../contract/endpoint.ts';
import type { DomainEvent } from '../contract/events.ts';
import type { Endpoints } from '../contract/index.ts';
import type { OutgoingMail } from '../contract/mails.ts';
import type { NewNotification } from '../contract/notifications.ts';
import type { Json, JsonObject, LoggedEvent } from '../contract/run-events.ts';
import type { Run, WholeRun } from '../contract/runs.ts';
import type { SettingsPatch } from '../contract/settings.ts';
import type { ParameterDeclaration, TaskSettings } from '../contract/tasks.ts';

/**
 * Opens a shop for this test alone: a server with a store in memory, and a runner that runs the task in the real sandbox.
 * Without `sample` the shop contains only its owner. It is closed after the test that opened it; if a hook or a suite opened
 * it, after the last test there.
 */
export declare function openShop(options?: ShopOptions): Promise<Shop>;

/**
 * Carries out the task's present source with the answers of a recorded run: `fixture` is a file that `backroom task test --replay RUN_ID` wrote,
 * named from the folder of the test. Nothing is read or written, nobody is asked, and no time passes, so a run that slept for a month takes a
 * second. Fails unless the script makes the same calls in the same order, reports the same results and log lines, and ends in the same way; the
 * error shows the first difference.
 */
export declare function replay(fixture: string): Promise<ReplayedRun>;

/** What a replay repeated. */
export type ReplayedRun = Pick<
  TaskRun,
  'status' | 'end_reason' | 'result' | 'error' | 'log' | 'results' | 'progress' | 'description' | 'details' | 'calls'
>;

export type ShopOptions = {
  /** Fills the shop with sample data: `orders` orders of the 18 months before `now`. The same three values give the same shop. */
  sample?: { orders: number; now: Date; seed?: number };
  /** Settings of the shop, such as `{ timezone: 'Asia/Tokyo', currency: 'JPY', locale: 'ja' }`. The sample data take its currency. */
  settings?: SettingsPatch;
  /**
   * Answers the task's requests to other systems, of which none leaves this machine: the first entry whose method and address are
   * those of the request, or a function. A request without an answer fails as if the other system could not be reached. The
   * version's `http_allow` holds here too.
   */
  http?: readonly HttpDouble[] | ((request: SentRequest) => HttpDoubleAnswer | Promise<HttpDoubleAnswer>);
  /** The tasks that the task may start in this shop, by their names; `may_start` of NAME.task.json names those of another shop. */
  tasks?: readonly TaskDouble[];
};

/** A task whose run returns `result`, or fails with `error`. It accepts the parameters that it declares, as every task does. */
export type TaskDouble = { name: string; parameters?: readonly ParameterDeclaration[]; result?: Json; error?: string };

/** `method`: default GET. `lost`: the request arrives, but its answer does not. */
export type HttpDouble = { method?: string; url: string; answer: HttpDoubleAnswer };
export type HttpDoubleAnswer = { status?: number; headers?: Record<string, string>; body?: Json } | 'lost' | 'unreachable';
/** A request as the other system would get it; header names are in lower case. */
export type SentRequest = { method: string; url: string; headers: Record<string, string>; body: string | null };

export type Shop = {
  /** The owner's client, to prepare and to check the shop. It has the operations that tasks have, without regard to permissions. */
  admin: AdminApi;
  /** Runs the task with these parameters until it ends, with success or not; throws when the server refuses to start the run. */
  run(parameters?: JsonObject, options?: RunOptions): Promise<TaskRun>;
  /**
   * The clock of the shop. It goes as any clock does, and `advance` moves it on: by milliseconds, by `'3 days'` (seconds, minutes, hours, days,
   * weeks) or by an ISO 8601 duration such as `'P3DT12H'`. Runs that sleep or wait go on as it passes their times, in the order of these; when
   * it resolves, each run has ended or waits for something later. The clock of this process moves with it, so `new Date()` in the test is the
   * shop's time; so does that of other shops that are open.
   */
  clock: { now(): Date; advance(by: number | string): Promise<void> };
  /**
   * Lets an event of the shop happen, or a request come to a hook of the task, such as `{ type: 'order.paid', data: { order_id: 7, total: 1900, currency: 'EUR' } }`: it ends the waits
   * that it matches and opens what the triggers of the shop would. Its type and data must be those of the catalogue of events. When it
   * resolves, each run has ended or waits again. It changes nothing else: `admin` changes orders, which makes their events as ever.
   */
  emit(event: DomainEvent | HookEvent): Promise<void>;
  /**
   * Signals the task's runs that wait for it: a key, which `waitFor('signal:KEY')` takes, or the id of a run that waits for `'signal'`. Resolves,
   * when each run has ended or waits again, with whether a wait took it; a signal that none took is kept, as in any shop.
   */
  signal(to: string | number, value: Json): Promise<boolean>;
  /** The id of the task in this shop, to give it schedules, triggers and hooks: `shop.admin.ai_tasks.create_trigger(await shop.task(), …)`. */
  task(): Promise<number>;
  /** The ended runs of the task, whatever started them, in the order of their starts; the last 100. */
  runs(): Promise<EndedRun[]>;
  /** Uploads a file and returns its id, which is the value for a parameter of kind `file`. */
  upload(name: string, content: string | Uint8Array): Promise<number>;
};

export type RunOptions = {
  /** Changes nothing in the shop: `effects` lists what the run would have changed. */
  dryRun?: boolean;
  /** The answers to the run's questions, by the names of the fields. The test fails when a question has a field without an answer. */
  answers?: JsonObject;
  /** Lower limits than the task's own. A run that `{ host_calls: 20 }` interrupts and that is then resumed tests its checkpoints. */
  limits?: TaskSettings['limits'];
  /** The `id` of an interrupted run that this run resumes, with that run's parameters. */
  resume?: number;
};

/**
 * A request to the hook NAME of the task, with `type: 'hook:NAME'`. A body that is no text is sent as JSON. Of the headers, in lower case, the
 * script gets those that it gets in any shop. The address and the signature of the hook are not needed.
 */
export type HookEvent = {
  type: `hook:${string}`;
  data: { body?: Json; headers?: Record<string, string>; query?: Record<string, string> };
};

/** What a run has done that something else than `run` has started. */
export type EndedRun = Omit<TaskRun, 'requests'>;

export type TaskMail = Omit<OutgoingMail, 'to'> & { to: string };

export type TaskRun = {
  id: number;
  task_id: number;
  status: Run['status'];
  end_reason: Run['end_reason'];
  /** The return value of the default function. */
  result: Json;
  error: string | null;
  /** The lines written by `log` and `console`. */
  log: string[];
  results: Pick<Extract<LoggedEvent, { kind: 'result' }>, 'status' | 'item' | 'details'>[];
  /** The latest progress. */
  progress: Run['progress'];
  /** What the run said that it is about, and the Markdown that it shows. */
  description: Run['description'];
  details: WholeRun['details'];
  /** Every request that the run made, reads included. */
  calls: Pick<Extract<LoggedEvent, { kind: 'admin_api' }>, 'method' | 'path' | 'status'>[];
  /** The requests to other systems that the run sent, with those of redirects and repeats. */
  requests: SentRequest[];
  /** The tasks that it started, or in a dry run would start. */
  started: { name: string; parameters: JsonObject }[];
  /** The notifications that it wrote, or in a dry run would write. */
  notifications: NewNotification[];
  /** The mails that it wrote, one for each address. A mail's own link to opt out is left out of its texts. */
  mails: TaskMail[];
  /** Every write of the run, with what it changed. */
  effects: ResponseOf<Endpoints['ai_tasks.list_effects']>;
};
