import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Engine } from '../../server/db/dialect.ts';
import { type Cluster, startCluster } from './postgres.ts';

export const engines: readonly Engine[] = ['sqlite', 'postgres'];

export type TestDatabase = { url: string; drop(): Promise<void> };

/** Names the PostgreSQL that all files of tests share (test/global-setup.ts); a file that runs alone starts one. */
export const CLUSTER_VARIABLE = 'BACKROOM_TEST_POSTGRES';

let own: Promise<Cluster> | undefined;

/** An empty database of its own. Call `stopPostgres` after the last test. */
export async function createDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'backroom-test-'));
    return { url: join(folder, 'backroom.db'), drop: () => rm(folder, { recursive: true, force: true }) };
  }
  const url = await clusterUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await command(url, `CREATE DATABASE ${name}`);
  return { url: `${url}/${name}`, drop: () => command(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function clusterUrl(): Promise<string> {
  const shared = process.env[CLUSTER_VARIABLE];
  if (shared !== undefined) return shared;
  own ??= startCluster();
  return (await own).url;
}

async function command(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
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
