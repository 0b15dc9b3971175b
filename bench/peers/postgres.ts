import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../test/helpers/ports.ts';
import { loadPostgres } from '../../test/helpers/postgres.ts';
import { atExit, endProcess } from './processes.ts';

/** Returns a function that makes an empty database, except for the table of lines, and returns its address; its first call starts the server. */
export function lendPostgres(parent: string): (database: string) => Promise<string> {
  let started: ReturnType<typeof start> | undefined;
  return async (database) => {
    started ??= start(parent);
    const { server, urlOf } = await started;
    await server.createDatabase(database);
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    await client.query('CREATE TABLE bench_lines (id bigserial PRIMARY KEY, text text NOT NULL, at timestamptz NOT NULL DEFAULT now())');
    await client.end();
    return urlOf(database);
  };
}

/** A PostgreSQL with its own settings, so one that keeps what was committed through a power cut. It lives as long as this process. */
async function start(parent: string) {
  const port = await freePort();
  const folder = await mkdtemp(join(parent, 'postgres-'));
  // PostgreSQL runs as another user where this process is root.
  for (const path of [parent, folder]) await chmod(path, 0o755);
  const databaseDir = join(folder, 'data');
  const EmbeddedPostgres = await loadPostgres({ ownSignals: true });
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'secret',
    port,
    persistent: true,
    createPostgresUser: true,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${databaseDir}`],
    onLog: () => undefined,
    onError: () => undefined,
  });
  const pidFile = join(databaseDir, 'postmaster.pid');
  atExit(() => {
    if (existsSync(pidFile)) endProcess(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT');
  });
  await server.initialise();
  await server.start();
  return { server, urlOf: (database: string): string => `postgres://postgres:secret@127.0.0.1:${port}/${database}` };
}
