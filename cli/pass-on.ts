import { fileURLToPath } from 'node:url';
import { runChild } from './run-child.js';

const RUN = fileURLToPath(new URL('../ops/run.js', import.meta.url));

/**
 * Runs a script of the project that needs the store or the sandbox, in this terminal and with these arguments; resolves with
 * its exit code.
 */
export async function passOn(script: string, args: readonly string[], nodeOptions: readonly string[] = []): Promise<number> {
  return runChild(process.execPath, ['--disable-warning=ExperimentalWarning', ...nodeOptions, RUN, script.replace(/\.ts$/, ''), ...args]);
}
