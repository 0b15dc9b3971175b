import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createCallQueue } from '../../runner/call-queue.ts';

type Item = { name: string; kind: 'call' | 'detached' | 'barrier' | 'instant' };

function setUp(concurrency = 2, mayStart: (item: Item) => boolean = () => true) {
  const started: string[] = [];
  const settle = new Map<string, () => void>();
  const known = new Map<string, () => void>();
  const queue = createCallQueue<Item>({
    concurrency,
    kindOf: ({ kind }) => kind,
    mayStart,
    start: ({ name }, isKnown) => {
      started.push(name);
      known.set(name, isKnown);
      return new Promise((resolve) => settle.set(name, resolve));
    },
    startInstant: ({ name }) => void started.push(name),
  });
  const push = (kind: Item['kind'], ...names: string[]): void => {
    for (const name of names) queue.push({ name, kind });
  };
  const finish = async (...names: string[]): Promise<void> => {
    for (const name of names) settle.get(name)?.();
    await tick();
  };
  return { started, queue, push, finish, known: (name: string) => known.get(name)?.() };
}

test('calls above the limit wait in their order', async () => {
  const { started, push, finish } = setUp(2);
  push('call', 'a', 'b', 'c', 'd');
  assert.deepEqual(started, ['a', 'b']);
  await finish('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
});

test('a barrier waits for all earlier calls, and all later calls wait for the barrier', async () => {
  const { started, push, finish } = setUp(16);
  push('call', 'a', 'b');
  push('barrier', 'checkpoint');
  push('instant', 'line');
  push('call', 'c');
  await finish('a');
  assert.deepEqual(started, ['a', 'b']);
  await finish('b');
  assert.deepEqual(started, ['a', 'b', 'checkpoint']);
  push('instant', 'line 2');
  assert.deepEqual(started, ['a', 'b', 'checkpoint']);
  await finish('checkpoint');
  assert.deepEqual(started, ['a', 'b', 'checkpoint', 'line', 'c', 'line 2']);
});

test('a barrier waits for a sleep until the server knows it, and a sleep does not count as a call in flight', async () => {
  const { started, push, finish, known } = setUp(1);
  push('detached', 'sleep', 'short sleep');
  push('call', 'a');
  push('barrier', 'checkpoint');
  await finish('a');
  known('sleep');
  known('sleep');
  assert.deepEqual(started, ['sleep', 'short sleep', 'a']);
  await finish('short sleep');
  assert.deepEqual(started, ['sleep', 'short sleep', 'a', 'checkpoint']);
});

test('events overtake waiting calls unless a barrier waits', () => {
  const { started, push } = setUp(1);
  push('call', 'a', 'b');
  push('instant', 'line');
  assert.deepEqual(started, ['a', 'line']);
});

test('a call that may not start yet holds back the calls behind it', async () => {
  let open = false;
  const { started, push, finish, queue } = setUp(4, ({ name }) => open || name === 'a');
  push('call', 'a', 'b', 'c');
  assert.deepEqual(started, ['a']);
  open = true;
  await finish('a');
  assert.deepEqual(started, ['a', 'b', 'c']);
  assert.equal(queue.waiting(), 0);
});

test('calls that never started can be taken out of the queue', () => {
  const { push, queue } = setUp(1);
  push('call', 'a', 'b');
  push('barrier', 'checkpoint');
  push('instant', 'line');
  assert.deepEqual(
    queue.clear().map(({ name }) => name),
    ['b', 'checkpoint', 'line'],
  );
});

test('200,000 items that waited for a barrier are started in a moment, since the other runs of the daemon wait meanwhile', async () => {
  const ITEMS = 200_000;
  const { started, queue, push, finish } = setUp();
  push('barrier', 'b');
  for (let n = 0; n < ITEMS; n += 1) queue.push({ name: 'i', kind: 'instant' });
  assert.equal(queue.waiting(), ITEMS);
  const before = process.cpuUsage();
  await finish('b');
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual([started.length, queue.waiting()], [ITEMS + 1, 0]);
  assert.ok(user + system < 1_500_000, `${user + system} µs of processor time`);
});
