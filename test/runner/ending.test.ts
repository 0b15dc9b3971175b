import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEnding, leavesWorkerReusable, nextState, type RunEvent, type RunState } from '../../runner/ending.ts';
import type { Cause } from '../../runner/outcome.ts';

const running: RunState = { kind: 'running' };
const draining: RunState = { kind: 'draining' };
const waits = (...promptIds: number[]): RunState => ({ kind: 'waits', promptIds });
const ended = (cause: Cause): RunState & RunEvent => ({ kind: 'ended', cause });
const drained = ended({ kind: 'drained' });
const lost = { kind: 'lost', reason: 'fenced' } as const;
const done = { kind: 'done', end_reason: 'completed', error_message: null, result: null, reusable: true } as const;

const table: [name: string, from: RunState, event: RunEvent, to: RunState][] = [
  ['a running run goes on at a checkpoint', running, { kind: 'checkpoint' }, running],
  ['a draining run ends at its checkpoint', draining, { kind: 'checkpoint' }, drained],
  ['a running run keeps its worker while it asks', running, { kind: 'asks', promptIds: [1] }, running],
  ['a draining run waits without a worker as soon as it asks', draining, { kind: 'asks', promptIds: [1, 2] }, waits(1, 2)],
  ['a run that is to stop goes on to its checkpoint', running, { kind: 'drain', promptIds: null }, draining],
  ['a run that asks when it is to stop waits without a worker', running, { kind: 'drain', promptIds: [3] }, waits(3)],
  ['a run that asked for long waits without a worker', running, { kind: 'waits', promptIds: [4] }, waits(4)],
  ['a script ends', running, ended(done), ended(done)],
  ['a claim is lost while the run drains', draining, lost, lost],
  ['a lost run does not end', lost, ended(done), lost],
  ['an ended run is not lost', ended(done), lost, ended(done)],
  ['a waiting run does not drain', waits(5), { kind: 'drain', promptIds: null }, waits(5)],
];
for (const [name, from, event, to] of table) test(name, () => assert.deepEqual(nextState(from, event), to));

test('only the first stop counts', async () => {
  const ending = createEnding();
  ending.tell({ kind: 'drain', promptIds: null });
  assert.equal(ending.alive(), true);
  ending.tell({ kind: 'checkpoint' });
  ending.lose('fenced');
  assert.equal(ending.alive(), false);
  assert.deepEqual(await ending.stopped, drained);
});

test('a worker serves another run only after a script that ended with heap left', () => {
  const after = (cause: Cause) => leavesWorkerReusable({ kind: 'ended', cause });
  assert.deepEqual(
    [
      after(done),
      after({ ...done, end_reason: 'script_error' }),
      after({ ...done, end_reason: 'heap' }),
      after({ ...done, reusable: false }),
      after({ kind: 'drained' }),
      leavesWorkerReusable({ kind: 'waits', promptIds: [] }),
      leavesWorkerReusable(lost),
    ],
    [true, true, false, false, false, false, false],
  );
});
