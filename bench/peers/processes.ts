import { spawn } from 'node:child_process';

const endings = new Set<() => void>();
process.on('exit', () => {
  for (const end of endings) end();
});

/** Calls `end` when this process ends in whatever way but by SIGKILL; returns what takes that back. */
export function atExit(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}

/** Sends a signal to a process, or to a group of them if the number is negative, unless it has ended. */
export function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

export type Program = { stop(): Promise<void> };
type Place = { cwd: string; env?: Record<string, string> };

/**
 * Starts a program in a process group of its own, waits until it has printed `ready`, and ends the whole group when this process ends. The
 * environment is only PATH, HOME and what `env` has.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { ready, ...place }: Place & { ready: RegExp },
): Promise<Program> {
  const { child, closed, told } = open(command, args, place);
  const { promise: isReady, resolve } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) stream.on('data', () => ready.test(told()) && resolve());
  await Promise.race([isReady, closed.then((code) => Promise.reject(failure(command, args, code, told())))]);
  return {
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** The same for a program that ends by itself. */
export async function runProgram(command: string, args: readonly string[], place: Place): Promise<void> {
  const { closed, told } = open(command, args, place);
  const code = await closed;
  if (code !== 0) throw failure(command, args, code, told());
}

function open(command: string, args: readonly string[], { cwd, env = {} }: Place) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const { pid } = child;
  const isOver = pid === undefined ? () => undefined : atExit(() => endProcess(-pid, 'SIGKILL'));
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (told = `${told}${chunk}`.slice(-4000)));
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      isOver();
      resolve(code);
    });
  });
  return { child, closed, told: () => told };
}

function failure(command: string, args: readonly string[], code: number | null, told: string): Error {
  return new Error(`${[command, ...args].join(' ')} ended with ${code}: ${told.trim().split('\n').slice(-3).join(' ')}`);
}
