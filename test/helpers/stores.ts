import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Engine } from '../../server/db/dialect.ts';
import { type Cluster, startCluster, storesFolder } from './postgres.ts';

/** The engines that tests run on; TEST_ENGINES, such as `sqlite`, names fewer of them. */
export const engines: readonly Engine[] = (['sqlite', 'postgres'] as const).filter(
  (engine) => process.env['TEST_ENGINES']?.split(',').includes(engine) ?? true,
);
if (engines.length === 0) throw new Error('TEST_ENGINES must name sqlite or postgres, or both with a comma between them');

export type TestDatabase = { url: string; drop(): Promise<void> };

/** The variable with the URL of the PostgreSQL that all test files share (test/global-setup.ts); without it, a file starts its own. */
export const CLUSTER_VARIABLE = 'BACKROOM_TEST_POSTGRES';
/** The variable with the path of an SQLite file that has the schema. Databases are made as copies of it, or of PostgreSQL's template. */
export const SCHEMA_VARIABLE = 'BACKROOM_TEST_SCHEMA';
export const SCHEMA_DATABASE = 'schema_of_the_tests';

let own: Promise<Cluster> | undefined;

/**
 * Makes a new database without any user's rows; `empty`: without the schema too; `copyOf`: with all that this database has, which nobody
 * uses meanwhile. Copying a database takes a sixth of the time that the migrations take. Call `stopPostgres` after the last test.
 */
export async function createDatabase(
  engine: Engine,
  { empty = false, copyOf }: { empty?: boolean; copyOf?: TestDatabase } = {},
): Promise<TestDatabase> {
  const schema = empty ? undefined : process.env[SCHEMA_VARIABLE];
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(storesFolder(), 'backroom-test-'));
    const url = join(folder, 'backroom.db');
    const model = copyOf?.url ?? schema;
    // A store that nobody has read leaves what was written in its log.
    for (const end of ['', '-wal']) if (model !== undefined && existsSync(model + end)) await copyFile(model + end, url + end);
    return { url, drop: () => rm(folder, { recursive: true, force: true }) };
  }
  const url = await clusterUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const model = copyOf?.url.split('/').at(-1) ?? (schema === undefined ? undefined : SCHEMA_DATABASE);
  // Connections that were closed may end a moment later, and a database in use is not copied.
  if (copyOf) await keeperCommand(url, `SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE datname = '${model}'`);
  // FILE_COPY takes PostgreSQL half the work of its default, which writes the copy to its log.
  await keeperCommand(url, `CREATE DATABASE ${name} ${model === undefined ? '' : `TEMPLATE ${model} STRATEGY FILE_COPY`}`);
  return { url: `${url}/${name}`, drop: () => keeperCommand(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

let keeper: pg.Pool | undefined;

/** One connection of this process makes and drops all its databases. It does not keep the process from ending. */
async function keeperCommand(url: string, text: string): Promise<void> {
  keeper ??= openKeeper(url);
  await keeper.query(text);
}

function openKeeper(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: `${url}/postgres`, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  return pool;
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

/** Stops the test file's own PostgreSQL, if it started one. */
export async function stopPostgres(): Promise<void> {
  const cluster = await own;
  own = undefined;
  if (!cluster) return;
  await keeper?.end();
  keeper = undefined;
  await cluster.stop();
}
