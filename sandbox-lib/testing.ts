/**
 * All that the test of a task may use. A test is a program of Node (node:test, node:assert); `NAME.test.ts` stands beside
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
import type { Endpoints } from '../contract/index.ts';
import type { Json, JsonObject, LoggedEvent } from '../contract/run-events.ts';
import type { Run } from '../contract/runs.ts';
import type { TaskSettings } from '../contract/tasks.ts';

/**
 * Opens a shop for this test alone: a server with a store in memory, and a runner that runs the task in the real
 * sandbox. It is empty but for its owner unless told otherwise. It goes with the test that opened it; opened by a hook or
 * by a suite it goes with the last test there.
 */
export declare function openShop(options?: ShopOptions): Promise<Shop>;

export type ShopOptions = {
  /** Fills it with the sample shop: `orders` of the 18 months before `now`; the same three give the same shop. */
  sample?: { orders: number; now: Date; seed?: number };
};

export type Shop = {
  /** The owner's client, to arrange and to look: the operations that a task has, whatever its permissions. */
  admin: AdminApi;
  /** Runs the task with these parameters until its end, whatever that is; a refused start throws. */
  run(parameters?: JsonObject, options?: RunOptions): Promise<TaskRun>;
  /** Uploads a file; its id is what a parameter of kind `file` takes. */
  upload(name: string, content: string | Uint8Array): Promise<number>;
};

export type RunOptions = {
  /** Changes nothing: `effects` is what it would have done. */
  dryRun?: boolean;
  /** What is answered to its questions, by the names of their fields. A question that asks for more ends the test. */
  answers?: JsonObject;
  /** Lower than the task's own: a run cut off by `{ host_calls: 20 }`, then resumed, shows that its checkpoints hold. */
  limits?: TaskSettings['limits'];
  /** The `id` of an interrupted run that this one goes on with; the parameters are that one's. */
  resume?: number;
};

export type TaskRun = {
  id: number;
  task_id: number;
  status: Run['status'];
  end_reason: Run['end_reason'];
  /** What the default function returned. */
  result: Json;
  error: string | null;
  /** The lines of `log` and `console`. */
  log: string[];
  results: Pick<Extract<LoggedEvent, { kind: 'result' }>, 'status' | 'item' | 'details'>[];
  /** The last `progress`. */
  progress: Run['progress'];
  /** Every request it made, reads too. */
  calls: Pick<Extract<LoggedEvent, { kind: 'admin_api' }>, 'method' | 'path' | 'status'>[];
  /** Every write, and what it changed. */
  effects: ResponseOf<Endpoints['ai_tasks.list_effects']>;
};
