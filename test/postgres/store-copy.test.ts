import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Copying, compareStores, copyStore } from '../../server/copy-store.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore, readsOf, type Store } from '../../server/db/open.ts';
import { endCopy } from '../../server/db/store-copy/progress.ts';
import { withQuietSource } from '../../server/db/store-copy/source.ts';
import { readTables } from '../../server/db/store-copy/tables.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { dumpStore } from '../helpers/store-dump.ts';
import { storeScopes } from '../helpers/stored-rows/copies.ts';
import { createDatabase, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** The copy of a store, step by step; test/cli/db-copy.test.ts has the whole command. */

after(stopPostgres);

const never: Copying = { onProgress: () => undefined, signal: new AbortController().signal };

/** An SQLite store with what `fill` writes, and an empty PostgreSQL. */
async function shops(
  fill: (store: Store) => Promise<unknown>,
): Promise<{ source: TestDatabase; target: TestDatabase; drop(): Promise<void> }> {
  const source = await createDatabase('sqlite', { empty: true });
  const target = await createDatabase('postgres', { empty: true });
  await on(source.url, async (store) => {
    await migrate(store);
    await fill(store);
  });
  const drop = async () => {
    await source.drop();
    await target.drop();
  };
  return { source, target, drop };
}

async function on<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore({ url, poolSize: 2, unchecked: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const copy = (source: TestDatabase, target: TestDatabase, copying = never) =>
  on(target.url, (store) => withQuietSource(source.url, (quiet) => copyStore(quiet, { ...store, url: target.url }, copying)));

/** Which tables differ, with their first difference. */
const differences = (source: TestDatabase, target: TestDatabase) =>
  on(source.url, (one) =>
    on(target.url, async (other) => {
      const found: string[] = [];
      const sides = [one, other].map(({ reader, dialect }) => ({ db: reader, dialect }));
      const [from, to] = sides;
      assert.ok(from && to);
      for await (const { table, count, faults } of compareStores(from, to, () => undefined))
        if (count > 0) found.push(`${table}: ${faults[0]}`);
      return found;
    }),
  );

const fill = (store: Store) => fillSampleShop(store, { seed: 1, orders: 300, now: new Date('2026-06-30T12:00:00Z') });

test('a copy that is stopped behind any batch and continued copies each row once, and is whole at its end', async () => {
  const { source, target, drop } = await shops(fill);
  try {
    /** The number of rows at which each call stopped. */
    const stops: number[] = [];
    for (;;) {
      const stop = new AbortController();
      // Each call goes on for three batches, or ends with the first index that it makes.
      let batches = 0;
      const onProgress = (step: string) => void ((step === 'copying rows' ? ++batches === 3 : step.startsWith('index')) && stop.abort());
      const { outcome, rows, of } = await copy(source, target, { onProgress, signal: stop.signal });
      if (outcome === 'copied') {
        assert.equal(rows, of);
        break;
      }
      assert.ok(rows > (stops.at(-1) ?? 0) || rows === of, `${rows} after ${stops.join()}`);
      stops.push(rows);
      assert.ok(stops.length < 100);
    }
    assert.ok(stops.length > 5, stops.join());
    await on(target.url, endCopy);
    assert.deepEqual(await differences(source, target), []);
    assert.deepEqual(await on(target.url, dumpStore), await on(source.url, dumpStore));
  } finally {
    await drop();
  }
});

test('an unfinished copy is continued from its own source only, and only while that is as it was', async () => {
  const [one, other] = [await shops(fill), await shops(fill)];
  try {
    const stop = new AbortController();
    const halfway = { onProgress: (step: string) => void (step === 'copying rows' && stop.abort()), signal: stop.signal };
    assert.equal((await copy(one.source, one.target, halfway)).outcome, 'stopped');
    await assert.rejects(copy(other.source, one.target), /^Error: the target is an unfinished copy of another store/);
    await assert.rejects(
      on(one.target.url, (store) => migrate(store)),
      /^Error: the database is an unfinished copy of a store/,
    );
    await on(one.source.url, (store) => storeScopes(store, ['later']));
    await assert.rejects(copy(one.source, one.target), /the source has changed since this copy began \(idempotency had 0 rows, now 1\)/);
  } finally {
    await one.drop();
    await other.drop();
  }
});

test('texts of any language, wide rows and keys in any order are the same behind the copy; a changed or missing key is found', async () => {
  // Code points above U+FFFF come behind U+FFFF in both databases, and before it in JavaScript.
  const scopes = ['', ' ', 'a', 'B', 'ä', 'z', '\\', '\t', '\u{ffff}', '\u{10000}', '\u{1f600}', '\u{10ffff}', 'a'.repeat(2000)];
  const { source, target, drop } = await shops((store) => storeScopes(store, scopes, 'wide '.repeat(400_000)));
  try {
    const seen: number[] = [];
    const onProgress: Copying['onProgress'] = (step, share) => void (step === 'copying rows' && seen.push(share));
    assert.equal((await copy(source, target, { ...never, onProgress })).outcome, 'copied');
    // 26 MB in rows of 2 MB, of which a batch has two or three.
    assert.ok(seen.length >= 5, seen.join());
    await on(target.url, endCopy);
    assert.deepEqual(await differences(source, target), []);
    await on(target.url, (store) => storeScopes(store, ['\u{10001}']));
    assert.deepEqual(await differences(source, target), ['idempotency: scope "\u{10001}": is not in the source']);
    await on(source.url, (store) => storeScopes(store, ['\u{fffe}', '\u{10001}']));
    assert.deepEqual(await differences(source, target), ['idempotency: scope "\u{fffe}": is not in the target']);
  } finally {
    await drop();
  }
});

test('a text that PostgreSQL cannot store is refused with its place', async () => {
  const { source, target, drop } = await shops((store) => storeScopes(store, ['with', 'without'], 'a\0b'));
  try {
    await assert.rejects(copy(source, target), /^Error: body of idempotency scope "with" contains U\+0000, which PostgreSQL cannot store/);
  } finally {
    await drop();
  }
});

test('both engines have the same tables, and each can be copied or is known to be a sum', async () => {
  const { source, target, drop } = await shops(async () => undefined);
  try {
    await on(target.url, (store) => migrate(store));
    const [one, other] = await Promise.all([source, target].map(({ url }) => on(url, (store) => readTables(readsOf(store)))));
    const columns = (tables = one) =>
      tables?.map((table) => ({ ...table, columns: [...table.columns].sort((a, b) => (a.name < b.name ? -1 : 1)) }));
    assert.deepEqual(columns(one), columns(other));
    const names = one?.map(({ name }) => name) ?? [];
    for (const name of ['orders', 'journal', 'task_state', 'order_counts']) assert.ok(names.includes(name), name);
    for (const name of ['migrations', 'change_numbers', 'order_buyers']) assert.ok(!names.includes(name), name);
  } finally {
    await drop();
  }
});
