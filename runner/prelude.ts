import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { operationTable } from '../contract/client.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The guest's code as one script whose value is the function that a worker calls. `globalThis` inside the bundle
 * is an object that inherits from the real one: core-js keeps its store there, out of reach of scripts.
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
    // core-js draws a number when it is set up, which must not move the script's own sequence.
    define: { globalThis: 'coreGlobal', 'Math.random': 'coreRandom', OPERATIONS: JSON.stringify(operationTable()) },
    banner: {
      js: '(function () {"use strict"; const realGlobal = globalThis, coreGlobal = Object.create(globalThis), coreRandom = () => 0.5;',
    },
    footer: { js: 'return prelude.enter; })()' },
    nodePaths: [join(ROOT, 'node_modules')],
    logLevel: 'silent',
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error('the prelude came out empty');
  return bundle.text;
}

const CACHE = join(ROOT, 'node_modules/.cache/backroom');

/** Writes the bundle for workers to read; they get the path as their first argument. */
export async function writePrelude(): Promise<string> {
  const text = await bundlePrelude();
  // Named by what is in it: a runner of another version may have the same cache.
  const path = join(CACHE, `prelude-${hash('sha256', text).slice(0, 16)}.js`);
  try {
    await writeWhole(path, text);
    return path;
  } catch {
    // An installation that may not be written to.
    const ownPath = join(await mkdtemp(join(tmpdir(), 'backroom-')), 'prelude.js');
    await writeWhole(ownPath, text);
    return ownPath;
  }
}

/** In one step: another runner may be reading the file. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  await writeFile(part, text);
  await rename(part, path);
}
