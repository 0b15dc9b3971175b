import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** The owner's token of each shop that `npmStart` starts. */
export const NPM_START_TOKEN = 'owner-0123456789-0123456789-0123456789';

/** Runs what `npm start` runs, with this environment alone; it is killed when the test ends. `line` waits for a line of the output. */
export function npmStart(t: TestContext, env: Record<string, string>, wrapper: readonly string[] = []) {
  const program = runProgram(env, ['ops/run.js', 'ops/start'], wrapper);
  t.after(() => program.child.kill('SIGKILL'));
  return program;
}

/** Runs what `npm run dev` runs, as `npmStart` does, and ends it in order. */
export function npmRunDev(t: TestContext, env: Record<string, string>) {
  const program = runProgram(env, ['tools/dev.ts']);
  t.after(async () => {
    program.child.kill('SIGINT');
    await program.exited;
  });
  return program;
}

function runProgram(env: Record<string, string>, [file = '', ...options]: readonly string[], wrapper: readonly string[] = []) {
  const [program = '', ...args] = [...wrapper, process.execPath, '--disable-warning=ExperimentalWarning', join(PROJECT, file), ...options];
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_ADMIN_TOKEN: NPM_START_TOKEN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const exited = once(child, 'exit').then(([code]) => code);
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const look of [...waiting]) look();
    });
  }
  const line = async (wanted: RegExp): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = (): void => {
      const found = lines.find((one) => wanted.test(one));
      if (found !== undefined) resolve(found);
    };
    waiting.add(look);
    look();
    const ended = exited.then((code) => {
      throw new Error(`${file} ended (${code}):\n${lines.join('\n')}`);
    });
    return Promise.race([promise, ended]);
  };
  return { child, exited, line, output: () => lines.join('\n') };
}
