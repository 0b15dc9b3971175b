import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReplayQueue } from '../../runner/replay-queue.ts';

/** The queue's items are names. Those in `order` were recorded; those that begin with `!` have no answer. */
function queueOf(order: string[]) {
  const done: string[] = [];
  let stuck: readonly string[] | undefined;
  const queue = createReplayQueue<string>({
    isInstant: (item) => item === 'log',
    positionOf: (item) => (order.includes(item) ? order.indexOf(item) : null),
    async start(item) {
      if (item.startsWith('!')) return false;
      done.push(item);
      return true;
    },
    startInstant: (item) => void done.push(item),
    onStuck(items) {
      stuck = [...items];
    },
  });
  const rest = async (): Promise<void> => {
    queue.rest();
    await new Promise(setImmediate);
  };
  return { queue, done, rest, stuck: () => stuck };
}

test('each time the script rests, it gets one answer: first in the recorded order, then in the order of the calls', async () => {
  const { queue, done, rest } = queueOf(['a', 'b']);
  for (const item of ['y', 'b', 'x', 'a', 'log']) queue.push(item);
  assert.deepEqual(done, ['log']);
  await rest();
  assert.deepEqual(done, ['log', 'a']);
  queue.rest();
  queue.rest();
  await rest();
  assert.deepEqual(done, ['log', 'a', 'b'], 'two rests in a row give only one answer');
  for (let n = 0; n < 2; n++) await rest();
  assert.deepEqual([done, queue.waiting()], [['log', 'a', 'b', 'y', 'x'], 0]);
});

test('a call without an answer is skipped, and reported when no other call waits', async () => {
  const { queue, done, rest, stuck } = queueOf(['!a', 'b']);
  for (const item of ['!a', 'b', '!c']) queue.push(item);
  await rest();
  assert.deepEqual([done, stuck()], [['b'], undefined]);
  await rest();
  assert.deepEqual(stuck(), ['!a', '!c']);
});
