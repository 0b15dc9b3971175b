import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/**
 * Runs a script of the project that needs the store or the sandbox, in this terminal and with these arguments; resolves with
 * its exit code.
 */
export async function passOn(script: string, args: readonly string[], nodeOptions: readonly string[] = []): Promise<number> {
  const file = fileURLToPath(new URL(script, root));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...nodeOptions, file, ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes. This one ignores it, because only the child knows how to end.
  const ignore = (): void => undefined;
  const forward = (): void => void child.kill('SIGTERM');
  process.on('SIGINT', ignore).on('SIGTERM', forward);
  try {
    const [code, signal]: [number | null, NodeJS.Signals | null] = await exitOf(child);
    return code ?? 128 + (signal ? constants.signals[signal] : 0);
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward);
  }
}

async function exitOf(child: ReturnType<typeof spawn>): Promise<[number | null, NodeJS.Signals | null]> {
  await once(child, 'exit');
  return [child.exitCode, child.signalCode];
}
