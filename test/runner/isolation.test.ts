import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chooseIsolation, findTools, type Isolation, type Tools } from '../../runner/isolation/choose.ts';
import type { Launch } from '../../runner/isolation/launch.ts';
import { preludeFile } from '../../runner/prelude.ts';
import { spawnWorker } from '../../runner/worker-process.ts';
import type { Report, Task } from './isolation-probe.ts';

/**
 * spec SB6: what code can do in a worker's place after it has left the isolate. Each way of starting a worker
 * is tried with and without Node's permission model, because escaped code may get around it.
 */

const PROBE = fileURLToPath(new URL('./isolation-probe.ts', import.meta.url));
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const found = findTools();
const halves = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
const SECRET = halves.join('');

let folder: string;
let task: Omit<Task, 'depth'>;
const server = createServer((socket) => socket.destroy());
const unixServer = createServer((socket) => socket.destroy());

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backroom-isolation-'));
  // All users may read and write these files, so that only the layers can keep the probe out.
  chmodSync(folder, 0o777);
  const database = join(folder, 'shop.db');
  writeFileSync(database, SECRET, { mode: 0o666 });
  chmodSync(database, 0o666);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const socket = join(folder, 'socket');
  unixServer.listen(socket);
  await once(unixServer, 'listening');
  chmodSync(socket, 0o777);
  // Low process numbers are the probe's own threads.
  const others = readdirSync('/proc').filter((name) => /^\d{3,}$/.test(name));
  task = {
    read: [
      '/etc/passwd',
      '/proc/1/environ',
      '/proc/self/environ',
      '/proc/self/maps',
      join(PROJECT, 'package.json'),
      database,
      process.execPath,
    ],
    write: ['/', '/tmp', '/dev/shm', '/app', '/lib', folder, database, PROJECT],
    port: address.port,
    socket,
    pids: [...others.map(Number), process.pid],
    secret: halves.join(' '),
  };
});

