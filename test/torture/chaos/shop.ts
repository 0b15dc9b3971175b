import { globSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../../server/db/dialect.ts';
import { openStore, type Store } from '../../../server/db/open.ts';
import { seededNumbers } from '../../../server/values/seeded-numbers.ts';
import { COMPILED } from '../../helpers/compiled.ts';
import { freePort } from '../../helpers/ports.ts';
import { type Cluster, startCluster } from '../../helpers/postgres.ts';
import { type Disk, mountDisk } from './disk.ts';
import { type Family, openFamily } from './family.ts';
import { type Link, openLink } from './link.ts';
import { createMachine, type Machine } from './machine.ts';

export const OWNER_TOKEN = 'Token-of-the-chaos-command-0123456789abcdef';
const RUNNER_TOKEN = 'Runner-token-of-the-chaos-command-0123456789';
const FAMILY_MS = 250;

export type ShopOptions = { engine: Engine; servers: number; runners: number; leaseSeconds: number; seed: number };

/** A real shop whose parts are processes of their own, with links between them that can be disturbed. */
export type Shop = {
  engine: Engine;
  /** The folder with everything: logs, data, the clocks' files. */
  folder: string;
  dataDir: string;
  /** What cannot be done on this machine, with the reason. */
  cannot: ReadonlyMap<string, string>;
  servers: readonly Machine[];
  runners: readonly Machine[];
  /** By the name of the target in the plan. */
  links: ReadonlyMap<string, Link>;
  cluster: Cluster | null;
  disk: Disk | null;
  /** The address that clients use. */
  url: string;
  /** The shop's tables, read without a server and its links. */
  store: Store;
  family: Family;
  /** Ends what is still there. `keep`: the folder stays, with the data. */
  close(options: { keep: boolean }): Promise<void>;
};

/** Starts a shop in a new folder. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-chaos-'));
  // PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const disk = await mountDisk(dataDir);
  let cluster: Cluster | null = null;
  try {
    if (options.engine === 'postgres') cluster = await startCluster({ parent: folder, survivesCrash: true, ownSignals: true });
    return await startParts(options, { folder, dataDir, disk, cluster });
  } catch (error) {
    await cluster?.stop();
    await disk?.unmount();
    throw error;
  }
}

type Places = Pick<Shop, 'folder' | 'dataDir' | 'disk' | 'cluster'>;

async function startParts({ engine, servers, runners, leaseSeconds, seed }: ShopOptions, places: Places): Promise<Shop> {
  const { folder, dataDir, disk, cluster } = places;
  const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];
  const cannot = new Map<string, string>();
  if (disk === null) cannot.set('full_disk', 'this user may not mount a disk');
  if (library === undefined) cannot.set('step_clock', 'libfaketime is not installed (Debian: libfaketime)');
  await mkdir(join(folder, 'logs'));
  await mkdir(join(folder, 'clocks'));
  const chance = seededNumbers(seed + 1);
  const databaseLink = cluster && (await openLink([cluster.port], chance));
  const urlAt = (port: number): string => `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
  const fileUrl = join(dataDir, 'backroom.db');

  const machineOf = (part: 'server' | 'runner', n: number, env: Record<string, string>): Promise<Machine> => {
    const name = `${part} ${n}`;
    const file = `${part}-${n}`;
    return createMachine({
      part,
      name,
      env: { ...env, NODE_COMPILE_CACHE: COMPILED, LOG_LEVEL: 'info' },
      log: join(folder, 'logs', `${file}.log`),
      clock: library === undefined ? null : { library, file: join(folder, 'clocks', file) },
    });
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
  const ports: number[] = [];
  for (const _ of numbers(servers)) ports.push(await freePort());
  const serverMachines = await Promise.all(
    ports.map((port, n) =>
      machineOf('server', n + 1, {
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseLink ? urlAt(databaseLink.port) : `sqlite:${fileUrl}`,
        BOOTSTRAP_ADMIN_TOKEN: OWNER_TOKEN,
        RUNNER_TOKEN,
        LEASE_SECONDS: String(leaseSeconds),
        CLAIM_CONFIRM_SECONDS: '2',
        DATABASE_POOL: '6',
        RATE_LIMIT: '0',
      }),
    ),
  );
  const [clients, toRunners] = [await openLink(ports, chance), await openLink(ports, chance)];
  const runnerMachines = await Promise.all(
    numbers(runners).map((n) =>
      machineOf('runner', n, {
        SERVER_URL: `http://127.0.0.1:${toRunners.port}`,
        RUNNER_TOKEN,
        RUNNER_NAME: `runner-${n}`,
        RUNNER_SLOTS: '2',
      }),
    ),
  );
  const links = new Map<string, Link>([
    ['clients', clients],
    ['runners', toRunners],
    ...(databaseLink ? ([['database link', databaseLink]] as const) : []),
  ]);
  const machines = [...serverMachines, ...runnerMachines];
  const family = openFamily();
  const watch = setInterval(() => family.look(machines.flatMap((machine) => machine.pid() ?? [])), FAMILY_MS);
  // The first server makes the tables; the others would wait for it.
  try {
    for (const machine of machines) await machine.start();
  } catch (error) {
    clearInterval(watch);
    await Promise.all(machines.map((machine) => machine.stop('SIGKILL')));
    throw error;
  }
  const store = openStore({ url: cluster ? urlAt(cluster.port) : fileUrl, poolSize: 3 });

  return {
    ...places,
    ...{ engine, cannot, links, family, store },
    servers: serverMachines,
    runners: runnerMachines,
    url: `http://127.0.0.1:${clients.port}`,
    async close({ keep }) {
      clearInterval(watch);
      await Promise.all(machines.map((machine) => machine.stop('SIGKILL')));
      for (const link of links.values()) await link.close();
      await store.close();
      await cluster?.stop({ keep });
      if (disk) {
        const copy = join(folder, 'data-copy');
        if (keep) await cp(dataDir, copy, { recursive: true });
        await disk.unmount();
        if (keep) await rename(copy, dataDir);
      }
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}
