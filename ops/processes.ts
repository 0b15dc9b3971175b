import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export type Part = 'server' | 'runner';

export type PartProcess = {
  pid: number;
  /** Resolves with the exit code, or null when a signal ended the process. */
  exited: Promise<number | null>;
  /** Sends the signal (default: SIGTERM) and waits until the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/**
 * `user`: the user as which the part runs; null: this process's own. `reads`: resolves with the text that the part gets on its standard
 * input, which is empty by default.
 */
export type PartOptions = { user?: PartUser | null | undefined; reads?: Promise<string> };

type Environment = Record<string, string | undefined>;

/** The user as which a part runs; this process must be root to use it. */
export type PartUser = {
  uid: number;
  /** Whether the part may start and end processes of other users; it has no other right of root. */
  mayBecomeOthers: boolean;
};

const RUN = fileURLToPath(new URL('./run.js', import.meta.url));

/**
 * How V8 and malloc keep the memory of each part small. A young generation is filled before it is collected, so a part at rest holds all of
 * it: by default 40 MiB more for a server after 150 runs. The default takes no less processor time for a run, and 7 % less for a read.
 * Threads share two pools of malloc.
 */
export const PART_FLAGS: Readonly<Record<Part, readonly string[]>> = {
  server: ['--max-semi-space-size=4'],
  runner: ['--max-semi-space-size=1'],
};
const PART_MALLOC = { MALLOC_ARENA_MAX: '2' };

/** The environment variables that a part inherits; none of them can be a secret. */
const inherited = Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]));

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts the server or a runner as a separate process; `onLine` is called with each line that it prints. */
export function startPart(
  part: Part,
  env: Environment,
  onLine: (line: string) => void,
  { user = null, reads = Promise.resolve('') }: PartOptions = {},
): PartProcess {
  const [program = '', ...args] = [
    ...(user === null ? [] : asUser(user)),
    ...[process.execPath, '--disable-warning=ExperimentalWarning', ...PART_FLAGS[part], RUN, `${part}/main`],
  ];
  const child = spawn(program, args, {
    env: { ...PART_MALLOC, ...inherited, ...env },
    stdio: 'pipe',
    // In a process group of its own a part gets no Ctrl-C; only the parent does, which then stops its parts in order.
    detached: true,
  });
  started.add(child);
  // A part that has ended reads nothing.
  child.stdin.on('error', () => undefined);
  void reads.then((text) => child.stdin.end(text));
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', onLine);
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      started.delete(child);
      resolve(code);
    });
    child.once('error', () => resolve(1));
  });
  return {
    pid: child.pid ?? 0,
    exited,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exited;
    },
  };
}

/** Runs a command of this folder, which needs the store, to its end. */
export async function runOpsCommand(
  name: string,
  args: readonly string[],
  env: Environment,
  user?: PartUser | null,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', RUN, `ops/${name}`, ...args];
  const [program = '', ...rest] = [...(user ? asUser(user) : []), ...command];
  const child = spawn(program, rest, { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  started.delete(child);
  return { code, stdout, stderr };
}

/** The capabilities by which the runner starts and ends workers as another user. */
const SWITCH_USER_CAPABILITIES = '+setuid,+setgid,+kill';

/** The command prefix that runs a command as this user. */
function asUser({ uid, mayBecomeOthers }: PartUser): string[] {
  const capabilities = mayBecomeOthers ? `-all,${SWITCH_USER_CAPABILITIES}` : '-all';
  const sets = ['bounding-set', 'inh-caps', 'ambient-caps'].map((set) => `--${set}=${capabilities}`);
  return ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', ...sets, '--'];
}

/** Starts a server and waits until it listens; its address is read from its log. */
export async function startListeningServer(
  env: Environment,
  onLine: (line: string) => void = () => undefined,
  user?: PartUser | null,
): Promise<PartProcess & { url: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const lastLines: string[] = [];
  const server = startPart(
    'server',
    { ...env, LOG_LEVEL: env['LOG_LEVEL'] ?? 'info' },
    (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      const match = /"url":"(http[^"]+)".*"msg":"listening"/.exec(line);
      if (match?.[1]) resolve(match[1]);
      onLine(line);
    },
    { user },
  );
  void server.exited.then((code) => reject(new Error(`the server ended with ${code} before it listened:\n${lastLines.join('\n')}`)));
  return { ...server, url: await promise };
}
