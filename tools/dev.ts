import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { choosePort, DEMO_ORDERS, fillDemoShop } from '../ops/demo-shop.ts';
import { type PartProcess, runOpsCommand, startListeningServer, startPart } from '../ops/processes.ts';
import { printReadable } from '../ops/readable-log.ts';
import { CommandError } from '../server/shop-data/command.ts';
import { watchFolders } from './watched-folders.ts';

/**
 * `npm run dev`: a shop with sample data for whoever works on the project. Server and runner start again when a source of theirs changes;
 * the console comes from Vite, which shows a change at once. DATA_DIR (default: data/dev) keeps the shop; delete it for a new one.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = fileURLToPath(new URL('./dev-console.ts', import.meta.url));

/** What starts again when something in these folders changes. Vite looks after the folder of the console by itself. */
const SOURCES: Readonly<Record<'server' | 'runner' | 'console', readonly string[]>> = {
  server: ['contract', 'server', 'sandbox-lib', 'tracing'],
  runner: ['contract', 'runner', 'sandbox-lib', 'tracing'],
  console: ['contract', 'sandbox-lib'],
};

type Stoppable = Pick<PartProcess, 'exited' | 'stop'>;
type Reloaded = { reload(): void; stop(): Promise<void> };

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const print = printReadable(process.stdout, Boolean(process.env['LOG_LEVEL']));
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  });
}

try {
  await develop();
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}

async function develop(): Promise<void> {
  const folder = process.env['DATA_DIR'] || join(ROOT, 'data/dev');
  const file = join(folder, 'backroom.db');
  const env = { ...process.env, DATA_DIR: folder, PORT: await choosePort(), RUNNER_TOKEN: randomBytes(32).toString('base64url') };
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    await fillDemoShop(file, process.stdout);
    say(`A shop with sample data is ready: ${DEMO_ORDERS} orders, in ${folder}. It is kept; delete the folder for a new one.`);
  }
  // The first owner is made at the first start, and signs in by the link below.
  const first = await startListeningServer({ ...env, BOOTSTRAP_ADMIN_TOKEN: `dev_${randomBytes(24).toString('base64url')}` }, print);
  const { url } = first;
  const serverEnv = { ...env, PORT: new URL(url).port };
  const runnerEnv = { SERVER_URL: url, RUNNER_TOKEN: env.RUNNER_TOKEN, LOG_LEVEL: process.env['LOG_LEVEL'] };
  const page = await startConsole(url);
  const { port } = new URL(page.url);
  const parts: Record<keyof typeof SOURCES, Reloaded> = {
    server: reloaded('server', first, () => startListeningServer(serverEnv, print)),
    runner: reloaded('runner', startPart('runner', runnerEnv, print), () => startPart('runner', runnerEnv, print)),
    console: reloaded('console', page, async () => startConsole(url, port)),
  };
  watchFolders(ROOT, [...new Set(Object.values(SOURCES).flat())], stop.signal, (changed) => {
    for (const [name, folders] of Object.entries(SOURCES)) {
      if (folders.some((one) => changed.has(one))) parts[name as keyof typeof SOURCES].reload();
    }
  });
  const link = await runOpsCommand('sign-in-link', ['--server', page.url.replace(/\/$/, ''), '--minutes', '60'], serverEnv);
  say(`\nOpen ${link.stdout.trim() || page.url}`);
  say(`This address signs in once, within an hour. The documentation is at ${url}/docs/. Ctrl-C ends.\n`);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  await parts.runner.stop();
  await Promise.all([parts.server.stop(), parts.console.stop()]);
}

/** Keeps one process of the part. One that ends by itself, for a fault in a source, waits for the next change. */
function reloaded(name: string, first: Stoppable, start: () => Stoppable | Promise<Stoppable>): Reloaded {
  let current = first;
  let isWanted = true;
  let turn: Promise<void> = Promise.resolve();
  const tellOfEnd = (part: Stoppable): void => {
    void part.exited.then((code) => {
      if (isWanted && current === part) say(`The ${name} ended (exit code ${code}). It starts again when one of its sources changes.`);
    });
  };
  const then = (step: () => Promise<void>): Promise<void> => {
    turn = turn.then(step);
    return turn;
  };
  tellOfEnd(first);
  return {
    reload: () => {
      void then(async () => {
        if (stop.signal.aborted) return;
        isWanted = false;
        await current.stop();
        try {
          current = await start();
        } catch {
          // What it printed tells why.
          return say(`The ${name} could not start. It is tried again when one of its sources changes.`);
        }
        isWanted = true;
        tellOfEnd(current);
        say(`The ${name} started again.`);
      });
    },
    stop: () => {
      isWanted = false;
      return then(() => current.stop());
    },
  };
}

/** Starts Vite and waits until it serves. */
async function startConsole(serverUrl: string, port?: string): Promise<Stoppable & { url: string }> {
  const options = ['--disable-warning=ExperimentalWarning', CONSOLE, '--server', serverUrl, ...(port ? ['--port', port] : [])];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  // Vite holds nothing that must be put in order, and its own end waits for open connections.
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('http')) resolve(line);
    else say(line);
  });
  void exited.then((code) => reject(new Error(`the console ended with ${code} before it was served`)));
  return {
    url: await promise,
    exited,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