after(() => {
  server.close();
  unixServer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function isolationOf(tools: Tools): Promise<Isolation> {
  const isolation = await chooseIsolation({ preludePath: await preludeFile(), workerMain: PROBE, tools });
  isolation.worker?.kill();
  return isolation;
}

async function probe(launch: Launch, walls: boolean): Promise<Report> {
  let printed = '';
  const worker = spawnWorker(launch, (text) => (printed += text));
  const timeout = setTimeout(() => worker.kill(), 240_000);
  const report = new Promise<Report>((resolve, reject) => {
    worker.listen({
      onMessage(message) {
        if (message.type === 'done') return resolve(JSON.parse(message.result ?? 'null'));
        worker.send({
          type: 'start',
          source: '',
          code: null,
          task_id: 0,
          now_ms: 0,
          began_ms: 0,
          seed: '',
          secret_mark: '0'.repeat(39),
          parameters: JSON.stringify({ ...task, depth: walls ? 6 : 0 } satisfies Task),
          checkpoint: 'null',
          shop: '{}',
          permissions: [],
          heap_mib: 64,
        });
      },
      onViolation: (message) => reject(new Error(message)),
    });
    void worker.ended.then((end) => reject(new Error(`the probe ended: ${end.signal ?? end.code} ${printed}`)));
  });
  try {
    return await report;
  } finally {
    clearTimeout(timeout);
    worker.kill();
    await worker.ended;
  }
}

const withoutPermission = (launch: Launch): Launch => ({
  ...launch,
  command: launch.command.filter((part) => !/^--(permission|allow-)/.test(part)),
});
function isSince514(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
const withoutCgroup = ({ layers }: Isolation): string[] => layers.filter((layer) => layer !== 'cgroup');
const ownProgram = (path: string): boolean => /^\/(app|lib|lib64|usr|node)(\/|$)/.test(path);

const ways: [name: string, tools: Tools, expected: 'bwrap is not installed' | 'unshare is not installed'][] = [
  ['bwrap', { bwrap: found.bwrap, unshare: null }, 'bwrap is not installed'],
  ['unshare', { bwrap: null, unshare: found.unshare }, 'unshare is not installed'],
];
for (const [name, tools, absent] of ways) {
  describe(`SB6: a worker by ${name}`, () => {
    let isolation: Isolation;
    before(async () => {
      isolation = await isolationOf(tools);
    });

    test('is limited in memory, processor time, files and processes', async () => {
      const worker = spawnWorker(isolation.launch);
      await new Promise<void>((resolve) => worker.listen({ onMessage: () => resolve(), onViolation: assert.fail }));
      const limits = readFileSync(`/proc/${worker.pid}/limits`, 'latin1');
      worker.kill();
      await worker.ended;
      const limit = (name: string): string | undefined => new RegExp(`^Max ${name} +(\\S+) +(\\S+)`, 'm').exec(limits)?.[2];
      assert.deepEqual(['data size', 'cpu time', 'file size', 'core file size', 'open files'].map(limit), [
        '1610612736',
        '3900',
        '0',
        '0',
        '128',
      ]);
      // With the filter of system calls it can make no process at all. Without it, their number is limited if the kernel can do that.
      const counted = isolation.layers.includes('namespaces') && !isolation.layers.includes('seccomp') && isSince514();
      if (counted) assert.equal(limit('processes'), '256');
    });

    test('RU13: ends as killed when it is killed from outside', async () => {
      const worker = spawnWorker(isolation.launch);
      await new Promise<void>((resolve) => worker.listen({ onMessage: () => resolve(), onViolation: assert.fail }));
      process.kill(worker.pid, 'SIGKILL');
      const { signal, code } = await worker.ended;
      assert.deepEqual([signal, code], ['SIGKILL', null]);
    });

    test('has every layer, or reports each missing layer with the reason', () => {
      // Whether there is a cgroup depends on the machine, not on the program that makes the namespaces.
      const missing = isolation.missing.map(({ layer }) => layer).filter((layer) => layer !== 'cgroup');
      if (isolation.layers.includes('namespaces')) assert.deepEqual(missing, name === 'bwrap' ? [] : ['seccomp']);
      else assert.deepEqual(missing, ['namespaces', 'network', 'filesystem', 'seccomp']);
      for (const { why, remedy, layer } of isolation.missing) {
        assert.ok(why.length > 5 && remedy.length > 5, layer);
        if (layer === 'seccomp' && tools.bwrap === null) assert.match(why, /bwrap is not installed/);
        if (layer === 'namespaces' && (tools.bwrap ?? tools.unshare) === null) assert.ok(why.includes(absent), why);
      }
    });

    for (const heedsPermission of [true, false]) {
      test(`cannot read, write or reach anything${heedsPermission ? '' : ', even without --permission'}`, async () => {
        const walls = isolation.layers.includes('namespaces');
        // Without namespaces, only Node's permission model protects files. The test of the layers above reports what is missing.
        if (!heedsPermission && !walls) return;
        const report = await probe(heedsPermission ? isolation.launch : withoutPermission(isolation.launch), walls);
        assert.deepEqual([report.env, report.secretInHeap, report.read, report.wrote], [[], false, [], []]);
        assert.notEqual(report.uid, 0);
        if (!walls) return;
        assert.deepEqual(
          report.sees.filter((path) => !ownProgram(path)),
          [],
        );
        assert.deepEqual(report.processes, []);
        const held = heedsPermission || isolation.layers.includes('seccomp');
        assert.equal(report.started.includes('a process'), !held);
        // Without the filter it can open sockets, but its own network has no other machine.
        assert.deepEqual(
          report.sockets.filter((name) => held || /server|another/.test(name)),
          held ? [] : ['tcp server'],
        );
      });
    }
  });
}

test('SB6: without bwrap and unshare, the other layers remain', async () => {
  const isolation = await isolationOf({ bwrap: null, unshare: null });
  assert.deepEqual(withoutCgroup(isolation), ['process', 'rlimits', 'no_new_privs', 'unprivileged', 'permission']);
  assert.match(
    isolation.missing.map(({ layer, why }) => `${layer}: ${why}`).join('\n'),
    /^namespaces: bwrap is not installed; unshare is not installed$/m,
  );
  const report = await probe(isolation.launch, false);
  assert.deepEqual([report.read, report.wrote, report.sockets, report.started, report.env], [[], [], [], [], []]);
});

test('SB7: a program that exists but does not work is not used, and its error is reported', async () => {
  const broken = join(folder, 'broken');
  writeFileSync(broken, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', { mode: 0o755 });
  const isolation = await isolationOf({ bwrap: broken, unshare: found.unshare });
  assert.match(
    isolation.missing.find(({ layer }) => layer === 'seccomp')?.why ?? '',
    /^bwrap: bwrap: No permissions to create new namespace$/,
  );
  assert.equal(
    isolation.layers.includes('namespaces'),
    (await isolationOf({ bwrap: null, unshare: found.unshare })).layers.includes('namespaces'),
  );
  const nothing = await isolationOf({ bwrap: broken, unshare: broken });
  assert.deepEqual(withoutCgroup(nothing), ['process', 'rlimits', 'no_new_privs', 'unprivileged', 'permission']);
});
