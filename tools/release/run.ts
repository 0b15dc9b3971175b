import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './shipped.ts';

/** A command failed; `output` is what it wrote, without its beginning where that is long. */
export class CommandFailed extends Error {
  readonly output: string;
  constructor(command: string, output: string) {
    super(`${command} failed`);
    this.output = output;
  }
}

const SHOWN = 8000;

/** Runs a command in the project, or in `cwd`, to its end; resolves with what it wrote to its standard output. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd = ROOT, env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, all] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    all += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new CommandFailed([command, ...args].join(' '), all.slice(-SHOWN));
  return said;
}
