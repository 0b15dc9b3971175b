import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a file of this folder as a child process, which prints each of its results as one line of JSON. */
export function startChild(file: string, args: readonly (string | number)[], flags: readonly string[] = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...flags, path, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.add(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      started.delete(child);
      resolve();
    });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next(): Promise<unknown> {
      const line = await lines.next();
      if (line.done) throw new Error(`${file} ended without an answer`);
      return JSON.parse(line.value);
    },
    /** Writes a line to the child's standard input. */
    ask: (line = '') => child.stdin.write(`${line}\n`),
    /** Closes the child's standard input, after which it prints its result and ends. */
    finish: () => child.stdin.end(),
    kill: () => child.kill(),
    ended,
  };
}
