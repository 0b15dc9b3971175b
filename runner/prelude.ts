import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrelude } from './bundling.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const CACHE = join(ROOT, 'node_modules/.cache/backroom');

/** Writes the bundle to a file and returns its path, which workers get as their first argument. */
export async function writePrelude(): Promise<string> {
  const text = await bundlePrelude();
  // The name contains a hash of the content, because a runner of another version may use the same cache.
  const path = join(CACHE, `prelude-${hash('sha256', text).slice(0, 16)}.js`);
  try {
    await writeWhole(path, text);
    return path;
  } catch {
    // The folder of the installation is not writable.
    const ownPath = join(await mkdtemp(join(tmpdir(), 'backroom-')), 'prelude.js');
    await writeWhole(ownPath, text);
    return ownPath;
  }
}

/** Replaces the file in one step, because another runner may be reading it. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  await writeFile(part, text);
  await rename(part, path);
}
