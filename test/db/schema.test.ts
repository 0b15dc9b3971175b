import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { checkStore } from '../../server/check-store.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { migrate, schemaGap } from '../../server/db/migrate.ts';
import { migrations } from '../../server/db/migration-list.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import { writePlainTexts } from '../../server/db/plain-texts.ts';
import { startApp } from '../helpers/app.ts';
import { dumpSchema } from '../helpers/schema-dump.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

/** The schema of a new store, and stores of the program before the baseline, which get the same schema and keep their rows. */

after(stopPostgres);

const LAST_BEFORE = '0087-starting-versions';
/** The migrations after the baseline. */
const FILES = readdirSync(new URL('../../server/db/migrations/', import.meta.url)).map((file) => file.replace('.ts', ''));
const LATER = Object.keys(migrations).filter((name) => name > LAST_BEFORE);
test('each file of a migration is applied, in the order of the names', () => {
  assert.deepEqual(Object.keys(migrations), FILES.sort());
});

const stored = (name: string) => readFile(new URL(`stores/${name}.sql`, import.meta.url), 'utf8');

/** Lends a store with no schema. */
async function withStore(engine: Engine, work: (store: Store, url: string) => Promise<void>): Promise<void> {
  const database = await createDatabase(engine, { empty: true });
  const store = openStore({ url: database.url, poolSize: 2 });
  try {
    await work(store, database.url);
  } finally {
    await store.close();
    await database.drop();
  }
}

/** Makes the store as the program before the baseline left one; its texts are still to be folded. */
async function makeOldStore(engine: Engine, url: string): Promise<void> {
  const text = `${await stored(`0087.${engine}`)}\n${await stored('0087.rows')}
    UPDATE customers SET name_folded = 'ÄRGER GMBH' WHERE id = 1;
    INSERT INTO imports (source, state, updated_at) VALUES ('plain-texts', '{"at":"customers","after":0}', '2026-11-27T12:00:00.000Z');`;
  if (engine === 'sqlite') {
    const database = new SqliteDatabase(url);
    database.exec(text);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

type Rows = Record<string, Record<string, unknown>[]>;

/**
 * The rows of each table, without what triggers make of others and what is a store's own. `before`: the same of an earlier time; columns that
 * have been added since are left out.
 */
async function rowsOf(store: Store, before?: Rows): Promise<Rows> {
  const tables = new Set((await stored('0087.rows')).match(/(?<=^INSERT INTO )\w+/gm));
  const rows: Rows = {};
  for (const table of tables) {
    const { rows: all } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} ORDER BY 1, 2`.execute(store.reader);
    const columns = Object.keys(before?.[table]?.[0] ?? all[0] ?? {}).filter((name) => name !== 'changed_in');
    rows[table] = all.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
  }
  return rows;
}

for (const engine of engines) {
  test(`the schema is the one that is written down [${engine}]`, async (t) => {
    await withStore(engine, async (store) => {
      assert.deepEqual(await migrate(store), ['0001-baseline']);
      const path = fileURLToPath(new URL(`../../server/db/schema.${engine}.sql`, import.meta.url));
      t.assert.fileSnapshot(await dumpSchema(store), path, { serializers: [(text) => text] });
      assert.deepEqual([await migrate(store), await schemaGap(store)], [[], { missing: [], unknown: [] }]);
    });
  });

  test(`a store of the program before the baseline has its rows and the schema of a new one [${engine}]`, async () => {
    await withStore(engine, async (store, url) => {
      await makeOldStore(engine, url);
      const before = await rowsOf(store);
      assert.deepEqual((await schemaGap(store))?.unknown, []);
      await migrate(store);
      assert.deepEqual(await schemaGap(store), { missing: [], unknown: [] });
      assert.deepEqual(await rowsOf(store, before), before);
      await withStore(engine, async (fresh) => {
        await migrate(fresh);
        assert.equal(await dumpSchema(store), await dumpSchema(fresh));
      });
      await writePlainTexts(store);
      const faults: string[] = [];
      for await (const { name, count } of checkStore(store, { filesDir: '/nonexistent', filesS3: null })) if (count > 0) faults.push(name);
      assert.deepEqual(
        faults.filter((name) => !name.includes('file')),
        [],
      );
      const app = await startApp(engine, { databaseUrl: url });
      const { total, data } = await app.client.customers.list({ search: 'arger' }).finally(app.close);
      assert.deepEqual([total, data[0]?.name], [1, 'Ärger GmbH']);
    });
  });

  test(`two servers that start together make a new store once, and take over an old one once [${engine}]`, async () => {
    for (const isOld of [false, true]) {
      await withStore(engine, async (store, url) => {
        if (isOld) await makeOldStore(engine, url);
        const other = openStore({ url, poolSize: 2 });
        const applied = await Promise.all([migrate(store), migrate(other)]);
        await other.close();
        assert.deepEqual(applied.flat().sort(), isOld ? LATER : ['0001-baseline']);
        assert.deepEqual(await schemaGap(store), { missing: [], unknown: [] });
      });
    }
  });

  test(`an older store and a later one are refused as they are [${engine}]`, async () => {
    await withStore(engine, async (store, url) => {
      await makeOldStore(engine, url);
      await store.write((db) => sql`DELETE FROM migrations WHERE name = ${LAST_BEFORE}`.execute(db));
      const names = async () => (await sql`SELECT name FROM migrations ORDER BY name`.execute(store.reader)).rows;
      const before = await names();
      await assert.rejects(
        migrate(store),
        /is too old \(its last migration is 0086-sources-of-lines\): open it once with .* 0087-starting-versions/,
      );
      assert.deepEqual(await names(), before);
      await store.write((db) => sql`INSERT INTO migrations (name) VALUES (${LAST_BEFORE}), ('9999-later')`.execute(db));
      const later = await names();
      await assert.rejects(
        migrate(store),
        /^Error: a later version of Backroom has changed the schema of the store \(9999-later\): start that version/,
      );
      assert.deepEqual(await names(), later);
    });
  });
}
