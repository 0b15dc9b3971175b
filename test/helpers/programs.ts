import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that goes on while a test reads what it prints. */
export type RunningProgram = ReturnType<typeof startProgram>;

/** Runs behind it what follows, in a pseudo-terminal. */
export const IN_TERMINAL = ['sh', '-c', 'exec script --quiet --flush --return --command "$*" /dev/null', 'sh'];

/** Starts a program with this environment alone. `line` waits for a line of its output, and fails where the program ends before. */
export function startProgram(
  [program = '', ...args]: readonly string[],
  options: { env: Record<string, string>; cwd?: string; detached?: boolean },
) {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const exited = once(child, 'exit').then(([code]): number | null => code);
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
      throw new Error(`${[program, ...args].join(' ')} ended (${code}):\n${lines.join('\n')}`);
    });
    return Promise.race([promise, ended]);
  };
  return { child, exited, line, output: () => lines.join('\n') };
}
