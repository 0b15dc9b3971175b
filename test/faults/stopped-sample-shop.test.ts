import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { Engine } from '../../server/db/dialect.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import { CommandError } from '../../server/shop-data/command.ts';
import { fillSampleShop, type SampleShop } from '../../server/shop-data/sample/fill.ts';
import { ORDER_TABLES } from '../../server/shop-data/sample/make-orders.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { dumpOf, emptyShop, sumsOf } from '../shop-data/filled-store.ts';

const shop: SampleShop = { seed: 1, now: new Date('2026-06-30T12:00:00Z'), orders: 2100, manyOrders: 1 };

after(stopPostgres);

/** Stops the fill when its progress has reached this point. */
async function fillUntil(store: Store, label: RegExp, share: number): Promise<string> {
  const stop = new AbortController();
  const onProgress: SampleShop['onProgress'] = (at, done) => {
    if (label.test(at) && done >= share) stop.abort();
  };
  return (await fillSampleShop(store, { ...shop, onProgress, signal: stop.signal })).outcome;
}

const indexesOf = async (store: Store) => (await store.dialect.indexesOf(store.reader, ORDER_TABLES)).map(({ name }) => name);

for (const engine of engines) {
  test(`a fill that is stopped, disturbed and continued gives the same shop as one that was not stopped (${engine})`, async (t) => {
    const whole = await emptyShop(t, engine);
    const indexes = await indexesOf(whole.store);
    await fillSampleShop(whole.store, { ...shop, manyOrders: 1_000_000 });

    const { store } = await emptyShop(t, engine);
    assert.equal(await fillUntil(store, /customers/, 0.1), 'stopped');
    assert.equal(await fillUntil(store, /orders/, 0.3), 'stopped');
    assert.deepEqual(await indexesOf(store), []);
    assert.deepEqual(await sumsOf(store), { wrongOrders: 0, wrongStock: 0, negativeStock: 0 });

    // A server that starts meanwhile builds the indexes.
    await migrate(store);
    assert.deepEqual(await indexesOf(store), indexes);
    assert.equal(await fillUntil(store, /orders/, 0.9), 'stopped');
    await assert.rejects(
      fillSampleShop(store, { ...shop, seed: 2 }),
      /half filled here: continue it with --orders 2100 --seed 1 --clock 2026-06-30T12/,
    );

    assert.equal((await fillSampleShop(store, { ...shop, now: undefined })).outcome, 'filled');
    assert.deepEqual(await indexesOf(store), indexes);
    assert.deepEqual(await dumpOf(store), await dumpOf(whole.store));

    assert.equal((await fillSampleShop(store, shop)).outcome, 'already');
    await assert.rejects(fillSampleShop(store, { ...shop, orders: 10 }), CommandError);
    assert.deepEqual(await dumpOf(store), await dumpOf(whole.store));
  });

  test(`if a fill fails while it builds indexes, the next start builds them (${engine})`, async (t) => {
    const { store } = await emptyShop(t, engine);
    const indexes = await indexesOf(store);
    const breaking = fillSampleShop(store, {
      ...shop,
      orders: 50,
      onProgress: (label) => {
        if (label.includes(indexes[1] ?? '')) throw new Error('broken off');
      },
    });
    await assert.rejects(breaking, /broken off/);
    assert.deepEqual(await indexesOf(store), indexes.slice(0, 1));
    await migrate(store);
    assert.deepEqual(await indexesOf(store), indexes);
  });
}

test('the command continues after kill -9 and after Ctrl-C, and says how far it is', async (t) => {
  const ORDERS = 4000;
  const { url, drop } = await createDatabase('sqlite' satisfies Engine);
  t.after(drop);
  const run = async (signal?: NodeJS.Signals): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, ['ops/sample-shop.ts', '--orders', String(ORDERS)], {
      env: { ...process.env, DATABASE_URL: `sqlite:${url}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Only one SIGINT is sent: a second one would end the process at once.
    child.stderr.on('data', () => signal && !child.killed && output.includes('orders ') && child.kill(signal));
    const [code] = await once(child, 'close');
    return { code, output };
  };
  assert.equal((await run('SIGKILL')).code, null);
  const stopped = await run('SIGINT');
  assert.equal(stopped.code, 130, stopped.output);
  assert.match(stopped.output, /stopped after \d000 of 4000 orders; the same command continues from there/);
  const finished = await run();
  assert.equal(finished.code, 0, finished.output);
  assert.match(finished.output, /The sample shop is filled: 4000 orders/);
  assert.match((await run()).output, /was filled at .*nothing has changed: 4000 orders/);

  const store = openStore({ url });
  t.after(() => store.close());
  assert.equal((await store.reader.selectFrom('orders').selectAll().execute()).length, ORDERS);
  assert.deepEqual(await sumsOf(store), { wrongOrders: 0, wrongStock: 0, negativeStock: 0 });
});
