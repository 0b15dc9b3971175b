import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { sql } from 'kysely';
import type { Store } from '../../server/db/open.ts';
import { onBothStores } from '../helpers/app.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';

onBothStores(
  'heavy reads',
  (app) => {
    const count = sql<{ n: number }>`SELECT CAST(count(*) AS bigint) AS n FROM orders`;

    test('all statements of a heavy read see the same state', async () => {
      const { store } = app();
      await storeOrder(store);
      const seen = await store.heavySnapshot(async (db) => {
        const before = await count.execute(db);
        await storeOrder(store);
        return [before.rows[0]?.n, (await count.execute(db)).rows[0]?.n];
      });
      assert.deepEqual(seen, [1, 1]);
      assert.equal((await store.heavySnapshot((db) => count.execute(db))).rows[0]?.n, 2);
    });

    test('a short read does not wait for long ones, and many long reads all end', async () => {
      const { store } = app();
      const ended: string[] = [];
      const letEnd = store.dialect.engine === 'postgres' ? await holdLongReads(store) : async () => undefined;
      const heavy = Array.from({ length: 6 }, async () => {
        await store.heavySnapshot((db) => longReads[store.dialect.engine].execute(db));
        ended.push('long');
      });
      await store.snapshot((db) => count.execute(db));
      ended.push('short');
      await letEnd();
      await Promise.all(heavy);
      assert.deepEqual(ended, ['short', 'long', 'long', 'long', 'long', 'long', 'long']);
    });

    test('a search in a list that may be long is a heavy read', async () => {
      const { store, request } = app();
      const heavy = mock.method(store, 'heavySnapshot');
      const lists = ['orders', 'customers', 'subscriptions', 'products', 'inquiries', 'vouchers', 'files', 'media', 'variants'];
      const seen: string[] = [];
      for (const path of lists) {
        const [before, name] = [heavy.mock.callCount(), /^(vouchers|files|media|variants)$/.test(path) ? 'search' : 'q'];
        assert.equal((await request({ path: `/admin/api/${path}?${name}=x` })).status, 200);
        if (heavy.mock.callCount() > before) seen.push(path);
        assert.equal((await request({ path: `/admin/api/${path}` })).status, 200);
        assert.ok(heavy.mock.callCount() <= before + 1, `${path} without a search`);
      }
      heavy.mock.restore();
      assert.deepEqual(seen, lists);
    });

    test('a heavy read cannot write, and a failed read does not affect the next', async () => {
      const { store } = app();
      await assert.rejects(
        store.heavySnapshot((db) => sql`DELETE FROM orders`.execute(db)),
        { code: /^(SQLITE_READONLY|25006)$/ },
      );
      await assert.rejects(
        store.heavySnapshot((db) => sql`SELECT 1 FROM nowhere`.execute(db)),
        /nowhere/,
      );
      assert.equal((await store.heavySnapshot((db) => count.execute(db))).rows[0]?.n, 2);
    });
  },
  // Six long reads and a short one run at once.
  { env: { DATABASE_POOL: '10' } },
);

const HELD = 7;

/** On PostgreSQL a process of its own carries out each read, so there a long one waits for the test instead of being long. */
const longReads = {
  sqlite: sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) SELECT sum(i) FROM n`,
  postgres: sql`SELECT pg_advisory_xact_lock_shared(${HELD})`,
};

/** Holds what the long reads wait for; returns the function that gives it back. */
async function holdLongReads(store: Store): Promise<() => Promise<void>> {
  const giveBack = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = store.write(async (db) => {
    await sql`SELECT pg_advisory_xact_lock(${HELD})`.execute(db);
    held.resolve();
    await giveBack.promise;
  });
  await held.promise;
  return async () => {
    giveBack.resolve();
    await holding;
  };
}
