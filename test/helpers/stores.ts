import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Engine } from '../../server/db/dialect.ts';
import { type Cluster, startCluster, storesFolder } from './postgres.ts';

export const engines: readonly Engine[] = ['sqlite', 'postgres'];

export type TestDatabase = { url: string; drop(): Promise<void> };

/** Names the PostgreSQL that all files of tests share (test/global-setup.ts); a file that runs alone starts one. */
export const CLUSTER_VARIABLE = 'BACKROOM_TEST_POSTGRES';
/** Names the file of SQLite, beside the PostgreSQL above, that has the schema already; databases are made as its copies. */
export const SCHEMA_VARIABLE = 'BACKROOM_TEST_SCHEMA';
export const SCHEMA_DATABASE = 'schema_of_the_tests';

let own: Promise<Cluster> | undefined;

/**
 * A database of its own without any row of a user; `empty`: without the schema too. A copy is made in a sixth of the time
 * that the migrations take. Call `stopPostgres` after the last test.
 */
export async function createDatabase(engine: Engine, { empty = false } = {}): Promise<TestDatabase> {
  const schema = empty ? undefined : process.env[SCHEMA_VARIABLE];
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(storesFolder(), 'backroom-test-'));
    const url = join(folder, 'backroom.db');
    if (schema !== undefined) await copyFile(schema, url);
    return { url, drop: () => rm(folder, { recursive: true, force: true }) };
  }
  const url = await clusterUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // To copy the files takes PostgreSQL half the work of a copy by way of its log.
  await command(url, `CREATE DATABASE ${name} ${schema === undefined ? '' : `TEMPLATE ${SCHEMA_DATABASE} STRATEGY FILE_COPY`}`);
  return { url: `${url}/${name}`, drop: () => command(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function clusterUrl(): Promise<string> {
  const shared = process.env[CLUSTER_VARIABLE];
  if (shared !== undefined) return shared;
  own ??= startCluster();
  return (await own).url;
}

export async function command(url: string, text: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/${database}` });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Ends the file's own PostgreSQL, where it has one. */
export async function stopPostgres(): Promise<void> {
  const cluster = await own;
  own = undefined;
  await cluster?.stop();
}
