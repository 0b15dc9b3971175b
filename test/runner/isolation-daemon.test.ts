import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { LAYERS } from '../../runner/isolation/layers.ts';
import { until } from '../helpers/machines.ts';
import { claimOf, openShopDouble } from './shop-double.ts';

/** Starts the real daemon with real workers (spec SB6, SB7). Tests what it reports about its layers, and what its workers contain. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(PROJECT, 'runner/main.ts');
const TOKEN = `runner-${randomBytes(16).toString('hex')}`;

function startRunner(t: TestContext, url: string, env: Record<string, string> = {}, wrapper: readonly string[] = []) {
  const [command = '', ...args] = [...wrapper, process.execPath, MAIN];
  const child = spawn(command, args, { env: { SERVER_URL: url, RUNNER_TOKEN: TOKEN, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => code);
  return { child, exited, output: () => output };
}

const Body = z.object({ runner: z.object({ isolation: z.array(z.string()) }) });

test('SB8: a worker’s memory and environment contain neither the runner’s token nor the run’s token', { timeout: 300_000 }, async (t) => {
  await using shop = await openShopDouble();
  const { child, exited } = startRunner(t, shop.url);
  const mark = randomBytes(16).toString('hex');
  const runToken = `run_${randomBytes(24).toString('hex')}`;
  shop.offer(
    claimOf(`const mark = '${mark}'; log('here'); for (;;) { await sleep(100); await admin_api.get('/orders') }`, { token: runToken }),
  );
  await until('the script asks for orders', () => shop.seen.some(({ path }) => path === '/orders'));
  // The search takes seconds, in which this process answers no heartbeat. A stopped daemon does not miss the answers and end the run.
  child.kill('SIGSTOP');
  let seen = 0;
  let marked = 0;
  for (const pid of descendantsOf(child.pid ?? 0)) {
    const process = lookAt(pid);
    if (process === null) continue;
    seen += 1;
    for (const secret of [TOKEN, runToken])
      assert.ok(!process.memory.includes(secret), `the memory or environment of process ${pid} contains a token`);
    if (process.memory.includes(mark)) marked += 1;
    assert.match(process.environment, /^(PWD=\/\0)?$/);
  }
  assert.ok(seen >= 2);
  assert.ok(marked >= 1, 'the search must find the script, which proves that it reads the worker’s memory');
  assert.ok(memoryOf(child.pid ?? 0).includes(TOKEN), 'the search must find the token in the daemon’s memory');
  child.kill('SIGKILL');
  await exited;
});

function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => {
      try {
        return readFileSync(`/proc/${other}/stat`, 'latin1').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    });
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** null: the process has ended meanwhile, as the helper that starts a standby worker does. */
function lookAt(pid: number): { memory: Buffer; environment: string } | null {
  try {
    return { memory: memoryOf(pid), environment: readFileSync(`/proc/${pid}/environ`, 'latin1') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}

/** The content of all writable memory of a process: heap, stacks and buffers. */
function memoryOf(pid: number): Buffer {
  const ranges = readFileSync(`/proc/${pid}/maps`, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      return from === '' ? [] : [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
    });
  const fd = openSync(`/proc/${pid}/mem`, 'r');
  const parts: Buffer[] = [];
  try {
    for (const { from, to } of ranges) {
      const part = Buffer.alloc(Math.min(to - from, 256 * 1024 * 1024));
      try {
        parts.push(part.subarray(0, readSync(fd, part, 0, part.length, from)));
      } catch {}
    }
  } finally {
    closeSync(fd);
  }
  return Buffer.concat(parts);
}

/** An environment like a container without user namespaces: the programs that make them exist but do not work. */
const WITHOUT_NAMESPACES = [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  'sh',
];
const canForbid = spawnSync(WITHOUT_NAMESPACES[0] ?? '', [...WITHOUT_NAMESPACES.slice(1), 'true']).status === 0;
const wrapper = canForbid ? WITHOUT_NAMESPACES : [];

test('SB7: the runner refuses to start without the layers in RUNNER_ISOLATION_REQUIRED, and says why', { timeout: 300_000 }, async (t) => {
  const { exited, output } = startRunner(t, 'http://127.0.0.1:1', { RUNNER_ISOLATION_REQUIRED: 'process, namespaces,filesystem' }, wrapper);
  assert.equal(await exited, 2);
  assert.match(output(), /^The runner cannot start: RUNNER_ISOLATION_REQUIRED names layers of the sandbox that are not available here:$/m);
  assert.match(output(), /^ {2}namespaces: .{10,}\. To have it: install bubblewrap/m);
  assert.match(output(), /^ {2}filesystem: /m);
  assert.doesNotMatch(output(), /^ {2}process: |ready to claim/m);
});

test('SB7: without namespaces the runner logs once what is missing, works, and reports the layers that it has with its claims', {
  timeout: 300_000,
}, async (t) => {
  await using shop = await openShopDouble();
  const { child, exited, output } = startRunner(t, shop.url, {}, wrapper);
  shop.offer(claimOf('export default () => 1'));
  await until('the run has ended', () => shop.events().some(({ kind }) => kind === 'finalize'));
  assert.equal(shop.events().find(({ kind }) => kind === 'finalize')?.['status'], 'success');
  const claim = shop.seen.find(({ path }) => path === '/runner/claims');
  const { isolation } = Body.parse(JSON.parse(claim?.body ?? '')).runner;
  assert.ok(isolation.includes('process') && isolation.includes('permission') && !isolation.includes('namespaces'), isolation.join());
  for (const layer of LAYERS) {
    const told = output()
      .split('\n')
      .filter((line) => line.includes(`"layer":"${layer}"`) && line.includes('is missing here'));
    assert.equal(told.length, isolation.includes(layer) ? 0 : 1, layer);
  }
  const [block = ''] = /^=+\nWARNING: task scripts run here without some layers[\s\S]*?^=+$/m.exec(output()) ?? [];
  for (const layer of ['namespaces', 'network', 'filesystem'])
    assert.match(block, new RegExp(`^ {2}no ${layer}: code that breaks out .{10,}\\.$`, 'm'));
  assert.match(block, /^ {2}To have namespaces, network, filesystem: install bubblewrap/m);
  child.kill('SIGTERM');
  await exited;
});

test('SB7: doctor names every layer, and for each missing layer the reason and what to install', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(PROJECT, 'ops/doctor.ts')]);
  for (const layer of LAYERS) {
    const [, state] = new RegExp(`^ {2}(active |MISSING) {2}${layer} `, 'm').exec(stdout) ?? [];
    assert.ok(state, layer);
    if (state === 'MISSING') assert.match(stdout, new RegExp(`^ {2}${layer}\\n {4}why: +\\S.*\\n {4}to have it: \\S`, 'm'));
  }
});

test('SB6: a project in a folder that other users cannot read has the same layers', { timeout: 300_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-closed-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  assert.equal(statSync(folder).mode & 0o077, 0);
  for (const part of ['runner', 'contract', 'sandbox-lib', 'ops', 'package.json'])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const node = join(folder, 'node');
  try {
    linkSync(process.execPath, node);
  } catch {
    cpSync(process.execPath, node);
  }
  const doctor = async (path: string, program: string): Promise<string> =>
    (await promisify(execFile)(program, [join(path, 'ops/doctor.ts')], { env: { TMPDIR: tmpdir() } })).stdout;
  assert.equal(await doctor(folder, node), await doctor(PROJECT, process.execPath));
});
