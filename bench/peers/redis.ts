import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/helpers/ports.ts';
import { startProgram } from './processes.ts';

/** Starts a Redis that lives as long as this process, and returns its port. It writes each change to its file and syncs it each second, as BullMQ's documentation recommends. */
export async function startRedis(parent: string): Promise<number> {
  const port = await freePort();
  const dir = await mkdtemp(join(parent, 'redis-'));
  const settings = { port, bind: '127.0.0.1', dir, appendonly: 'yes', appendfsync: 'everysec', save: '', 'maxmemory-policy': 'noeviction' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  await startProgram('redis-server', args, { cwd: dir, ready: /Ready to accept connections/ });
  return port;
}
