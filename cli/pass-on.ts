import { fileURLToPath } from 'node:url';
import { runChild } from './run-child.js';

const root = new URL('../', import.meta.url);

/**
 * Runs a script of the project that needs the store or the sandbox, in this terminal and with these arguments; resolves with
 * its exit code.
 */
export async function passOn(script: string, args: readonly string[], nodeOptions: readonly string[] = []): Promise<number> {
  const file = fileURLToPath(new URL(script, root));
  return runChild(process.execPath, ['--disable-warning=ExperimentalWarning', ...nodeOptions, file, ...args]);
}
