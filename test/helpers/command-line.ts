import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

/** What `npx backroom` starts: the build where there is one of the present sources. */
const MAIN = fileURLToPath(new URL('../../cli/backroom.js', import.meta.url));

export type Typed = { code: number | null; stdout: string; stderr: string };
type Options = {
  env?: Record<string, string>;
  input?: string;
  /** Called after each output, with all output so far. */
  onOutput?: (typed: Typed, child: ChildProcess) => void;
};
export type CommandLine = {
  /** The folder in which the commands run. */
  folder: string;
  /** The folder of the login (XDG_CONFIG_HOME). */
  config: string;
  /** Runs `backroom …` and waits for its end. `env` is added to an almost empty environment; `input` goes to the standard input. */
  type(args: readonly string[], options?: Options): Promise<Typed>;
};

/** A command line with a folder and a home directory of its own, which are removed after the file's tests. */
export function openCommandLine(env: Record<string, string> = {}): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'backroom-cli-'));
  after(() => rm(home, { recursive: true, force: true }));
  const config = join(home, 'config');
  return {
    folder: home,
    config,
    async type(args, { env: more = {}, input = '', onOutput } = {}) {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
        cwd: home,
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          HOME: home,
          XDG_CONFIG_HOME: config,
          ...env,
          ...more,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const typed: Typed = { code: null, stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].on('data', (chunk: Buffer) => {
          typed[name] += chunk.toString();
          onOutput?.(typed, child);
        });
      }
      child.stdin.end(input);
      await once(child, 'close');
      return { ...typed, code: child.exitCode };
    },
  };
}
