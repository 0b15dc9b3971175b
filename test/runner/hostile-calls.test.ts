import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { FromWorker } from '../../runner/protocol.ts';
import { executeRun } from '../../runner/run.ts';
import { createServerClient } from '../../runner/server-client.ts';
import type { WorkerEnd, WorkerListener, WorkerProcess } from '../../runner/worker-process.ts';
import { claimOf, openShopDouble } from './shop-double.ts';

/** Runs a worker that only exists in this process: it sends these messages at once and has so many unread bytes; returns the run's end. */
async function endOf(messages: Iterable<FromWorker>, unreadBytes = 0) {
  await using shop = await openShopDouble();
  const client = createServerClient(shop.url);
  const { promise: ended, resolve } = Promise.withResolvers<WorkerEnd>();
  let listener: WorkerListener | undefined;
  const worker: WorkerProcess = {
    // No process has this id, so the watch over processor time and memory finds nothing.
    pid: 0,
    ended,
    listen(next) {
      listener = next;
    },
    send(message) {
      if (message.type === 'start') for (const one of messages) listener?.onMessage(one);
    },
    limitMemory: () => undefined,
    unreadBytes: () => unreadBytes,
    kill: () => resolve({ code: null, signal: 'SIGKILL', stderr: '', ranOut: false }),
    prepare: async () => undefined,
    readyFor: async () => undefined,
  };
  const pool = { take: async () => ({ worker, giveBack: worker.kill }), close: async () => undefined };
  const run = executeRun(claimOf(''), { client, pool, log: pino({ level: 'silent' }) });
  await run.finished;
  await client.close();
  const end = shop.events().find(({ kind }) => kind === 'finalize');
  return [end?.['status'], end?.['end_reason'], end?.['error_message']];
}

const call = (id: number, operation: 'sleep' | 'once', payload: object): FromWorker => ({
  type: 'call',
  id,
  operation,
  payload: JSON.stringify(payload),
});

test('a worker that does not read the refusals of its calls is ended, as one that does not read answers', async () => {
  const refused = [
    call(1, 'once', { name: 5 }),
    { type: 'done', end_reason: 'completed', error_message: null, result: null, reusable: true } as const,
  ];
  assert.deepEqual(await endOf(refused, 100 * 1024 * 1024), ['failed', 'sandbox', 'the worker does not read its answers']);
  assert.deepEqual(await endOf(refused), ['success', 'completed', null]);
});

test('sleeps count among the calls that wait, although they take no place', async () => {
  function* sleeps(count: number): Generator<FromWorker> {
    for (let id = 1; id <= count; id += 1) yield call(id, 'sleep', { ms: 900 });
    yield { type: 'done', end_reason: 'completed', error_message: null, result: null, reusable: true };
  }
  assert.deepEqual(await endOf(sleeps(1000)), ['success', 'completed', null]);
  assert.deepEqual(await endOf(sleeps(200_001)), ['failed', 'sandbox', 'the script has too many calls waiting']);
});
