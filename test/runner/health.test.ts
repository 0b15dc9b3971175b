import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from '../helpers/machines.ts';
import { freePort } from '../helpers/ports.ts';
import { openShopDouble, problem } from './shop-double.ts';

/** What the runner answers for its health, and the check that containers make of it. */

const MAIN = fileURLToPath(new URL('../../runner/main.ts', import.meta.url));
const HEALTHY = fileURLToPath(new URL('../../ops/healthy.js', import.meta.url));
const run = promisify(execFile);

async function startRunner(t: TestContext, url: string, port = '0') {
  const child = spawn(process.execPath, [MAIN], {
    env: { SERVER_URL: url, RUNNER_TOKEN: 'runner-secret', RUNNER_SLOTS: '1', RUNNER_HEALTH_PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => code);
  const listening = () => until('the runner answers', () => /"port":(\d+),.*answers for its health/.exec(output)?.[1]);
  return { child, exited, output: () => output, listening };
}

const check = (...args: string[]) =>
  run(process.execPath, [HEALTHY, ...args]).then(
    () => 'healthy',
    (error: { code: unknown; stderr: string }) => `${error.code}: ${error.stderr.trim()}`,
  );

test('the runner is ready while the server answers its requests for work', { timeout: 300_000 }, async (t) => {
  let up = true;
  await using shop = await openShopDouble(({ path }) => {
    if (path !== '/runner/claims') return undefined;
    return up ? { status: 200, body: { claims: [] } } : problem(503, 'busy');
  });
  // Nobody may answer there once the runner has ended.
  const runner = await startRunner(t, shop.url, String(await freePort()));
  const port = await runner.listening();
  await until('it is ready', async () => (await check(port)) === 'healthy');
  assert.match(shop.seen[0]?.body ?? '', /"wait_ms":0\b/, 'the first request does not wait for work');
  up = false;
  await until('it is not ready any more', async () => (await check(port)) === `1: http://127.0.0.1:${port}/readyz answered 503`);
  assert.equal(await check(port, '/healthz'), 'healthy', 'the process itself is well');
  assert.equal(await check(port, '/metrics'), `1: http://127.0.0.1:${port}/metrics answered 404`);
  up = true;
  await until('it is ready again', async () => (await check(port)) === 'healthy');
  runner.child.kill('SIGTERM');
  assert.equal(await runner.exited, 0);
  assert.match(await check(port), /^1: http:\S+ does not answer: /);
});

test('a port that is taken stops the start', { timeout: 300_000 }, async (t) => {
  await using shop = await openShopDouble();
  const first = await startRunner(t, shop.url);
  const second = await startRunner(t, shop.url, await first.listening());
  assert.equal(await second.exited, 1);
  assert.match(second.output(), /^The runner cannot start: RUNNER_HEALTH_PORT \d+ cannot be used: [^\n]*EADDRINUSE[^\n]*\n$/);
});
