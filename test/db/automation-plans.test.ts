import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sweepOld } from '../../server/background/retention.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';
import { passStartTime } from '../helpers/stored-rows/automation.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';

/** The statements that make schedules and triggers and open their runs: none may scan a table. */

let seen: string[];
let database: TestDatabase;
let app: TestApp;
let plans: Plans;

before(async () => {
  database = await createDatabase('sqlite');
  // Migrations scan whole tables and are not checked.
  const store = openStore({ url: database.url });
  await migrate(store);
  await store.close();
  const watch = watchStatements(database.url);
  app = await startApp('sqlite', { databaseUrl: database.url });
  await exerciseSchedules(app);
  await exerciseTriggers(app);
  await exerciseGathered(app);
  await exerciseHooks(app);
  watch.stop();
  seen = [...new Set(watch.seen)].filter((text) =>
    /schedules|triggers|trigger_deliveries|lineage_causes|hooks|hook_calls|gathered_|start_times|start_by_ms <=/.test(text),
  );
  plans = openPlans(database.url);
});

after(async () => {
  plans.close();
  await app.close();
  await database.drop();
});

const expected: [part: string, step: RegExp][] = [
  ['SELECT id FROM schedules WHERE due_ms <=', /SEARCH schedules USING COVERING INDEX schedules_due \(due_ms<\?\)/],
  ['AS now_ms FROM schedules WHERE due_ms', /SEARCH schedules USING INDEX schedules_due \(due_ms<\?\)/],
  ['FROM schedules WHERE schedules.queued > 0', /SEARCH schedules USING INDEX schedules_queued \(queue_due_ms<\?\)/],
  ['FROM schedules WHERE schedules.queued > 0', /SEARCH runs EXISTS USING INDEX runs_by_lineage \(lineage_id=\?\)/],
  ['SELECT * FROM "schedules" WHERE task_id', /SEARCH schedules USING INDEX schedules_by_task \(task_id=\?\)/],
  ['SELECT count(*) AS n FROM "schedules"', /SEARCH schedules USING COVERING INDEX schedules_by_task \(task_id=\?\)/],
  ['INSERT INTO "domain_events"', /SEARCH triggers USING COVERING INDEX triggers_by_event \(event=\?\)/],
  ['SELECT triggers.id, triggers.filter FROM triggers', /SEARCH triggers USING INDEX triggers_by_event \(event=\?\)/],
  ['SELECT event_id FROM trigger_deliveries', /SEARCH trigger_deliveries USING COVERING INDEX trigger_deliveries_due \(due_ms<\?\)/],
  ['FROM trigger_deliveries WHERE due_ms <=', /SEARCH trigger_deliveries USING COVERING INDEX trigger_deliveries_due \(due_ms<\?\)/],
  [
    'DELETE FROM trigger_deliveries WHERE',
    /SEARCH trigger_deliveries USING (COVERING )?INDEX sqlite_autoindex_trigger_deliveries_1 \(trigger_id=\? AND event_id=\?\)/,
  ],
  ['FROM hooks JOIN tasks', /SEARCH (h|hooks) USING INTEGER PRIMARY KEY/],
  ['SELECT count(*) AS n FROM "hooks"', /SEARCH hooks USING COVERING INDEX hooks_by_task \(task_id=\?\)/],
  ['select "run_id", "start_id" from "hook_calls"', /SEARCH hook_calls USING INDEX sqlite_autoindex_hook_calls_1 \(key=\?\)/],
  ['DELETE FROM "hook_calls"', /hook_calls USING (COVERING )?INDEX hook_calls_by_time \(at<\?\)/],
  ['AS ms FROM gathered_starts', /SEARCH gathered_starts USING COVERING INDEX gathered_starts_due \(due_ms>\?\)/],
  ['FROM gathered_starts WHERE due_ms <=', /SEARCH gathered_starts USING INDEX gathered_starts_due \(due_ms<\?\)/],
  ['SELECT id FROM gathered_starts WHERE kind', /SEARCH gathered_starts USING COVERING INDEX gathered_starts_queued/],
  ['SELECT at_ms FROM start_times', /SEARCH start_times USING COVERING INDEX start_times_by_key/],
  ['SELECT * FROM gathered_items', /SEARCH gathered_items USING INDEX gathered_items_by_start/],
  ["FROM runs WHERE status = 'running' AND start_by_ms <=", /SEARCH runs USING INDEX runs_to_expire/],
  ['INSERT INTO lineage_causes', /SEARCH runs USING INDEX runs_by_lineage \(lineage_id=\?\)/],
];

for (const [part, step] of expected) {
  test(`"${part}" uses its index`, () => {
    const found = seen.filter((text) => plans.plain(text).includes(part));
    assert.ok(found.length > 0, 'the statement was not seen');
    for (const text of found)
      assert.ok(
        plans.planOf(text).some((one) => step.test(one)),
        `${plans.plain(text)}\n${plans.planOf(text).join('\n')}`,
      );
  });
}

