import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveOn, parseEventId, readUpTo, startAfter } from '../../server/resources/changes/rules.ts';

const MINUTE = 60_000;
const from = (newest: number[]) => startAfter(newest, 0);

test('an id that becomes visible after a higher one is still looked for, and the place stays before it', () => {
  const first = moveOn(from([10]), [11, 13, 14], 0).progress;
  assert.deepEqual([first.last, [...first.gaps.keys()], readUpTo(first)], [14, [12], 11]);
  const second = moveOn(first, [12, 15], 1000).progress;
  assert.deepEqual([second.last, [...second.gaps.keys()], readUpTo(second)], [15, [], 15]);
});

test('ids that are missing among the newest at the start are looked for too', () => {
  const start = from([20, 19, 16, 15]);
  assert.deepEqual([start.last, [...start.gaps.keys()], readUpTo(start)], [20, [17, 18], 16]);
  assert.deepEqual(from([]), { last: 0, gaps: new Map() });
});

test('an id that does not come for two minutes belongs to a transaction that was undone', () => {
  const start = moveOn(from([1]), [3], 0).progress;
  assert.equal(readUpTo(moveOn(start, [], 1.9 * MINUTE).progress), 1);
  assert.equal(readUpTo(moveOn(start, [], 2 * MINUTE).progress), 3);
});

test('more missing ids than are remembered count as missed', () => {
  assert.equal(moveOn(from([1]), [10_002], 0).complete, true);
  const much = moveOn(from([1]), [10_003], 0);
  assert.deepEqual([much.complete, much.progress.last, much.progress.gaps.size], [false, 10_003, 0]);
});

test('an event id is two numbers', () => {
  assert.deepEqual(parseEventId('12-1700000000000'), { after: 12, at: 1_700_000_000_000 });
  for (const text of ['', '12', 'end', '12-', '-1-2', '1-2-3', `1-${'9'.repeat(16)}`]) assert.equal(parseEventId(text), null, text);
});
