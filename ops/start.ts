import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RUNNER_VARIABLES } from '../runner/variables.ts';
import { buildMissingApp, buildMissingConsole, buildMissingDocsBeside } from './missing-builds.ts';
import { openBrowser } from './open-browser.ts';
import { type PartProcess, type PartUser, runOpsCommand, startListeningServer, startPart } from './processes.ts';
import { logFormatOf, printReadable } from './readable-log.ts';
import { readUsers, restrictFolderTo } from './users.ts';

/** `backroom start`: starts the server and one runner and restarts each when it dies. `--open` opens the console in the browser. Ctrl-C, SIGTERM or the end of the terminal stops the runner first. */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
const STABLE_MS = 30_000;
/** The exit code of a runner that cannot start on this machine; it would not start by being tried again (runner/main.ts). */
const CANNOT_START_HERE = 2;

const { open } = readOptions();
const env: NodeJS.ProcessEnv = { ...process.env, RUNNER_TOKEN: process.env['RUNNER_TOKEN'] || randomBytes(32).toString('base64url') };
/** The runner gets only the variables that it reads, so that it holds none of the server's secrets. */
const runnerEnv = Object.fromEntries(RUNNER_VARIABLES.map((name) => [name, env[name]]));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const logFormat = logFormatOf(env['LOG_FORMAT'], process.stdout);
if (typeof logFormat === 'object') {
  process.stderr.write(`${logFormat.problem}\n`);
  process.exit(1);
}
/** Prints a line of the server or the runner. */
const print = logFormat === 'json' ? say : printReadable(process.stdout, Boolean(env['LOG_LEVEL']));
const stop = new AbortController();
const { signal } = stop;
// A terminal that is closed takes no more lines; the shop still stops in order.
process.stdout.on('error', () => undefined);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (signal.aborted) process.exit(1);
    stop.abort();
  });
}

const users = readUsers(env['START_USERS']);
if (users !== null && 'problem' in users) {
  process.stderr.write(`${users.problem}\n`);
  process.exit(1);
}
if (users !== null) restrictFolderTo(users.server, env['DATA_DIR'] || './data');
await buildMissingApp(say);
await buildMissingConsole(say);
const workerUid = users === null ? runnerEnv['RUNNER_WORKER_UID'] : String(users.workerUid);
const startRunner = (serverUrl: string, reads?: Promise<string>): PartProcess => {
  const options = { user: users?.runner, ...(reads && { reads }) };
  return startPart('runner', { ...runnerEnv, SERVER_URL: serverUrl, RUNNER_WORKER_UID: workerUid }, print, options);
};
// The runner gets ready beside the server. It is told the address only when the server listens there, because it sends its token to it.
const listening = Promise.withResolvers<string>();
const runner = startRunner('-', listening.promise);
const first = await startListeningServer(env, print, users?.server).catch((error: unknown) => {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`The server could not start; its own message is above.\n`);
  process.exit(1);
});
const serverUrl = first.url;
say(`Backroom is at ${serverUrl} (documentation: ${serverUrl}/docs/)`);
listening.resolve(`${serverUrl}\n`);
const { port } = new URL(serverUrl);

// Only the first start is checked. A later failure may be a passing problem of the machine, for which the server need not end.
void runner.exited.then((code) => {
  if (code !== CANNOT_START_HERE) return;
  say('The runner cannot run scripts here as it must; its own message is above. The server stops, too.');
  process.exitCode = 1;
  stop.abort();
});
if (logFormat === 'text' || open) await sayHowToSignIn(users?.server);
buildMissingDocsBeside(signal);
// The runner stops first, because its runs must still report to the server how far they came.
const runnerStopped = keepAlive('runner', () => startRunner(serverUrl), signal, runner);
const serverStop = new AbortController();
const serverStopped = keepAlive(
  'server',
  () => startPart('server', { ...env, PORT: port }, print, { user: users?.server }),
  serverStop.signal,
  first,
);
await runnerStopped;
serverStop.abort();
await serverStopped;

function readOptions(): { open: boolean } {
  try {
    return parseArgs({ options: { open: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}: backroom start [--open]\n`);
    process.exit(2);
  }
}

/**
 * Prints an address that signs in as the first owner, and opens it with `--open`. Whoever sees this terminal may read the store anyway; a log
 * file is no place for it.
 */
async function sayHowToSignIn(user?: PartUser): Promise<void> {
  const link = await runOpsCommand('sign-in-link', ['--server', serverUrl], env, user);
  if (signal.aborted) return;
  const address = link.stdout.trim();
  if (link.code !== 0) say(`\nOpen ${serverUrl} and give an access token; no sign-in link could be made: ${link.stderr.trim()}\n`);
  else if (logFormat === 'text') {
    say(`\nOpen ${address}\nThis address signs in once, within 15 minutes, as the first owner. Ctrl-C stops the shop.\n`);
    if (open) openBrowser(address);
  } else if (openBrowser(address)) say('The browser is opened; it is signed in as the first owner.');
  else say('--open: there is no screen here to open a browser on; `backroom admin sign-in-link` prints an address that signs in.');
}

async function keepAlive(name: string, start: () => PartProcess, until: AbortSignal, running?: PartProcess): Promise<void> {
  let delayMs = FIRST_DELAY_MS;
  let part = running ?? start();
  for (;;) {
    const since = performance.now();
    const code = await Promise.race([part.exited, aborted(until)]);
    if (code === 'aborted') return part.stop();
    if (until.aborted) return;
    if (performance.now() - since > STABLE_MS) delayMs = FIRST_DELAY_MS;
    say(`The ${name} ended (${code === null ? 'killed' : `exit code ${code}`}); it is started again in ${delayMs / 1000} s.`);
    await delay(delayMs, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
    part = start();
  }
}

function aborted(until: AbortSignal): Promise<'aborted'> {
  if (until.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => until.addEventListener('abort', () => resolve('aborted'), { once: true }));
}
