import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childrenOf } from '../../runner/isolation/proc.ts';
import { until } from '../helpers/machines.ts';
import { claimOf, openShopDouble, problem } from './shop-double.ts';

const MAIN = fileURLToPath(new URL('../../runner/main.ts', import.meta.url));

/** Starts the daemon; when the test ends, it is killed if it still runs. */
function startRunner(t: TestContext, url: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: { SERVER_URL: url, RUNNER_TOKEN: 'runner-secret', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => code);
  return { child, exited, output: () => output };
}

test('the daemon does not start with a wrong environment and says why in one line', { timeout: 300_000 }, async (t) => {
  const { exited, output } = startRunner(t, 'ftp://x');
  assert.equal(await exited, 1);
  assert.match(output(), /^The runner cannot start: SERVER_URL must be[^\n]*\n$/);
});

test('runs are claimed, run in the sandbox and ended; SIGTERM leaves nothing behind', { timeout: 300_000 }, async (t) => {
  await using shop = await openShopDouble();
  const { child, exited, output } = startRunner(t, shop.url);
  shop.offer(
    claimOf(`log('first'); log(JSON.stringify(await admin_api.get('/orders')))`),
    claimOf(`export default () => ({ sum: parameters.a + 1 })`, { parameters: { a: 1 } }),
  );
  const ends = () => shop.events().filter(({ kind }) => kind === 'finalize');
  const claims = () => shop.seen.filter(({ path }) => path === '/runner/claims');
  await until('both runs have ended', () => ends().length === 2);
  assert.deepEqual(
    ends().map(({ status }) => status),
    ['success', 'success'],
  );
  for (const { body } of claims()) assert.match(body, /"total_slots":2\b/, 'a claim reports all slots, free or not');
  assert.ok(ends().some(({ result }) => JSON.stringify(result) === '{"sum":2}'));
  assert.ok(shop.events().some(({ line }) => line === '{"status":200,"body":{"path":"/orders"}}'));
  const workers = childrenOf(child.pid ?? 0);
  assert.ok(workers.length >= 2);
  // Until a new worker executes its own program, it shows the environment of the runner.
  await until('no worker has an environment', () => workers.every((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1') === ''));
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  assert.doesNotMatch(output(), /runner-secret|token-\d/);
  for (const pid of workers) assert.throws(() => readFileSync(`/proc/${pid}/stat`));
});

test('a freed slot asks for work at once while another poll waits', { timeout: 300_000 }, async (t) => {
  await using shop = await openShopDouble();
  const { child, exited } = startRunner(t, shop.url);
  const ends = () => shop.events().filter(({ kind }) => kind === 'finalize').length;
  shop.offer(claimOf('log(1)'));
  await until('the first run has ended', () => ends() === 1);
  shop.offer(claimOf('log(2)'));
  await until('the second run has ended', () => ends() === 2);
  await delay(300);
  assert.ok(shop.seen.filter(({ path }) => path === '/runner/claims').length <= 6);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

test('the report of an end brings the next run; a lost answer is asked for again with the same key', { timeout: 300_000 }, async (t) => {
  let ends = 0;
  await using shop = await openShopDouble(({ path }) => (path.endsWith('/end') && ++ends === 1 ? 'drop' : undefined));
  const { child, exited } = startRunner(t, shop.url, { RUNNER_SLOTS: '1' });
  // After a checkpoint no report is on its way, so the report of each end asks for the next run.
  shop.offer(...['first', 'second', 'third'].map((line) => claimOf(`log('${line}'); await checkpoint(null);`)));
  await until('all runs have ended', () => shop.events().some(({ line }) => line === 'third') && shop.ends().length >= 4);
  assert.deepEqual(
    shop.ends().map(({ path }) => path),
    [0, 0, 1, 2].map((n) => shop.ends()[0]?.path.replace(/\d+/, (id) => String(Number(id) + n))),
  );
  assert.equal(shop.ends()[0]?.key, shop.ends()[1]?.key);
  assert.equal(shop.ends()[0]?.body, shop.ends()[1]?.body);
  const firstEnd = shop.seen.findIndex(({ path }) => path.endsWith('/end'));
  const lastEnd = shop.seen.findLastIndex(({ path }) => path.endsWith('/end'));
  assert.ok(!shop.seen.slice(firstEnd, lastEnd).some(({ path }) => path === '/runner/claims'), 'no other request asked for work');
  for (const { body } of shop.ends()) assert.match(body, /"next":{"token":"runner-secret","runner":{"name":/);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

test('SIGTERM while the answer to an end is under way: its run is not begun', { timeout: 300_000 }, async (t) => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using shop = await openShopDouble(async ({ path }) => {
    if (!path.endsWith('/end')) return undefined;
    reached.resolve();
    await released.promise;
    return undefined;
  });
  const { child, exited, output } = startRunner(t, shop.url, { RUNNER_SLOTS: '1' });
  // After a checkpoint no report is on its way, so the report of the end asks for the next run.
  shop.offer(claimOf(`log('first'); await checkpoint({ n: 1 });`));
  await reached.promise;
  shop.offer(claimOf(`log('second')`));
  child.kill('SIGTERM');
  await until('the runner drains', () => output().includes('the runner stops'));
  released.resolve();
  assert.equal(await exited, 0);
  assert.deepEqual(
    shop.events().flatMap(({ line }) => line ?? []),
    ['first'],
  );
});

test('SIGTERM ends an open run at its checkpoint; if the runner is killed, its busy worker dies too', { timeout: 300_000 }, async (t) => {
  await using shop = await openShopDouble();
  const first = startRunner(t, shop.url);
  shop.offer(claimOf(`for (let n = 0; ; n++) { await checkpoint({ n }); await sleep(50) }`));
  await until('a checkpoint came', () => shop.events().some(({ kind }) => kind === 'checkpoint'));
  first.child.kill('SIGTERM');
  assert.equal(await first.exited, 0);
  assert.equal(shop.events().at(-1)?.['end_reason'], 'drained');
  assert.deepEqual(shop.ends(), [], 'a runner that stops asks for no other run');

  const second = startRunner(t, shop.url);
  shop.offer(claimOf(`log('spin'); for (;;);`));
  await until('the script spins', () => shop.events().some(({ line }) => line === 'spin'));
  const workers = childrenOf(second.child.pid ?? 0);
  second.child.kill('SIGKILL');
  await second.exited;
  await until('every worker is gone', () => workers.every((pid) => readState(pid) === 'gone'));
});

function readState(pid: number): 'there' | 'gone' {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')) ? 'gone' : 'there';
  } catch {
    return 'gone';
  }
}

test('the runner finds a server that starts later, and logs one line for each change of its state', { timeout: 300_000 }, async (t) => {
  let up = false;
  await using shop = await openShopDouble(({ path }) => (path === '/runner/claims' && !up ? problem(503, 'busy') : undefined));
  const { child, exited, output } = startRunner(t, shop.url);
  await until('work was asked for three times', () => shop.seen.filter(({ path }) => path === '/runner/claims').length >= 3);
  up = true;
  shop.offer(claimOf('log(1)'));
  await until('the run has ended', () => shop.events().some(({ kind }) => kind === 'finalize'));
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  assert.equal(output().match(/cannot be claimed/g)?.length, 1);
  assert.equal(output().match(/answers again/g)?.length, 1);
});

test('the runner ends with a clear line if the server refuses its token', { timeout: 300_000 }, async (t) => {
  await using shop = await openShopDouble(({ path }) => (path === '/runner/claims' ? problem(401, 'unauthorized') : undefined));
  const { exited, output } = startRunner(t, shop.url);
  assert.equal(await exited, 1);
  assert.match(output(), /the server refuses RUNNER_TOKEN \(401\)/);
});
