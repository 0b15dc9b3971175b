import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/**
 * Runs a program in this terminal and gives its exit code, which is 128 + n where signal n ended it. This file is JavaScript
 * because backroom.js imports it on versions of Node.js that run no TypeScript.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export async function runChild(program, args, options = {}) {
  const child = spawn(program, args, { ...options, stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes, and the child decides how to end; SIGTERM comes to this process alone.
  const ignore = () => undefined;
  const forward = () => void child.kill('SIGTERM');
  process.on('SIGINT', ignore).on('SIGTERM', forward);
  try {
    await once(child, 'exit');
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward);
  }
  return child.exitCode ?? 128 + (child.signalCode === null ? 0 : constants.signals[child.signalCode]);
}
