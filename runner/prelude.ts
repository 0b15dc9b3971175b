import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { access, mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrelude, CACHE } from './bundling.ts';
import { NODE_FLAGS } from './isolation/launch.ts';

const MAKER = fileURLToPath(new URL('./worker/make-snapshot.ts', import.meta.url));
const SNAPSHOT_MAX_BYTES = 64 * 1024 * 1024;

/** Makes the file of the prelude's snapshot where it is missing, and returns its path, which workers get as their first argument. */
export async function preludeFile(): Promise<string> {
  const source = await bundlePrelude();
  const path = join(CACHE, snapshotName(source));
  if (await exists(path)) return path;
  const bytes = await snapshotOf(source);
  try {
    await writeWhole(path, bytes);
    return path;
  } catch {
    // The folder of the installation is not writable.
    const folder = await mkdtemp(join(tmpdir(), 'backroom-prelude-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const ownPath = join(folder, 'prelude.snapshot');
    await writeWhole(ownPath, bytes);
    return ownPath;
  }
}

/** The name of the snapshot's file. Runners of other versions may use the same cache, and a snapshot fits one build of Node only. */
export function snapshotName(source: string): string {
  const of = hash('sha256', JSON.stringify([source, process.version, process.arch, NODE_FLAGS])).slice(0, 16);
  return `prelude-${of}.snapshot`;
}

/** Makes the snapshot in a process of its own, which has the flags of a worker. */
export function snapshotOf(source: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer', maxBuffer: SNAPSHOT_MAX_BYTES, env: { TZ: 'UTC' } } as const;
    const child = execFile(process.execPath, [...NODE_FLAGS, MAKER], options, (error, bytes, stderr) => {
      if (error) reject(new Error(`the snapshot of the prelude could not be made: ${stderr.toString('latin1').slice(0, 2000)}`));
      else resolve(bytes);
    });
    child.stdin?.on('error', () => {}).end(source);
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Replaces the file in one step, because another runner may be reading it. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  await writeFile(part, bytes);
  await rename(part, path);
}
