import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { defaultLimits } from '../../contract/runner.ts';
import { isInCgroup, joinCgroup, makeCgroupPlace } from '../../runner/isolation/cgroup.ts';
import { outcomeOf } from '../../runner/outcome.ts';

/** The workers' cgroups (spec SB5), tested on folders that look like the kernel's cgroup folders. */

function likeCgroup(t: TestContext, controllers: string, shared: string): { parent: string; own: string } {
  const parent = mkdtempSync(join(tmpdir(), 'backroom-cgroup-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const own = join(parent, 'runner');
  mkdirSync(own);
  for (const folder of [parent, own]) {
    writeFileSync(join(folder, 'cgroup.controllers'), `${controllers}\n`);
    writeFileSync(join(folder, 'cgroup.subtree_control'), `${shared}\n`);
  }
  return { parent, own };
}

test('SB5: if no cgroup can be made, the reason names what is missing', (t) => {
  assert.deepEqual(makeCgroupPlace(null), { why: 'no cgroup v2 is mounted' });
  const { parent, own } = likeCgroup(t, 'cpuset hugetlb', '');
  assert.deepEqual(makeCgroupPlace(own), {
    why: `${own}: it has no controller for memory, pids; ${parent}: it has no controller for memory, pids`,
  });
});

test('SB5: workers’ cgroups are made in the runner’s own cgroup, otherwise beside it; those of a killed runner are removed', (t) => {
  const { parent, own } = likeCgroup(t, 'cpu memory pids', 'memory pids');
  mkdirSync(join(own, 'backroom-999999999', 'worker-1'), { recursive: true });
  assert.deepEqual(makeCgroupPlace(own), { folder: join(own, `backroom-${process.pid}`) });
  assert.deepEqual(
    readdirSync(own).filter((name) => name.startsWith('backroom-')),
    [`backroom-${process.pid}`],
  );
  rmSync(join(own, 'cgroup.controllers'));
  assert.deepEqual(makeCgroupPlace(own), { folder: join(parent, `backroom-${process.pid}`) });
});

test('SB5: a worker is moved into a cgroup that limits its threads, and each run sets its memory limit', (t) => {
  const { own } = likeCgroup(t, 'memory pids', 'memory pids');
  const group = joinCgroup(own, 4711);
  assert.ok(group);
  const read = (file: string): string => readFileSync(join(own, 'worker-4711', file), 'utf8');
  assert.deepEqual([read('cgroup.procs'), read('pids.max')], ['4711', '256']);
  group.limitMemory(512 * 1024 * 1024);
  assert.deepEqual([read('memory.max'), read('memory.swap.max')], ['536870912', '0']);
  assert.equal(group.ranOut(), false);
  writeFileSync(join(own, 'worker-4711', 'memory.events'), 'low 0\nmax 12\noom 1\noom_kill 1\n');
  assert.equal(group.ranOut(), true);
  assert.equal(joinCgroup(join(own, 'nowhere'), 1), null);
  assert.equal(isInCgroup(process.pid), false);
});

test('SB5: if the kernel kills a worker for its cgroup’s memory, the run itself has failed, not the machine', () => {
  const killed = { kind: 'exit', code: null, signal: 'SIGKILL', stderr: '' } as const;
  assert.deepEqual(outcomeOf({ ...killed, ranOut: true }, { limits: defaultLimits, limits_max: {} }), {
    status: 'failed',
    end_reason: 'heap',
    error_message: 'the run used more memory than it may',
  });
  assert.equal(outcomeOf({ ...killed, ranOut: false }, { limits: defaultLimits, limits_max: {} }).end_reason, 'lost_worker');
});
