import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from './helpers/postgres.ts';
import { CLUSTER_VARIABLE } from './helpers/stores.ts';

let cluster: Cluster | undefined;
let codeCache: string | undefined;

/**
 * What all files of tests share: one PostgreSQL, whose start takes longer than most of them, and Node's cache of
 * compiled code, for hundreds of processes start in all.
 */
export async function globalSetup(): Promise<void> {
  cluster = await startCluster();
  codeCache = await mkdtemp(join(tmpdir(), 'backroom-code-'));
  process.env[CLUSTER_VARIABLE] = cluster.url;
  process.env['NODE_COMPILE_CACHE'] = codeCache;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
  if (codeCache !== undefined) await rm(codeCache, { recursive: true, force: true });
}
