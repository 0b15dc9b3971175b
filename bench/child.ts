import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a file of this folder as a process of its own; it prints one line of JSON for each thing it has to say. */
export function startChild(file: string, args: readonly (string | number)[], flags: readonly string[] = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...flags, path, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next(): Promise<unknown> {
      const line = await lines.next();
      if (line.done) throw new Error(`${file} ended without an answer`);
      return JSON.parse(line.value);
    },
    /** Writes a line to its standard input. */
    ask: (line = '') => child.stdin.write(`${line}\n`),
    /** Closes its standard input: it is to tell what it found and end. */
    finish: () => child.stdin.end(),
    kill: () => child.kill(),
  };
}
