import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { openStore } from '../../server/db/open.ts';
import { openReaderThreads } from '../../server/db/sqlite/reader-threads.ts';
import { createSideThread } from '../../server/process/side-thread.ts';

const LIMITS = { timeoutMs: 1000, memoryMb: 64 };

/** Takes longer to load than a question may take, answers `double`, and never ends with `forever`. */
const SLOW_TO_LOAD = `
import { parentPort } from 'node:worker_threads';
const until = Date.now() + 1500;
while (Date.now() < until);
parentPort.on('message', ({ id, double, forever }) => {
  while (forever);
  parentPort.postMessage({ id, result: double * 2 });
});
parentPort.postMessage('ready');
`;

test('a side thread may load for longer than a question may take; a question that takes too long fails, and the next has a new thread', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-thread-'));
  const file = join(folder, 'thread.mjs');
  await writeFile(file, SLOW_TO_LOAD);
  const thread = createSideThread(pathToFileURL(file), LIMITS);
  try {
    assert.deepEqual(await thread.ask({ double: 4 }), { failed: false, result: 8 });
    assert.deepEqual(await thread.ask({ forever: true }), { failed: true });
    assert.deepEqual(await thread.ask({ double: 5 }), { failed: false, result: 10 });
  } finally {
    await thread.close();
    await rm(folder, { recursive: true });
  }
});

test('a side thread that cannot be loaded fails its question', async () => {
  const thread = createSideThread(pathToFileURL('/nowhere/thread.mjs'), LIMITS);
  assert.deepEqual(await thread.ask({ double: 4 }), { failed: true });
  await thread.close();
});

test('a side thread without questions ends, and the next question has a new one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-thread-'));
  const file = join(folder, 'thread.mjs');
  await writeFile(file, SLOW_TO_LOAD);
  const ended = nextThreadEnds();
  const thread = createSideThread(pathToFileURL(file), { ...LIMITS, idleMs: 1 });
  try {
    assert.deepEqual(await thread.ask({ double: 4 }), { failed: false, result: 8 });
    await ended;
    assert.deepEqual(await thread.ask({ double: 5 }), { failed: false, result: 10 });
  } finally {
    await thread.close();
    await rm(folder, { recursive: true });
  }
});

test('a reader thread without queries ends, and the next query has a new one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-thread-'));
  const file = join(folder, 'store.db');
  await openStore({ url: file }).close();
  const ended = nextThreadEnds();
  const readers = openReaderThreads(file, 1);
  const one = async () => (await sql<{ n: number }>`SELECT 1 AS n`.execute(readers)).rows;
  try {
    assert.deepEqual(await one(), [{ n: 1 }]);
    await ended;
    assert.deepEqual(await Promise.all([one(), one(), one()]), [[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
  } finally {
    await readers.destroy();
    await rm(folder, { recursive: true });
  }
});

/** Resolves when the thread has ended that is started next. */
function nextThreadEnds(): Promise<void> {
  return new Promise((resolve) => process.once('worker', (worker) => worker.once('exit', () => resolve())));
}
