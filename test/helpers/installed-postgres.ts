import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';
import { storesFolder } from './postgres.ts';

const run = promisify(execFile);
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];
/** Where Debian, Red Hat and Homebrew put each version. */
const PLACES = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'];

/** A PostgreSQL that this machine has with its programs for backups: the one of the tests has none. */
export type InstalledPostgres = {
  /** A database `name` on a server of its own, which does its background work as anywhere. */
  url(name: string): string;
  /** Runs `pg_dump` or `pg_restore` in the folder. */
  program(name: 'pg_dump' | 'pg_restore', args: readonly string[], folder: string): Promise<void>;
  stop(): Promise<void>;
};

/** The folder with the programs of the newest version; null if there is none with all of them. */
export function findInstalledPostgres(): string | null {
  const folders = PLACES.flatMap((place) => (existsSync(place) ? readdirSync(place).map((name) => join(place, name, 'bin')) : []));
  const complete = folders.filter((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))));
  return complete.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0] ?? null;
}

export async function startInstalledPostgres(bin: string): Promise<InstalledPostgres> {
  const port = await freePort();
  const folder = mkdtempSync(join(storesFolder(), 'backroom-pg-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = await userOf(process.getuid?.() ?? 0);
  chownSync(data, user.uid, user.gid);
  const server = { ...user, cwd: folder };
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--locale=C', '--encoding=UTF8', '--no-sync'], server);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`, 'fsync=off'];
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...server,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface(child.stderr).on('line', (line) => {
    said.push(line);
    if (line.includes('ready to accept connections')) ready.resolve();
  });
  const ended = once(child, 'exit').then(() => ready.reject(new Error(`PostgreSQL did not start: ${said.join('\n')}`)));
  await ready.promise;
  return {
    url: (name) => `postgres://postgres@127.0.0.1:${port}/${name}`,
    program: async (name, args, cwd) => void (await run(join(bin, name), args, { cwd })),
    async stop() {
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root, so root lends it the user that its package has made. */
async function userOf(own: number): Promise<{ uid: number; gid: number }> {
  if (own !== 0) return { uid: own, gid: process.getgid?.() ?? own };
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (which) => Number((await run('id', [which, 'postgres'])).stdout)));
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres');
  return { uid, gid };
}
