import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
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
      const long = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) SELECT sum(i) FROM n`;
      const heavy = Array.from({ length: 6 }, async () => {
        await store.heavySnapshot((db) => long.execute(db));
        ended.push('long');
      });
      await store.snapshot((db) => count.execute(db));
      ended.push('short');
      await Promise.all(heavy);
      assert.deepEqual(ended, ['short', 'long', 'long', 'long', 'long', 'long', 'long']);
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
