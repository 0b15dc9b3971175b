import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { hostCallKinds } from '../../contract/script-library.ts';
import { FAKE_WORKER, heldBytes, openHostileRunner } from './hostile-harness.ts';

/**
 * A worker sends the runner whatever it likes: frames of the protocol, frames that are none, and bytes. The run ends for the reason
 * that the bytes give, once, and the next run finds a daemon as it was.
 */

const SEED = Number(process.env['SEED'] ?? 20_261_126);
const CONVERSATIONS = Number(process.env['CONVERSATIONS'] ?? 20);
const MAX_BYTES = 24 * 1024 * 1024;

type Reason = 'completed' | 'sandbox' | 'wall' | 'script_error' | 'heap';
/** What a worker writes, and how a run ends by it; null: it goes on. */
type Piece = { bytes: Buffer; ends: Reason | null };

const frame = (text: string | Buffer): Buffer => {
  const body = Buffer.from(text);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
};
const framed = (message: unknown): Buffer => frame(JSON.stringify(message));
const goesOn = (message: unknown): Piece => ({ bytes: framed(message), ends: null });
const breaks = (bytes: Buffer): Piece => ({ bytes, ends: 'sandbox' });

const ids = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(2 ** 31, Number.MAX_SAFE_INTEGER));
const operations = fc.constantFrom(...Object.keys(hostCallKinds));
/** Arguments of calls: none of them ends the run, whether the operation takes them or not. */
const payloads = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('', '{', 'null', '[]', '"\\ud800"', '{"__proto__":{"x":1}}', '{"line":5}', '{"name":"a","value":1}', '{"ms":1}'),
  fc.constantFrom('{"method":"GET","path":"/orders"}', '{"method":"GET","path":"/../x"}', '{"state":{"at":1}}', '{"ms":86400000}'),
  fc.constantFrom(`${'['.repeat(50_000)}${']'.repeat(50_000)}`, JSON.stringify({ line: 'x'.repeat(2_000_000) })),
  fc.constantFrom('{"write":1,"name":"a","content_type":"a/b","size":9007199254740991,"offset":0,"data":"AAAA"}'),
);
const calls = fc.record({ type: fc.constant('call'), id: ids, operation: operations, payload: payloads }).map(goesOn);
const rests = ids.map((answers) => goesOn({ type: 'rest', answers }));
const extras = payloads.map((payload) => goesOn({ type: 'call', id: 1, operation: 'log', payload, more: { deep: [payload] } }));

const wrongMessages = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    5,
    'call',
    [],
    {},
    { type: 'start' },
    { type: 'ready' },
    { type: 'answer', id: 1 },
    { type: '__proto__' },
  ),
  fc.record({ type: fc.constant('call'), id: fc.constantFrom<unknown[]>(-1, 1.5, '1', null), operation: operations, payload: payloads }),
  fc.record({ type: fc.constant('call'), id: ids, operation: fc.constantFrom('fetch', 'constructor', '__proto__', ''), payload: payloads }),
  fc.record({ type: fc.constant('call'), id: ids, operation: operations, payload: fc.constantFrom<unknown[]>(null, {}, 5, []) }),
  fc.constantFrom({ type: 'done' }, { type: 'done', end_reason: 'cpu', error_message: null, result: null, reusable: true }),
  fc.constant({ type: 'rest', answers: -1 }),
);
const brokenFrames = fc.oneof(
  wrongMessages.map((message) => breaks(framed(message))),
  fc.constantFrom('', '{', '{"type":"ready"', 'undefined', '\u0000', '{"type":"ready"}}').map((text) => breaks(frame(text))),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => breaks(frame(Buffer.from([0xc0, ...bytes])))),
  fc.integer({ min: MAX_BYTES + 1, max: 2 ** 32 - 1 }).map((length) => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(length);
    return breaks(Buffer.concat([header, Buffer.alloc(20)]));
  }),
);
const dones = fc
  .record({
    end_reason: fc.constantFrom('completed' as const, 'script_error' as const, 'heap' as const),
    error_message: fc.constantFrom(null, 'no', 'x'.repeat(300_000), '\ud800\u0000'),
    result: fc.constantFrom(null, '{}', 'not JSON', '"\\ud800"', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, `"${'x'.repeat(100_000)}"`),
    reusable: fc.boolean(),
  })
  .map((done): Piece => ({ bytes: framed({ type: 'done', ...done }), ends: done.end_reason }));
/** A frame that never becomes whole: the run waits for it until its time is up. */
const unfinished = fc
  .record({ announced: fc.constantFrom(100, 70_000, MAX_BYTES), sent: fc.nat({ max: 90 }) })
  .map(({ announced, sent }): Piece => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(announced);
    return { bytes: Buffer.concat([header, Buffer.alloc(sent, 32)]), ends: 'wall' };
  });

const conversations = fc.record({
  pieces: fc.array(fc.oneof({ weight: 6, arbitrary: calls }, rests, extras), { maxLength: 25 }),
  end: fc.oneof({ weight: 4, arbitrary: brokenFrames }, { weight: 3, arbitrary: dones }, { weight: 1, arbitrary: unfinished }),
  /** Where the bytes are cut into writes. */
  cuts: fc.array(fc.nat(), { maxLength: 10 }),
});

/** What the fake worker executes: it writes the pieces one after the other and then waits. */
function sourceOf(bytes: Buffer, cuts: readonly number[]): string {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end).toString('base64'));
  return `for (const part of ${JSON.stringify(parts)}) {
    pipe.write(Buffer.from(part, 'base64'));
    await new Promise(setImmediate);
  }
  await new Promise(() => {})`;
}

test(`whatever a worker sends, its run ends for the right reason and the next run is not affected (seed ${SEED})`, {
  timeout: 600_000,
}, async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no garbage collection to call');
  await using runner = await openHostileRunner(FAKE_WORKER);
  const isServed = async (): Promise<void> => {
    assert.deepEqual(await runner.run('return 1 + 1'), [{ status: 'success', end_reason: 'completed', error_message: null, result: 2 }]);
  };
  await isServed();
  const before = heldBytes(() => collect());
  await fc.assert(
    fc.asyncProperty(conversations, async ({ pieces, end, cuts }) => {
      const bytes = Buffer.concat([...pieces, end].map((piece) => piece.bytes));
      const ends = await runner.run(sourceOf(bytes, cuts), { limits: { wall_seconds: end.ends === 'wall' ? 1 : 60 } });
      assert.deepEqual(
        ends.map(({ end_reason }) => end_reason),
        [end.ends],
      );
      for (const { error_message, end_reason } of ends) {
        if (end_reason === 'sandbox' || end_reason === 'wall') assert.equal(typeof error_message, 'string');
      }
    }),
    { seed: SEED, numRuns: CONVERSATIONS, endOnFailure: process.env['CONVERSATIONS'] === undefined },
  );
  await isServed();
  const grown = heldBytes(() => collect()) - before;
  assert.ok(grown < 100 * 1024 * 1024, `the daemon holds ${grown} bytes more than before`);
});