test('no statement of schedules and triggers scans a table or sorts', () => {
  // What lets time pass is no statement of the server.
  const own = seen.filter((text) => !/SET (first_ms = first_ms|at_ms = at_ms|start_by_ms = start_by_ms) -/.test(text));
  const found = own.filter((text) => /^\s*(select|insert|update|delete)\b/i.test(text)).map((text) => [text, plans.planOf(text)] as const);
  assert.ok(found.length >= 18, `${found.length} statements`);
  const isFault = (step: string): boolean =>
    /^SCAN (?!CONSTANT)(?!.*USING (COVERING )?INDEX)/.test(step) || step.startsWith('USE TEMP B-TREE');
  assert.deepEqual(
    found.filter(([, steps]) => steps.some(isFault)),
    [],
  );
});

async function exerciseSchedules({ client, store }: TestApp): Promise<void> {
  const taskId = await makeTask(app);
  const { id } = await client.ai_tasks.create_schedule(taskId, { cron: '0 4 1 1 *', overlap: 'queue' });
  await client.ai_tasks.list_schedules(taskId);
  await client.ai_tasks.list_upcoming(taskId, id);
  await client.ai_tasks.update_schedule(taskId, id, { catch_up_seconds: 60 });
  await store.write((db) =>
    db.updateTable('schedules').set({ due_ms: 1, next_at: new Date().toISOString() }).where('id', '=', id).execute(),
  );
  await until('it has fired', async () => (await client.ai_tasks.get_schedule(taskId, id)).last_run_id !== null);
  await store.write((db) =>
    db
      .updateTable('schedules')
      .set((eb) => ({ queued: 1, row_version: eb('row_version', '+', 1) }))
      .where('id', '=', id)
      .execute(),
  );
  await client.ai_tasks.cancel_runs(taskId);
  await until('what waited has a run', async () => (await client.ai_tasks.get_schedule(taskId, id)).queued === 0);
  await client.ai_tasks.delete_schedule(taskId, id);
}

async function exerciseTriggers({ client, store }: TestApp): Promise<void> {
  const [one, two] = [await makeTask(app, { permissions: ['admin_api.orders.write'] }), await makeTask(app)];
  const ids = await Promise.all(
    [one, two].map(async (taskId) => (await client.ai_tasks.create_trigger(taskId, { event: 'order.status_changed' })).id),
  );
  await client.ai_tasks.list_triggers(two);
  const order = await storeOrder(store);
  const run = await claimedRun(app, {}, one);
  assert.equal((await run.call('PATCH', `/orders/${order.id}/status`, { status: 'shipped' })).status, 204);
  await until('the other task runs', async () => (await client.ai_tasks.list_runs(two)).length > 0);
  for (const [n, taskId] of [one, two].entries()) {
    await client.ai_tasks.update_trigger(taskId, ids[n] ?? 0, { filter: { order_id: order.id } });
    await client.ai_tasks.delete_trigger(taskId, ids[n] ?? 0);
  }
}

async function exerciseGathered({ client, store }: TestApp): Promise<void> {
  const taskId = await makeTask(app);
  const start = { debounce: { key: 'order_id', ms: 3_600_000 }, rate: { per_minute: 1 } };
  const { id } = await client.ai_tasks.create_trigger(taskId, { event: 'order.status_changed', start });
  const orders = [await storeOrder(store), await storeOrder(store), await storeOrder(store)];
  for (const order of orders) await client.orders.update_status(order.id, { status: 'shipped' });
  await until('three wait', async () => (await client.ai_tasks.list_gathered_starts(taskId)).total === 3);
  await passStartTime(store, 3_600_000);
  await until('one has opened', async () => (await client.ai_tasks.list_gathered_starts(taskId)).total === 2);
  const { starts } = await client.ai_tasks.list_gathered_starts(taskId);
  await client.ai_tasks.open_gathered_start(taskId, starts[0]?.id ?? 0);
  await client.ai_tasks.drop_gathered_start(taskId, starts[1]?.id ?? 0);
  await client.ai_tasks.update_trigger(taskId, id, { start: { batch: { max: 2, ms: 3_600_000 } } });
  for (const order of orders) await client.orders.update_status(order.id, { status: 'processing' });
  await until('a batch is full', async () => (await client.ai_tasks.list_runs(taskId)).length === 3);
  await client.ai_tasks.delete_trigger(taskId, id);
}

async function exerciseHooks(app: TestApp): Promise<void> {
  const { client, request, store } = app;
  const taskId = await makeTask(app);
  const { id, url_path } = await client.ai_tasks.create_hook(taskId, { name: 'Hook', idempotency_header: 'X-Id' });
  const twice = { method: 'POST', path: url_path ?? '', raw: '{}', headers: { 'x-id': 'one' }, token: null };
  for (const _ of [1, 2]) assert.equal((await request(twice)).status, 202);
  await client.ai_tasks.list_hooks(taskId);
  await client.ai_tasks.rotate_hook(taskId, id);
  await sweepOld(store);
  await client.ai_tasks.delete_hook(taskId, id);
}
