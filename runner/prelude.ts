import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { operationTable } from '../contract/client.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles the guest's code into one script. The script's value is the function that a worker calls. Inside the bundle
 * `globalThis` is an object that inherits from the real one: core-js stores its data there, where scripts cannot reach it.
 */
export async function bundlePrelude(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'sandbox-lib/bootstrap.ts')],
    tsconfigRaw: {},
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'prelude',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'esnext',
    // core-js draws a random number while it loads. Math.random is replaced, so that the script's own sequence is not advanced.
    define: { globalThis: 'coreGlobal', 'Math.random': 'coreRandom', OPERATIONS: JSON.stringify(operationTable()) },
    banner: {
      js: '(function () {"use strict"; const realGlobal = globalThis, coreGlobal = Object.create(globalThis), coreRandom = () => 0.5;',
    },
    footer: { js: 'return prelude.enter; })()' },
    nodePaths: [join(ROOT, 'node_modules')],
    logLevel: 'silent',
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error('esbuild produced no file for the prelude');
  return bundle.text;
}

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
