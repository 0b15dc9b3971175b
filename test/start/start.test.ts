import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connectShop } from '../../cli/remote-shop.ts';
import { allStats, readProc } from '../../runner/isolation/proc.ts';
import { until } from '../helpers/machines.ts';
import { PROJECT, npmStart as start, NPM_START_TOKEN as TOKEN } from '../helpers/npm-start.ts';

/** The real `npm start`: the environment of each of its processes, its user, and what it may read. */

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-start-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Process = { pid: number; parent: number; command: string };

function processes(): Process[] {
  return allStats().map(({ pid, parent }) => ({ pid, parent, command: (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ') }));
}

function below(pid: number, all = processes()): Process[] {
  return all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid, all)]);
}

function partsOf(pid: number): { server: number; runner: number; workers: number[] } {
  const all = processes();
  const one = (file: string): number =>
    below(pid, all).find(({ command }) => command.includes(file))?.pid ?? assert.fail(`no ${file} runs`);
  const runner = one('run.js runner/main');
  // The program that starts a worker does not count; it ends at once.
  const workers = below(runner, all).filter(({ command }) => /^\S*node .*worker\.js/.test(command));
  return { server: one('run.js server/main'), runner, workers: workers.map((process) => process.pid) };
}

function environmentOf(pid: number): Map<string, string> {
  const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
  return new Map(
    text
      .split('\0')
      .filter(Boolean)
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

const CANARY = 'canary-7d1f0a';
/** No other test, and no other run of this one, has such a runner. */
const NAME = `start-${process.pid}`;
/** Variables that cannot have the canary as their value: numbers, choices, and addresses that must answer. */
const plain: Record<string, string> = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_POOL: '2',
  SQLITE_SYNCHRONOUS: 'FULL',
  RUNNER_SLOTS: '1',
  RUNNER_ISOLATION_REQUIRED: 'process',
  PROMPT_HOLD_SECONDS: '61',
  CLAIM_CONFIRM_SECONDS: '6',
  DRY_RUN_HOLD_MS: '51',
  DRY_RUN_TOTAL_MS: '30001',
  LEASE_SECONDS: '31',
  RATE_LIMIT: '6001',
  COURIER_TIMEOUT_SECONDS: '21',
  LLM_TIMEOUT_SECONDS: '99',
  ALLOW_PRIVATE_WEBHOOKS: 'false',
  LOG_LEVEL: 'info',
  START_USERS: '',
  RUNNER_WORKER_UID: '',
  RUNNER_HEALTH_PORT: '0',
  TRUSTED_PROXIES: '127.0.0.1/32',
  SERVER_URL: 'http://127.0.0.1:1',
  LOG_FORMAT: 'json',
  ACCESS_LOG: 'off',
  OTEL_SDK_DISABLED: 'true',
  OTEL_TRACES_EXPORTER: 'none',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=b',
  OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '1000',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
  OTEL_RESOURCE_ATTRIBUTES: 'a=b',
  OTEL_TRACES_SAMPLER: 'always_off',
  OTEL_TRACES_SAMPLER_ARG: '1',
  OTEL_BSP_SCHEDULE_DELAY: '1000',
  OTEL_BSP_EXPORT_TIMEOUT: '1000',
  OTEL_BSP_MAX_QUEUE_SIZE: '100',
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100',
};

test('the runner and its workers see only those of the server’s variables that the runner reads', {
  timeout: 300_000,
}, async (t) => {
  const folder = folderOf(t);
  const table = readFileSync(join(PROJECT, 'docs/environment.md'), 'utf8');
  const rows = table.split('\n').filter((row) => row.startsWith('| `'));
  const names = rows
    .flatMap((row) => [...row.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)`/g)].flatMap(([, name = '']) => name))
    .filter((name) => name !== 'FULL');
  assert.ok(names.length >= 30 && names.includes('FILES_S3_SECRET_ACCESS_KEY') && names.includes('EASYPOST_API_KEY'), names.join());
  const font = join(folder, CANARY);
  writeFileSync(font, '');
  const canaries = Object.fromEntries(names.map((name) => [name, plain[name] ?? `${CANARY}-${name}-0123456789-0123456789`]));
  const { child, exited, line } = start(t, {
    ...canaries,
    DATA_DIR: join(folder, CANARY, '..', `${CANARY}-data`),
    DATABASE_URL: `sqlite:${join(folder, `${CANARY}.db`)}`,
    DATABASE_LISTEN_URL: `postgres://somebody:${CANARY}@127.0.0.1:1/shop`,
    LABEL_FONT: font,
    // Without a bucket, because the server would try to reach it.
    FILES_S3_BUCKET: '',
    FILES_S3_ENDPOINT: `http://127.0.0.1:1/${CANARY}`,
    EASYPOST_API_BASE: `http://127.0.0.1:1/${CANARY}`,
    STRIPE_API_BASE: `http://${CANARY}:1`,
    AWS_SECRET_ACCESS_KEY: CANARY,
    PGPASSWORD: CANARY,
    SECRETS_KEY: Buffer.alloc(32, CANARY).toString('base64'),
    SECRETS_KEY_OLD: Buffer.alloc(32, `${CANARY}-old`).toString('base64'),
    SOMEBODY_ELSES_SECRET: CANARY,
  });
  await line(/"msg":"the runner is ready to claim runs"/);
  const { server, runner, workers } = partsOf(child.pid ?? 0);
  assert.equal(environmentOf(server).get('SOMEBODY_ELSES_SECRET'), CANARY, 'the server must have the variable');
  const told = environmentOf(runner);
  const read = [
    'SERVER_URL',
    'RUNNER_TOKEN',
    'RUNNER_SLOTS',
    'RUNNER_NAME',
    'RUNNER_ISOLATION_REQUIRED',
    'RUNNER_WORKER_UID',
    'RUNNER_HEALTH_PORT',
    'PROMPT_HOLD_SECONDS',
    'LOG_LEVEL',
  ];
  const ofTraces = names.filter((name) => name.startsWith('OTEL_'));
  assert.ok(ofTraces.length >= 15);
  for (const name of ofTraces) assert.ok(told.has(name), `the runner is not told ${name}`);
  const allowed = [...read, ...ofTraces, 'PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX'];
  assert.deepEqual(
    [...told.keys()].filter((name) => !allowed.includes(name)),
    [],
  );
  assert.equal(told.get('RUNNER_SLOTS'), '1');
  const canaried = [...told].filter(([, value]) => value.includes(CANARY)).map(([name]) => name);
  assert.deepEqual(canaried.filter((name) => !name.startsWith('OTEL_')).sort(), ['RUNNER_NAME', 'RUNNER_TOKEN']);
  assert.ok(workers.length > 0);
  for (const worker of workers)
    assert.ok(
      [...environmentOf(worker).keys()].every((name) => name === 'PWD'),
      'a worker is told nothing',
    );
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

/** An environment like a container without user namespaces. */
const FORBID = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
const WITHOUT_NAMESPACES = ['unshare', '--user', '--map-root-user', 'sh', '-c', FORBID, 'sh'];
const canForbidNamespaces = spawnSync(WITHOUT_NAMESPACES[0] ?? '', [...WITHOUT_NAMESPACES.slice(1), 'true']).status === 0;

const USERS = { server: 20_001, runner: 20_002, worker: 20_003 };
const isRoot = process.getuid?.() === 0;
const needsRoot =
  isRoot && isOpenToAll(PROJECT) && isOpenToAll(dirname(process.execPath)) ? false : 'needs root and a project that all may read';

function isOpenToAll(path: string): boolean {
  return (statSync(path).mode & 0o005) === 0o005 && (dirname(path) === path || isOpenToAll(dirname(path)));
}

function statusOf(pid: number, field: string): string[] {
  const line = readFileSync(`/proc/${pid}/status`, 'latin1')
    .split('\n')
    .find((one) => one.startsWith(`${field}:`));
  return line?.split('\t').slice(1) ?? [];
}

test('server, runner and workers run as three users; only the server’s user can read the data; scripts run', {
  timeout: 480_000,
  skip: needsRoot,
}, async (t) => {
  const folder = folderOf(t);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const required = 'process,no_new_privs,unprivileged,filesystem';
  const { child, exited, line, output } = start(t, {
    DATA_DIR: data,
    TMPDIR: '/tmp',
    START_USERS: Object.values(USERS).join(','),
    RUNNER_ISOLATION_REQUIRED: required,
    LOG_LEVEL: 'debug',
  });
  const [, url = ''] = /Backroom is at (\S+)/.exec(await line(/^Backroom is at/)) ?? [];
  const ready = await line(/"msg":"the runner is ready to claim runs"/);
  for (const layer of required.split(',')) assert.ok(ready.includes(`"${layer}"`), layer);
  const { server, runner, workers } = partsOf(child.pid ?? 0);
  const same = (pid: number, uid: number): void => {
    assert.deepEqual(
      statusOf(pid, 'Uid'),
      Array.from({ length: 4 }, () => String(uid)),
    );
    assert.deepEqual(
      statusOf(pid, 'Gid'),
      Array.from({ length: 4 }, () => String(uid)),
    );
    assert.match(statusOf(pid, 'Groups').join(), /^\s*(\d+\s*)?$/);
  };
  same(server, USERS.server);
  same(runner, USERS.runner);
  assert.ok(workers.length > 0);
  for (const worker of workers) {
    same(worker, USERS.worker);
    assert.match(statusOf(worker, 'CapEff').join(), /^0+$/);
  }
  assert.match(statusOf(server, 'CapEff').join(), /^0+$/);
  const KILL_SETGID_SETUID = 0xe0n;
  for (const set of ['CapEff', 'CapPrm', 'CapBnd']) assert.equal(BigInt(`0x${statusOf(runner, set).join()}`), KILL_SETGID_SETUID, set);

  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.equal(statSync(data).uid, USERS.server);
  for (const uid of [USERS.runner, USERS.worker]) {
    for (const path of [data, join(data, 'backroom.db'), `/proc/${server}/environ`, `/proc/${child.pid}/environ`]) {
      assert.notEqual(await exitOf(uid, ['cat', path]), 0, `${uid} reads ${path}`);
    }
  }
  for (const path of [`/proc/${runner}/environ`, `/proc/${runner}/mem`])
    assert.notEqual(await exitOf(USERS.worker, ['cat', path]), 0, path);

  const shop = connectShop(url, TOKEN);
  const source = 'log(typeof process); export default () => 6 * 7;';
  const { task_id: taskId } = await shop.client.ai_tasks.create({
    name: 'Users',
    description: '',
    source_code: source,
    permissions: [],
    parameters: [],
  });
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, {});
  const { status } = await shop.followRun(taskId, runId, () => undefined);
  assert.equal(status, 'success');
  const access = await line(/"msg":"request"/);
  for (const field of ['"request_id":"', '"method":"', '"path":"/', '"status":2', '"ms":']) assert.ok(access.includes(field), access);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  assert.doesNotMatch(output(), /"level":[56]0/);
});

test('a START_USERS that cannot be applied stops the start with one line', { timeout: 300_000 }, async (t) => {
  const { exited, output } = start(t, { DATA_DIR: folderOf(t), START_USERS: '10001,10001,10002' });
  assert.equal(await exited, 1);
  assert.match(output(), /^START_USERS must be three different user ids/);
});

test('where another program has the port the start ends, no runner is left, and that program was sent nothing', {
  timeout: 300_000,
}, async (t) => {
  let requests = 0;
  const other = createServer((socket) => {
    requests += 1;
    socket.destroy();
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { exited, output } = start(t, { DATA_DIR: folderOf(t), PORT: String(port), RUNNER_NAME: NAME });
  assert.equal(await exited, 1);
  assert.match(output(), /^The server could not start; its own message is above\.$/m);
  assert.equal(requests, 0);
  const left = (): number[] => allStats().flatMap(({ pid }) => (readProc(pid, 'environ')?.includes(`RUNNER_NAME=${NAME}`) ? [pid] : []));
  await until('no process of the start is left', () => left().length === 0);
});

test('without a required layer the whole start ends, and says which layer is missing and how to get it', {
  timeout: 300_000,
  skip: !canForbidNamespaces && 'namespaces cannot be forbidden here',
}, async (t) => {
  const { exited, output } = start(t, { DATA_DIR: folderOf(t), RUNNER_ISOLATION_REQUIRED: 'process,filesystem' }, WITHOUT_NAMESPACES);
  assert.equal(await exited, 1);
  assert.match(
    output(),
    /^The runner cannot start: RUNNER_ISOLATION_REQUIRED names layers.*\n {2}filesystem: .{10,}\. To have it: install bubblewrap/m,
  );
  assert.match(output(), /^The runner cannot run scripts here as it must; its own message is above\. The server stops, too\.$/m);
  assert.doesNotMatch(output(), /is started again/);
});

async function exitOf(uid: number, command: readonly string[]): Promise<number> {
  const child = spawn(command[0] ?? '', command.slice(1), { uid, gid: uid, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
