import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseWorker, idleWorkers, mayServeAgain, startsAnother, surplusWorker, type WorkerState } from '../../runner/pool-rules.ts';

const warm = (versionId: number, runs = 1, idleSince = 0): WorkerState => ({ kind: 'warm', versionId, runs, idleSince });
const lent: WorkerState = { kind: 'lent' };
/** The workers a, b, c …, which came into these states in this order. */
const workersIn = (...states: (WorkerState | 'starting' | 'ready' | 'lent' | 'dying')[]): Map<string, WorkerState> =>
  new Map(states.map((state, n) => [String.fromCharCode(97 + n), typeof state === 'string' ? { kind: state } : state]));

test('a run gets the worker that served its version longest ago, else the one that is ready longest', () => {
  assert.deepEqual(chooseWorker(workersIn('ready', warm(8), warm(7, 3), warm(7, 9)), 7), { worker: 'c', runs: 3 });
  assert.deepEqual(chooseWorker(workersIn(warm(8), 'starting', 'ready', 'ready'), 7), { worker: 'c', runs: 0 });
  assert.equal(chooseWorker(workersIn(warm(8), 'starting', 'lent', 'dying'), 7), null);
});

test('a worker serves fifty runs, as long as each ended cleanly and its process lives', () => {
  assert.deepEqual(
    [
      mayServeAgain(lent, { reusable: true, runs: 1 }),
      mayServeAgain(lent, { reusable: true, runs: 49 }),
      mayServeAgain(lent, { reusable: true, runs: 50 }),
      mayServeAgain(lent, { reusable: false, runs: 1 }),
      mayServeAgain({ kind: 'dying' }, { reusable: true, runs: 1 }),
      mayServeAgain(undefined, { reusable: true, runs: 1 }),
    ],
    [true, true, false, false, false, false],
  );
});

const starts: [name: string, workers: Map<string, WorkerState>, waiting: number, starts: boolean][] = [
  ['the first worker', workersIn(), 0, true],
  ['no second one while the first starts', workersIn('starting'), 0, false],
  ['the next one when it is ready', workersIn('ready'), 0, true],
  ['one at a time', workersIn('ready', 'starting'), 0, false],
  ['no more than one more than the slots', workersIn('ready', 'ready', 'ready'), 0, false],
  ['others than those that are lent, warm or dying', workersIn('lent', warm(7), 'dying', 'ready', 'ready'), 0, true],
  ['one for each run that waits, at once', workersIn('starting'), 1, true],
  ['one more than those', workersIn('starting', 'starting'), 1, false],
  ['none for runs that are served soon', workersIn('starting', 'starting', 'starting'), 2, false],
  ['as many as wait, where these are more than the slots', workersIn('starting', 'starting', 'starting', 'starting'), 5, true],
];
for (const [name, workers, waiting, expected] of starts) {
  test(`two slots: the pool starts ${name}`, () => assert.equal(startsAnother(workers, { slots: 2, waiting }), expected));
}

test('the oldest worker that stands by for its version goes, when there are more than slots or it was idle for long', () => {
  const workers = workersIn('ready', warm(7, 1, 1000), warm(8, 1, 2000), lent);
  assert.deepEqual([surplusWorker(workers, 1), surplusWorker(workers, 2)], ['b', undefined]);
  assert.deepEqual([idleWorkers(workers, 1000), idleWorkers(workers, 1001), idleWorkers(workers, 3000)], [[], ['b'], ['b', 'c']]);
});
