import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { makeOrder } from '../helpers/builders.ts';
import { createTask, type Machines, startMachines, until } from '../helpers/machines.ts';
import { letBeDueAgo } from '../helpers/stored-rows/automation.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

/** spec SD2, TG1: a server that is killed while it opens runs of schedules and triggers loses no run and opens none twice. */

const SCHEDULES = 90;
const ORDERS = 60;
const ROUNDS = 3;
const GATHERERS = 20;
const WITHIN_MS = 240_000;

describe('runs of schedules and triggers', { timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, () => suite(() => startMachines(engine)));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  before(async () => {
    machines = await start();
  });
  after(() => machines.close());

  test('SD2, TG1: after kill -9 at any moment of the loop, each due time and each event has exactly one run', async () => {
    const { client, store } = machines;
    const taskId = await createTask(client, `log('runs')`);
    const schedule = { cron: '0 4 1 1 *', timezone: 'UTC', overlap: 'allow' } as const;
    const made = await Promise.all(Array.from({ length: SCHEDULES }, () => client.ai_tasks.create_schedule(taskId, schedule)));
    const schedules = made.map(({ id }) => id);
    const { id: triggerId } = await client.ai_tasks.create_trigger(taskId, { event: 'order.status_changed' });
    const orders = await Promise.all(Array.from({ length: ORDERS }, () => makeOrder(machines)));
    let halfway = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const status = round % 2 === 0 ? 'processing' : 'shipped';
      await client.orders.bulk_status({ ids: orders.map(({ id }) => id), status });
      await machines.server().stop('SIGKILL');
      await letBeDueAgo(store, schedules, 0);
      const total = await waiting();
      // The loop's first turn begins as soon as the server listens.
      await machines.startServer();
      await until('a turn is under way', async () => (await waiting()) < total, WITHIN_MS);
      await machines.server().stop('SIGKILL');
      const left = await waiting();
      if (left > 0 && left < total) halfway += 1;
      await machines.startServer();
      await until('all are dealt with', async () => (await waiting()) === 0, WITHIN_MS);
    }
    assert.ok(halfway > 0, 'at least one server must be killed in the middle of a turn');
    const { rows } = await sql<{ started_by: string; n: number }>`
      SELECT started_by, count(*) AS n FROM runs GROUP BY started_by`.execute(store.reader);
    const counts = new Map(rows.map(({ started_by, n }) => [started_by, Number(n)]));
    assert.equal(counts.get(`trigger:${triggerId}`), ORDERS * ROUNDS);
    counts.delete(`trigger:${triggerId}`);
    assert.deepEqual([counts.size, new Set(counts.values())], [SCHEDULES, new Set([ROUNDS])]);
    const events = await sql<{ n: number }>`
      SELECT count(DISTINCT parameters) AS n FROM runs WHERE started_by = ${`trigger:${triggerId}`}`.execute(store.reader);
    assert.equal(Number(events.rows[0]?.n), ORDERS * ROUNDS, 'each run must have another event');
  });

  test('GS2: after kill -9 at any moment, each event is in exactly one batch and counts once for a debounce, also beside a second server', async () => {
    const { client, store } = machines;
    const taskId = await createTask(client, `log('runs')`);
    const batch = { event: 'order.status_changed', start: { batch: { max: 7, ms: 500 } } } as const;
    const debounce = { event: 'order.status_changed', start: { debounce: { key: 'status', ms: 200 } } } as const;
    const batches = await Promise.all(Array.from({ length: GATHERERS }, () => client.ai_tasks.create_trigger(taskId, batch)));
    const last = await client.ai_tasks.create_trigger(taskId, debounce);
    const orders = await Promise.all(Array.from({ length: ORDERS }, () => makeOrder(machines)));
    let halfway = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const second = await machines.startSecond();
      const status = round % 2 === 0 ? 'processing' : 'shipped';
      await client.orders.bulk_status({ ids: orders.map(({ id }) => id), status });
      const total = await gathering();
      await until('it is under way', async () => (await gathering()) < total, WITHIN_MS);
      await Promise.all([machines.server().stop('SIGKILL'), second.stop('SIGKILL')]);
      if ((await gathering()) > 0) halfway += 1;
      await machines.startServer();
      await until('all are dealt with', async () => (await gathering()) === 0, WITHIN_MS);
    }
    assert.ok(halfway > 0, 'at least once they must be killed while something was gathered');
    const given = async (id: number) => {
      const { rows } = await sql<{ parameters: string }>`SELECT parameters FROM runs WHERE started_by = ${`trigger:${id}`}`.execute(
        store.reader,
      );
      return rows.map(({ parameters }) => JSON.parse(parameters));
    };
    for (const { id } of batches) {
      const events: number[] = (await given(id)).flatMap((one) => one.events.map((event: { id: number }) => event.id));
      assert.deepEqual([events.length, new Set(events).size], [ORDERS * ROUNDS, ORDERS * ROUNDS]);
    }
    const counts: number[] = (await given(last.id)).map(({ event }) => event.gathered);
    assert.equal(
      counts.reduce((sum, n) => sum + n, 0),
      ORDERS * ROUNDS,
    );
    await Promise.all([...batches, last].map(({ id }) => client.ai_tasks.delete_trigger(taskId, id)));
  });

  /** Events that are not gathered yet, and starts that have not opened. */
  async function gathering(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      SELECT (SELECT count(*) FROM trigger_deliveries) + (SELECT count(*) FROM gathered_starts) AS n`.execute(machines.store.reader);
    return Number(rows[0]?.n);
  }

  /** Makes schedules due now, and causes events for triggers. */
  async function waiting(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      SELECT (SELECT count(*) FROM schedules WHERE due_ms <= ${Date.now()}) + (SELECT count(*) FROM trigger_deliveries) AS n`.execute(
      machines.store.reader,
    );
    return Number(rows[0]?.n);
  }
}
