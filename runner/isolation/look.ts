import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { asUser } from './launch.ts';
import { LAYERS, lookAt, type Seen } from './layers.ts';

const Look = z.record(z.enum(LAYERS), z.string().nullable());
const PROGRAM = fileURLToPath(new URL('./look-program.ts', import.meta.url));
const TIMEOUT_MS = 10_000;

/**
 * Inspects a worker. Where the worker runs as another user, /proc hides part of it from this process, so a process of the
 * worker's user does the inspection.
 */
export async function look(pid: number, user: number | null): Promise<Seen> {
  if (user === null || process.getuid?.() === 0) return lookAt(pid);
  const [program = '', ...args] = [...asUser(user), process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, String(pid)];
  const { stdout } = await promisify(execFile)(program, args, { env: {}, timeout: TIMEOUT_MS });
  return Look.parse(JSON.parse(stdout));
}
