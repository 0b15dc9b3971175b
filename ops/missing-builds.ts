import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runChild } from '../cli/run-child.js';
import { builtFolder } from './built-app.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const vite = at('../node_modules/vite/bin/vite.js');

/** Builds the server and the runner where their present sources were not built yet. Without the build their sources run, more slowly. */
export async function buildMissingApp(say: (line: string) => void): Promise<void> {
  if (builtFolder() !== null) return;
  say('Preparing the server and the runner, once …');
  if ((await buildApp()) !== 0) say('They could not be prepared; why is above. They run from their sources.');
}

/** Builds the server and the runner, as `npm run build:app` does, and resolves with the exit code. */
export function buildApp(): Promise<number> {
  return runChild(process.execPath, ['--disable-warning=ExperimentalWarning', at('../tools/build-app.ts')]);
}

/** Builds the console where it was not built yet, so that `npm ci && npm start` has it. Without it the API works all the same. */
export async function buildMissingConsole(say: (line: string) => void): Promise<void> {
  if (existsSync(at('../dist/console/index.html'))) return;
  if (!existsSync(vite)) return say('The console is not built, and its build tool is not installed: there is no web page at /.');
  say('Building the console, once …');
  if ((await buildConsole()) !== 0) say('The console could not be built; why is above. There is no web page at /.');
}

/** Builds the console, as `npm run build:console` does, and resolves with the exit code of its build tool. */
export function buildConsole(): Promise<number> {
  const options = ['build', '--config', at('../console/vite.config.ts'), '--configLoader', 'native', '--logLevel', 'error'];
  return runChild(process.execPath, ['--disable-warning=ExperimentalWarning', vite, ...options]);
}

const docsBuilder = at('../tools/build-docs.ts');

/** Builds the documentation, as `npm run build:docs` does, and resolves with the exit code. */
export function buildDocs(options: readonly string[] = []): Promise<number> {
  return runChild(process.execPath, ['--disable-warning=ExperimentalWarning', docsBuilder, ...options]);
}

/**
 * Builds the documentation where it was not built yet, for somebody who sits before a terminal: beside the shop that already runs, with what
 * it leaves of the processor, and without a word. Until then `/docs/` says how it is built.
 */
export function buildMissingDocsBeside(until: AbortSignal): void {
  const isBuilt = existsSync(at('../dist/docs/index.html.gz'));
  if (isBuilt || !existsSync(docsBuilder) || !existsSync(vite) || process.stdout.isTTY !== true || process.env['CI']) return;
  // None of the shop's settings: the build makes examples with a shop of its own.
  const env = Object.fromEntries(['PATH', 'HOME', 'TMPDIR'].map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', docsBuilder], { env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  if (child.pid === undefined) return;
  const { pid } = child;
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  until.addEventListener('abort', end, { once: true });
  child.once('exit', () => process.off('exit', end));
  child.unref();
  try {
    setPriority(pid, 19);
  } catch {
    // It has ended already.
  }
}
