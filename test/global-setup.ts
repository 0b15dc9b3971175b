import { type Cluster, startCluster } from './helpers/postgres.ts';
import { CLUSTER_VARIABLE } from './helpers/stores.ts';

let cluster: Cluster | undefined;

/** One PostgreSQL for all files of tests: its start takes longer than most of them. */
export async function globalSetup(): Promise<void> {
  cluster = await startCluster();
  process.env[CLUSTER_VARIABLE] = cluster.url;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
}
