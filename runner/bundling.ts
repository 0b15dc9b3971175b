import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, stop } from 'esbuild';
import { operationTable } from '../contract/client.ts';
import { guestLimits } from './worker/limits.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The folder for what the runner makes once: images of workers and snapshots of the prelude. */
export const CACHE = join(ROOT, 'node_modules/.cache/backroom');
const COMMON = {
  tsconfigRaw: {},
  bundle: true,
  write: false,
  nodePaths: [join(ROOT, 'node_modules')],
  logLevel: 'silent',
} satisfies BuildOptions & { write: false };

/**
 * Bundles the guest's code into one script. The script's value is the function that a worker calls. Inside the bundle
 * `globalThis` is an object that inherits from the real one: core-js stores its data there, where scripts cannot reach it.
 */
export async function bundlePrelude(): Promise<string> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [join(ROOT, 'sandbox-lib/bootstrap.ts')],
    format: 'iife',
    globalName: 'prelude',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'esnext',
    // core-js draws a random number while it loads. Math.random is replaced, so that the script's own sequence is not advanced.
    define: {
      globalThis: 'coreGlobal',
      'Math.random': 'coreRandom',
      OPERATIONS: JSON.stringify(operationTable()),
      LIMITS: JSON.stringify(guestLimits),
    },
    banner: {
      js: '(function () {"use strict"; const realGlobal = globalThis, coreGlobal = Object.create(globalThis), coreRandom = () => 0.5;',
    },
    footer: { js: 'return prelude.enter; })()' },
  });
  return textOf(outputFiles, 'prelude');
}

/** Bundles a worker's code into one module; only isolated-vm stays outside. */
export async function bundleWorker(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [entry],
    format: 'esm',
    platform: 'node',
    external: ['isolated-vm'],
  });
  return textOf(outputFiles, "worker's code");
}

/** Ends esbuild's service process, which would keep running with this process's environment: it holds the runner's token. */
export async function stopBundling(): Promise<void> {
  await stop();
}

function textOf([file]: readonly { text: string }[], what: string): string {
  if (!file) throw new Error(`esbuild produced no file for the ${what}`);
  return file.text;
}
