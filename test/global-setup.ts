import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../server/db/migrate.ts';
import { openStore } from '../server/db/open.ts';
import { COMPILED } from './helpers/compiled.ts';
import { DOCUMENT_VARIABLE, writeDocument } from './helpers/document-check.ts';
import { type Cluster, startCluster, storesFolder } from './helpers/postgres.ts';
import { CLUSTER_VARIABLE, command, SCHEMA_DATABASE, SCHEMA_VARIABLE } from './helpers/stores.ts';

let cluster: Cluster | undefined;
let folder: string | undefined;

/**
 * What all files of tests share: one PostgreSQL, whose start takes longer than most of them, a database of each engine
 * with the schema, to be copied, the document, and Node's cache of compiled code, for hundreds of processes start in all. The cache
 * stays for the next tests: Node takes from it only what was compiled of the same source by the same version.
 * Tests that a test starts use what is there already.
 */
export async function globalSetup(): Promise<void> {
  if (process.env[CLUSTER_VARIABLE] !== undefined) return;
  cluster = await startCluster();
  folder = await mkdtemp(join(storesFolder(), 'backroom-tests-'));
  const file = join(folder, 'schema.db');
  await command(cluster.url, `CREATE DATABASE ${SCHEMA_DATABASE}`);
  for (const url of [file, `${cluster.url}/${SCHEMA_DATABASE}`]) {
    const store = openStore({ url, poolSize: 2 });
    await migrate(store);
    await store.close();
  }
  // PostgreSQL keeps what a first connection finds out of a schema in a file, which copies have as well.
  await command(cluster.url, 'SELECT 1', SCHEMA_DATABASE);
  process.env[CLUSTER_VARIABLE] = cluster.url;
  process.env[SCHEMA_VARIABLE] = file;
  const document = join(folder, 'openapi.json');
  await writeFile(document, writeDocument());
  process.env[DOCUMENT_VARIABLE] = document;
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
