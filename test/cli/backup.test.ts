import assert from 'node:assert/strict';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { startApp, type TestApp } from '../helpers/app.ts';
import { proveBackup } from '../helpers/backup-under-load.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { findInstalledPostgres, startInstalledPostgres } from '../helpers/installed-postgres.ts';
import { engines } from '../helpers/stores.ts';

const { type, folder } = openCommandLine();
const OPTIONS = { timeout: 300_000 };
const WHAT = 'a backup under load, restored elsewhere, is the shop of one moment';
const installed = findInstalledPostgres();

test(`SQLite: ${WHAT}`, { ...OPTIONS, skip: !engines.includes('sqlite') }, async (t) => {
  const app = await startApp('sqlite');
  t.after(() => app.close());
  const restored = join(folder, 'restored');
  await proveBackup(app, {
    async backup() {
      const { code, stderr } = await type(['db', 'backup', 'copy.db'], { env: { DATABASE_URL: `sqlite:${app.databaseUrl}` } });
      assert.deepEqual([code, stderr], [0, '']);
    },
    async restore() {
      await mkdir(restored);
      await cp(join(folder, 'copy.db'), join(restored, 'backroom.db'));
      return openRestored(t, app, { dataDir: restored, databaseUrl: join(restored, 'backroom.db') });
    },
  });
});

test(`PostgreSQL: ${WHAT}`, {
  ...OPTIONS,
  skip: !engines.includes('postgres') || (installed === null && 'no PostgreSQL with pg_dump is installed'),
}, async (t) => {
  const cluster = await startInstalledPostgres(installed ?? '');
  t.after(() => cluster.stop());
  await createDatabases(cluster.url('postgres'), ['shop', 'restored']);
  const app = await startApp('postgres', { databaseUrl: cluster.url('shop') });
  t.after(() => app.close());
  await proveBackup(app, {
    backup: () => cluster.program('pg_dump', ['--format=custom', '--file=shop.dump', app.databaseUrl], folder),
    async restore() {
      const databaseUrl = cluster.url('restored');
      await cluster.program('pg_restore', [`--dbname=${databaseUrl}`, '--exit-on-error', 'shop.dump'], folder);
      const dataDir = join(folder, 'restored-files');
      await mkdir(dataDir);
      return openRestored(t, app, { dataDir, databaseUrl });
    },
  });
});

/** Adds the copy of the files, looks at the whole with `db check`, and starts it. */
async function openRestored(t: TestContext, app: TestApp, { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string }) {
  await cp(app.filesDir, join(dataDir, 'files'), { recursive: true, preserveTimestamps: true });
  const env = { DATA_DIR: dataDir, DATABASE_URL: app.engine === 'sqlite' ? `sqlite:${databaseUrl}` : databaseUrl };
  const checked = await type(['db', 'check'], { env });
  assert.deepEqual([checked.code, checked.stderr, checked.stdout.includes('WRONG')], [0, '', false], checked.stdout);
  const copy = await startApp(app.engine, { databaseUrl });
  t.after(() => copy.close());
  await rm(copy.filesDir, { recursive: true, force: true });
  await cp(join(dataDir, 'files'), copy.filesDir, { recursive: true });
  return copy;
}

async function createDatabases(url: string, names: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const name of names) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}
