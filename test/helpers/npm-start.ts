import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startProgram } from './programs.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** The owner's token of each shop that `npmStart` starts. */
export const NPM_START_TOKEN = 'owner-0123456789-0123456789-0123456789';

/** Runs what `npm start` runs, with this environment alone; it is killed when the test ends. `line` waits for a line of the output. */
export function npmStart(t: TestContext, env: Record<string, string>, wrapper: readonly string[] = [], options: readonly string[] = []) {
  const program = runProgram(env, ['ops/run.js', 'ops/start', ...options], wrapper);
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
  const command = [...wrapper, process.execPath, '--disable-warning=ExperimentalWarning', join(PROJECT, file), ...options];
  const program = startProgram(command, {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      HOST: '127.0.0.1',
      PORT: '0',
      BOOTSTRAP_ADMIN_TOKEN: NPM_START_TOKEN,
      ...env,
    },
  });
  program.child.stdin.end();
  return program;
}
