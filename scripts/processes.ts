import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Part = 'server' | 'runner';

export type PartProcess = {
  pid: number;
  /** Resolves with the exit code, or null where a signal ended it. */
  exited: Promise<number | null>;
  /** Asks it to end (SIGTERM unless said otherwise) and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

type Environment = Record<string, string | undefined>;

/** The user that a part runs as, where this process is root. */
export type PartUser = {
  uid: number;
  /** Whether it may start processes as other users, and end them: nothing else that root may. */
  mayBecomeOthers: boolean;
};

const files: Record<Part, string> = {
  server: fileURLToPath(new URL('../server/main.ts', import.meta.url)),
  runner: fileURLToPath(new URL('../runner/main.ts', import.meta.url)),
};

/** What a part keeps of the environment: nothing that could be a secret. */
const inherited = Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]));

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts the server or a runner as a process of its own; `onLine` gets what it prints. */
export function startPart(part: Part, env: Environment, onLine: (line: string) => void, user: PartUser | null = null): PartProcess {
  const [program = '', ...args] = [
    ...(user === null ? [] : asUser(user)),
    ...[process.execPath, '--disable-warning=ExperimentalWarning', files[part]],
  ];
  const child = spawn(program, args, {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to the parent alone, which stops its parts in order.
    detached: true,
  });
  started.add(child);
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

const WORKERS_USERS = '+setuid,+setgid,+kill';

/** The command that makes the one after it that user's. */
function asUser({ uid, mayBecomeOthers }: PartUser): string[] {
  const capabilities = mayBecomeOthers ? `-all,${WORKERS_USERS}` : '-all';
  const sets = ['bounding-set', 'inh-caps', 'ambient-caps'].map((set) => `--${set}=${capabilities}`);
  return ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', ...sets, '--'];
}

/** Starts a server and waits until it listens; its address is in its own log. */
export async function startListeningServer(
  env: Environment,
  onLine: (line: string) => void = () => undefined,
  user: PartUser | null = null,
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
    user,
  );
  void server.exited.then((code) => reject(new Error(`the server ended with ${code} before it listened:\n${lastLines.join('\n')}`)));
  return { ...server, url: await promise };
}
