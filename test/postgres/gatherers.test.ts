import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { triggerOpener } from '../../server/automation/triggers/opening.ts';
import { createQuietServices } from '../../server/create-services.ts';
import { openStore } from '../../server/db/open.ts';
import { startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { storesFolder } from '../helpers/postgres.ts';
import { makeTask } from '../helpers/runs.ts';
import { storeGatheredEvents } from '../helpers/stored-rows/automation.ts';
import { createDatabase, stopPostgres } from '../helpers/stores.ts';

after(stopPostgres);

test('GS2: two servers that gather events with the same keys in another order do not wait for each other for ever', async () => {
  const database = await createDatabase('postgres');
  const app = await startApp('postgres', { databaseUrl: database.url });
  const start = { debounce: { key: 'order_id', ms: 3_600_000 } };
  const trigger = await app.client.ai_tasks.create_trigger(await makeTask(app), { event: 'order.status_changed', start });
  await app.close();

  const stores = [0, 1].map(() => openStore({ url: database.url, poolSize: 2 }));
  const gatherers = await Promise.all(
    stores.map(async (store) => triggerOpener(await createQuietServices(store, join(storesFolder(), 'backroom-services')))),
  );
  const [store = assert.fail(), ...others] = stores;
  const [first = assert.fail(), second = assert.fail()] = gatherers;
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  const waiting = (count: number) =>
    until(`${count} wait`, async () => {
      const found = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      return (await holder.query(found)).rows.length === count;
    });
  try {
    try {
      await storeGatheredEvents(store, trigger.id, [1, 2]);
      await first();
      // Each server has begun with another key when it finds the rest.
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM gathered_starts FOR UPDATE');
      await storeGatheredEvents(store, trigger.id, [1, 2]);
      const done = [first()];
      await waiting(1);
      done.push(second());
      await waiting(2);
      await storeGatheredEvents(store, trigger.id, [2, 1, 2, 1, 2, 1, 2, 1]);
      await holder.query('COMMIT');
      await Promise.all(done);
      const { rows } = await holder.query('SELECT gather_key, items FROM gathered_starts ORDER BY gather_key');
      assert.deepEqual(
        rows.map(({ gather_key, items }) => [gather_key, Number(items)]),
        [
          ['1', 6],
          ['2', 6],
        ],
      );
    } finally {
      for (const one of [store, ...others]) await one.close();
    }
    // A deadlock is tried again, so only PostgreSQL's own count tells of it: each connection tells it when it ends.
    await until('they have ended', async () => {
      const found = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
      return (await holder.query(found)).rows.length === 0;
    });
    const stats = await holder.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    assert.equal(Number(stats.rows[0].deadlocks), 0);
  } finally {
    await holder.end();
    await database.drop();
  }
});
