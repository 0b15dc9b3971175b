import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
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
