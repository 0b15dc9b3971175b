import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Responder, runScript } from '../helpers/worker.ts';

const Asked = z.object({ name: z.string(), offset: z.int() });

/** Answers as the runner does, with one file in blocks. */
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

test('files.text reads UTF-8 across blocks, removes the byte order mark, and replaces bytes that are not UTF-8', async () => {
  const text = '\ufeffnaïve 💶\n'.repeat(20);
  const { result } = await runScript('export default () => files.text("data")', { respond: holding(Buffer.from(text), 7) });
  assert.equal(result, text.slice(1));
  const broken = await runScript('export default () => files.text("data")', { respond: holding(Uint8Array.of(97, 0xff, 98), 2) });
  assert.equal(broken.result, 'a\ufffdb');
});

test('an empty file gives no bytes and an empty text', async () => {
  const { result } = await runScript('export default async () => [(await files.read("data")).length, await files.text("data")]', {
    respond: holding(new Uint8Array(0), 10),
  });
  assert.deepEqual(result, [0, '']);
});

test('a file of 16 MiB is read in blocks of 2 MiB within the default heap, as bytes and as text', async () => {
  const content = new Uint8Array(16 * 1024 * 1024).fill(97);
  const { result } = await runScript('export default async () => [(await files.read("data")).length, (await files.text("data")).length]', {
    respond: holding(content, 2 * 1024 * 1024),
  });
  assert.deepEqual(result, [content.length, content.length]);
});

test('a file larger than the heap ends the run with the reason heap', async () => {
  const { done } = await runScript('export default async () => (await files.read("data")).length', {
    heapMib: 32,
    respond: () => ({ value: JSON.stringify({ size: 512 * 1024 * 1024, data: 'YQ==' }) }),
  });
  assert.match(done.error_message ?? '', /Array buffer allocation failed|more than 32 MiB/);
});

test('a refusal of the runner is thrown at the script’s call; a name that is not text is never sent', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
      const seen = [];
      for (const name of ['gone', 5, undefined, 'x'.repeat(3 * 1024 * 1024)]) await files.read(name).catch((error) => seen.push(error.name + ': ' + error.message));
      return seen;
    };`,
    { respond: () => ({ error: { name: 'PermissionError', message: 'files.read("gone") needs the permission file_upload' } }) },
  );
  assert.deepEqual(result, [
    'PermissionError: files.read("gone") needs the permission file_upload',
    ...Array(3).fill('TypeError: files.read takes the name of a parameter, of at most 64 characters'),
  ]);
  assert.equal(calls.length, 1);
});

const Written = z.object({
  write: z.int(),
  name: z.string(),
  content_type: z.string(),
  size: z.int(),
  offset: z.int(),
  data: z.base64().max(1_500_000),
});

/** Receives what is written. The first `losses` files are lost with their last block. */
function takingFiles(losses = 0) {
  const blocks: z.infer<typeof Written>[] = [];
  let left = losses;
  const respond: Responder = ({ payload }) => {
    const block = Written.parse(payload);
    blocks.push(block);
    const bytes = Buffer.from(block.data, 'base64').length;
    if (block.offset + bytes < block.size) return { value: 'null' };
    left -= 1;
    return { value: left >= 0 ? '{"again":true}' : JSON.stringify({ id: block.write, size_bytes: block.size }) };
  };
  const contentOf = (write: number): Buffer =>
    Buffer.concat(blocks.filter((block) => block.write === write).map(({ data }) => Buffer.from(data, 'base64')));
  return { respond, blocks, contentOf };
}

test('files.write sends text and bytes in blocks and cuts no character in two', async () => {
  const taking = takingFiles();
  const { result } = await runScript(
    `export default async () => [
       await files.write('a.txt', 'é💶'.repeat(200_001) + '\\ud800', 'text/csv'),
       await files.write('b.bin', Uint8Array.from({ length: 2_000_000 }, (_, n) => n % 251)),
       await files.write('empty', ''),
       await files.write('none', new Uint8Array(0)),
     ];`,
    { respond: taking.respond },
  );
  const text = `${'é💶'.repeat(200_001)}\ufffd`;
  assert.deepEqual(result, [
    { id: 1, size_bytes: Buffer.byteLength(text) },
    { id: 2, size_bytes: 2_000_000 },
    { id: 3, size_bytes: 0 },
    { id: 4, size_bytes: 0 },
  ]);
  assert.equal(taking.contentOf(1).toString(), text);
  assert.ok(taking.contentOf(2).every((byte, n) => byte === n % 251));
  assert.ok(taking.blocks.filter(({ write }) => write === 1).length > 1);
  assert.deepEqual(
    taking.blocks.filter(({ offset }) => offset === 0).map(({ content_type }) => content_type),
    ['text/csv', 'application/octet-stream', 'text/plain; charset=utf-8', 'application/octet-stream'],
  );
});

test('files.write sends a whole file again if it was lost, and one file at a time', async () => {
  const taking = takingFiles(2);
  const { result } = await runScript(
    `export default async () => {
       const both = [files.write('a', 'x'.repeat(1_000_000)), files.write('b', 'y')];
       return (await Promise.all(both)).map(({ id }) => id);
     };`,
    { respond: taking.respond },
  );
  assert.deepEqual(result, [1, 2]);
  assert.deepEqual(
    taking.blocks.filter(({ offset }) => offset === 0).map(({ write }) => write),
    [1, 1, 1, 2],
  );
  // The file was lost twice at its end, so all its blocks were sent three times.
  assert.equal(taking.contentOf(1).toString(), 'x'.repeat(3_000_000));
});

test('files.write refuses a wrong name, wrong data or a wrong type before anything is sent', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
       const seen = [];
       for (const [name, data, type] of [
         ['', 'a'], [' ', 'a'], ['..', 'a'], ['a/b', 'a'], ['a\\\\b', 'a'], ['a\\u0000', 'a'], ['x'.repeat(256), 'a'], [5, 'a'],
         ['a', 5], ['a', {}], ['a', undefined], ['a', [1]], ['a', 'a', 'csv'], ['a', 'a', 'text/csv\\r\\nX: y'], ['a', 'a', 5],
       ]) await files.write(name, data, type).then(() => seen.push('written'), (error) => seen.push(error.name));
       return seen;
     };`,
  );
  assert.deepEqual(result, [...Array(6).fill('TypeError'), 'RangeError', ...Array(8).fill('TypeError')]);
  assert.deepEqual(calls, []);
});

test('a failed write of a file does not block the next', async () => {
  const { result } = await runScript(
    `export default async () => (await Promise.allSettled([files.write('a', 'a'), files.write('b', 'b')])).map(({ status }) => status)`,
    {
      respond: ({ payload }) =>
        Written.parse(payload).name === 'a' ? { error: { name: 'AdminApiError', message: 'full' } } : { value: '{"id":1}' },
    },
  );
  assert.deepEqual(result, ['rejected', 'fulfilled']);
});
