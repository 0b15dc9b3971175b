import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { readFrames, writeFrame } from '../../runner/frames.ts';

/** Reads bytes that arrive in these pieces. */
function readPieces(pieces: readonly Uint8Array[]): { messages: unknown[]; broken: number } {
  const socket = new PassThrough();
  const messages: unknown[] = [];
  let broken = 0;
  readFrames(
    socket,
    (message) => messages.push(message),
    () => {
      broken += 1;
    },
  );
  for (const piece of pieces) socket.emit('data', Buffer.from(piece));
  return { messages, broken };
}

function framed(messages: readonly object[]): Buffer {
  const socket = new PassThrough();
  const written: Buffer[] = [];
  for (const one of messages) {
    writeFrame(socket, one);
    written.push(socket.read());
  }
  return Buffer.concat(written);
}

/** Cuts bytes at these places. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const message = fc.oneof(fc.object({ maxDepth: 2 }), fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 300 }) }));

test('however the bytes of frames are cut into pieces, the same messages arrive in their order', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 40 }), (sent, places) => {
      const bytes = framed(sent);
      const expected = sent.map((one): unknown => JSON.parse(JSON.stringify(one)));
      assert.deepEqual(readPieces(cutAt(bytes, places)), { messages: expected, broken: 0 });
      assert.deepEqual(readPieces([...bytes].map((byte) => Uint8Array.of(byte))), { messages: expected, broken: 0 });
    }),
    { numRuns: 200 },
  );
});

test('after a frame that cannot be read, which is told once, nothing more is read', () => {
  const good = framed([{ type: 'ready' }]);
  const bad = [
    Buffer.from([255, 255, 255, 255]),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from([0, 0, 0, 1, 0xff]),
    Buffer.from([0, 0, 0, 2, 0x7b, 0x7d, 0, 0, 0, 1, 0x7b]),
  ];
  for (const one of bad) {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), (places) => {
        const { messages, broken } = readPieces(cutAt(Buffer.concat([good, one, good, one]), places));
        assert.equal(broken, 1);
        assert.deepEqual(messages, one.length === 11 ? [{ type: 'ready' }, {}] : [{ type: 'ready' }]);
      }),
      { numRuns: 30 },
    );
  }
});

test('a large frame that arrives byte by byte takes no more memory than its announced length', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no garbage collection to call');
  const socket = new PassThrough();
  readFrames(
    socket,
    () => assert.fail('the frame is not complete'),
    () => assert.fail('the frame is not broken'),
  );
  const BYTES = 300_000;
  const header = Buffer.alloc(4);
  header.writeUInt32BE(20 * 1024 * 1024);
  socket.emit('data', header);
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  for (let n = 0; n < BYTES; n += 1) socket.emit('data', Buffer.from(Uint8Array.of(32).buffer));
  assert.ok(used() - before < 30 * 1024 * 1024, `${used() - before} bytes more`);
});
