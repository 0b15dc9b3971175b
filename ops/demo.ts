import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { connectShop } from '../cli/remote-shop.ts';
import { showRun } from '../cli/run-screen.ts';
import { coloursFor } from '../cli/screen.ts';
import { EXAMPLES as EXAMPLES_FOLDER } from '../cli/task-files.ts';
import { CommandError } from '../server/shop-data/command.ts';
import { choosePort, DEMO_ORDERS, fillDemoShop } from './demo-shop.ts';
import { leaveWaiting } from './demo-waiting.ts';
import { pushExample } from './example-tasks.ts';
import { buildMissingApp, buildMissingConsole, buildMissingDocsBeside } from './missing-builds.ts';
import { openBrowser } from './open-browser.ts';
import { startListeningServer, startPart } from './processes.ts';

/**
 * `backroom demo`: makes a temporary shop, shows a run live and keeps a server running to try. `--open` opens the console in the browser;
 * `--once` ends after the run.
 */

const SHOWN = 'win-back-credit';
const EXAMPLES = ['low-stock-report', 'revenue-by-country', SHOWN];

const values = readOptions();
const out = process.stdout;
const { bold, dim } = coloursFor(out);
const say = (text: string): void => void out.write(`${text}\n`);
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  });
}

await using cleanup = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'backroom-demo-'));
cleanup.defer(() => rm(folder, { recursive: true, force: true }));
try {
  await demo();
} catch (error) {
  if (error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  } else if (!stop.signal.aborted) throw error; // An error that Ctrl-C caused is not reported.
}
if (stop.signal.aborted) say('\nStopping; the temporary shop is removed.');

function readOptions(): { once: boolean; open: boolean } {
  try {
    return parseArgs({ options: { once: { type: 'boolean', default: false }, open: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}: backroom demo [--open] [--once]\n`);
    process.exit(2);
  }
}

async function demo(): Promise<void> {
  const port = await choosePort();
  await buildMissingApp(say);
  await buildMissingConsole(say);
  await fillDemoShop(join(folder, 'backroom.db'), out);
  say(`A temporary shop with sample data is ready: ${DEMO_ORDERS} orders of 18 months, in ${folder}.`);
  stop.signal.throwIfAborted();

  const token = `demo_${randomBytes(24).toString('base64url')}`;
  const runnerToken = randomBytes(32).toString('base64url');
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(...lines.splice(0).slice(-50), line);
  const env = { DATA_DIR: folder, PORT: port, BOOTSTRAP_ADMIN_TOKEN: token, RUNNER_TOKEN: runnerToken, LOG_LEVEL: 'info' };
  const server = await startListeningServer(env, keep);
  cleanup.defer(() => server.stop());
  const runner = startPart('runner', { SERVER_URL: server.url, RUNNER_TOKEN: runnerToken, LOG_LEVEL: 'warn' }, keep);
  cleanup.defer(() => runner.stop());
  stop.signal.throwIfAborted();

  const shop = connectShop(server.url, token);
  const pushed = new Map<string, number>();
  for (const name of EXAMPLES) pushed.set(name, (await pushExample(shop.client, name)).taskId);
  say(`Pushed three tasks: ${EXAMPLES.join(', ')}.`);

  const taskId = pushed.get(SHOWN) ?? 0;
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, {});
  say(`\n${bold(`Run ${runId}: ${SHOWN}`)} ${dim('store credit for customers who have not bought for 90 days')}`);
  const run = await showRun(shop, taskId, runId, out, { signal: stop.signal });
  const effects = await shop.client.ai_tasks.list_effects(taskId, runId, { limit: 1000 });
  say(`  ${bold('effects')} ${effects.length} writes, each made once and listed with the run`);
  if (run.status !== 'success') throw new Error(`the run of the demo ended ${run.status}:\n${lines.join('\n')}`);
  const waiting = await leaveWaiting(shop, server.url, taskId);
  say(`  ${bold('waiting')} in the console: ${waiting.join(', ')}`);
  if (values.once) return;

  const { url_path } = await shop.client.me.create_sign_in_link({ expires_in_minutes: 60 });
  say(`\n${bold('Open')} ${server.url}${url_path}`);
  if (values.open) openBrowser(`${server.url}${url_path}`);
  say(`  ${dim('This address signs in once, within an hour.')} The server stays up until you press Ctrl-C.`);
  say(`  URL    ${server.url}   (documentation: ${server.url}/docs/)`);
  say(`  Token  ${token}`);
  say(`  Try    curl -s -H 'Authorization: Bearer ${token}' '${server.url}/admin/api/orders?per_page=3'`);
  say(`         npx backroom task run ${EXAMPLES[1]} --dir ${relative('', EXAMPLES_FOLDER)} --server ${server.url} --token ${token}`);
  buildMissingDocsBeside(stop.signal);
  const ended = await Promise.race([
    server.exited.then(() => 'server'),
    runner.exited.then(() => 'runner'),
    new Promise<null>((resolve) => stop.signal.addEventListener('abort', () => resolve(null), { once: true })),
  ]);
  if (ended !== null) throw new Error(`the ${ended} ended:\n${lines.join('\n')}`);
}
