import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunQueue } from '../../server/process/run-queue.ts';

/** How waiting runners look for an open run: in turn, and not each of them when one of them has just seen that there is none. */

function openQueue() {
  const clock = { ms: 0, looks: 0 };
  const queue = new RunQueue(
    () => undefined,
    () => clock.ms,
  );
  const look = (found: boolean, hasWaited = true) =>
    queue.hasOpenRun(async () => {
      clock.looks += 1;
      return found;
    }, hasWaited);
  return { queue, clock, look };
}

test('runners that wake together look once, and again as soon as a run is opened', async () => {
  const { queue, clock, look } = openQueue();
  const all = (found: boolean) => Promise.all(Array.from({ length: 8 }, () => queue.inTurn(() => look(found))));
  assert.deepEqual(await all(false), Array(8).fill(false));
  assert.equal(clock.looks, 1);
  queue.opened();
  assert.deepEqual(await all(true), Array(8).fill(true));
  assert.equal(clock.looks, 9, 'what one has found may be gone for the next');
});

test('a run that is opened while a runner looks is found by the next look', async () => {
  const { queue, look } = openQueue();
  await queue.hasOpenRun(async () => {
    queue.opened();
    return false;
  }, true);
  assert.equal(await look(true), true);
});

test('a look counts for others for a moment only, because another process may open a run without a word', async () => {
  const { clock, look } = openQueue();
  await look(false);
  assert.equal(await look(true), false);
  assert.equal(await look(true, false), true, 'a runner that has just asked looks for itself');
  clock.ms = 20;
  assert.equal(await look(true), true);
});

test('a runner is stored as seen every five seconds, however often it asks, and at once when it tells something new', () => {
  const { queue, clock } = openQueue();
  const asks = ['two slots', 'two slots', 'one slot', 'two slots', 'two slots'].map((told) => queue.isToNote('a', told));
  assert.deepEqual(asks, [true, false, true, true, false]);
  assert.equal(queue.isToNote('b', 'two slots'), true);
  clock.ms = 5000;
  assert.equal(queue.isToNote('a', 'two slots'), true);
});
