import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Responder, runScript } from '../helpers/worker.ts';

const Asked = z.object({ name: z.string(), offset: z.int() });

/** Plays the runner with one file, in blocks. */
const holding =
  (content: Uint8Array, blockBytes: number): Responder =>
  ({ payload }) => {
    const { offset } = Asked.parse(payload);
    const data = Buffer.from(content.subarray(offset, offset + blockBytes)).toString('base64');
    return { value: JSON.stringify({ size: content.length, data }) };
  };

test('files.read puts the blocks of a file together, byte by byte', async () => {
  const content = Uint8Array.from({ length: 1000 }, (_, n) => n % 256);
  const { result, calls } = await runScript(
    `export default async () => {
      const bytes = await files.read('data');
      return [bytes instanceof Uint8Array, bytes.length, bytes.every((byte, n) => byte === n % 256)];
    };`,
    { respond: holding(content, 300) },
  );
  assert.deepEqual(result, [true, 1000, true]);
  assert.deepEqual(
    calls.map(({ operation, payload }) => [operation, payload]),
    [0, 300, 600, 900].map((offset) => ['file_read', { name: 'data', offset }]),
  );
});

test('files.text reads UTF-8 over the edges of blocks, without its mark; what is no UTF-8 is replaced', async () => {
  const text = '\ufeffnaïve 💶\n'.repeat(20);
  const { result } = await runScript('export default () => files.text("data")', { respond: holding(Buffer.from(text), 7) });
  assert.equal(result, text.slice(1));
  const broken = await runScript('export default () => files.text("data")', { respond: holding(Uint8Array.of(97, 0xff, 98), 2) });
  assert.equal(broken.result, 'a\ufffdb');
});

test('an empty file is no bytes and no text', async () => {
  const { result } = await runScript('export default async () => [(await files.read("data")).length, await files.text("data")]', {
    respond: holding(new Uint8Array(0), 10),
  });
  assert.deepEqual(result, [0, '']);
});

test('16 MiB come in blocks of 2 MiB within the default heap, as bytes and as text', async () => {
  const content = new Uint8Array(16 * 1024 * 1024).fill(97);
  const { result } = await runScript('export default async () => [(await files.read("data")).length, (await files.text("data")).length]', {
    respond: holding(content, 2 * 1024 * 1024),
  });
  assert.deepEqual(result, [content.length, content.length]);
});

test('a file of more than the heap ends the run for its heap, not the machine', async () => {
  const { done } = await runScript('export default async () => (await files.read("data")).length', {
    heapMib: 32,
    respond: () => ({ value: JSON.stringify({ size: 512 * 1024 * 1024, data: 'YQ==' }) }),
  });
  assert.match(done.error_message ?? '', /Array buffer allocation failed|more than 32 MiB/);
});

test('what the runner refuses is thrown where the script asks; a name that is no text never leaves', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
      const seen = [];
      for (const name of ['gone', 5, undefined]) await files.read(name).catch((error) => seen.push(error.name + ': ' + error.message));
      return seen;
    };`,
    { respond: () => ({ error: { name: 'PermissionError', message: 'files.read("gone") needs the permission file_upload' } }) },
  );
  assert.deepEqual(result, [
    'PermissionError: files.read("gone") needs the permission file_upload',
    'TypeError: files.read takes the name of a parameter',
    'TypeError: files.read takes the name of a parameter',
  ]);
  assert.equal(calls.length, 1);
});
