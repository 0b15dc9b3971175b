import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import {
  CHECKPOINT_MAX_BYTES,
  DETAILS_MAX_BYTES,
  LOG_LINE_MAX_BYTES,
  LOG_RAISED_MAX_BYTES,
  logLinesMax,
  RESULT_MAX_BYTES,
} from '../../contract/run-events.ts';
import { guestLimits } from '../../runner/worker/limits.ts';
import { runScript } from '../helpers/worker.ts';

const Said = z.object({ kind: z.string(), description: z.string().optional(), markdown: z.string().optional() });

test('log joins its values with spaces; strings are unchanged and other values readable', async () => {
  const { logs } = await runScript(`
    const circle: any = { a: 1 }; circle.self = circle;
    log('text', 1, -0, 5n, null, undefined, true, Symbol('s'));
    log({ a: 'x', 'b-c': [1, { d: 2 }] }, [], {}, new Map([['k', 1]]), new Set([1]), new Date(0), /r/g, new Error('bad'));
    log(circle, () => 1, class Name {}, new (class Point { x = 1 })(), Object.create(null), new Uint8Array([1, 2]), new URL('http://x.y/z'));
    log(new Proxy({}, { ownKeys() { throw 1 } }), { get a() { throw 1 } });
    console.error('console', 'too');`);
  assert.deepEqual(logs, [
    'text 1 -0 5n null undefined true Symbol(s)',
    '{ a: "x", "b-c": [1, { d: 2 }] } [] {} Map(1) { "k" => 1 } Set(1) { 1 } 1970-01-01T00:00:00.000Z /r/g Error: bad at task.ts:4:105',
    '{ a: 1, self: [Circular] } [Function] [Function Name] Point { x: 1 } {} Uint8Array(2) [ 1, 2 ] http://x.y/z',
    '[unreadable: thrown] { a: [Getter] }',
    'console too',
  ]);
});

test('a logged error shows its stack, its cause and the errors that it gathers, on one line', async () => {
  const { logs } = await runScript(`function load(): never {
  throw new TypeError('no order');
}
try {
  try { load(); } catch (cause) { throw new Error('cannot go on', { cause }); }
} catch (error) {
  log('failed:', error);
  log({ error });
}
log(new AggregateError([new RangeError('first'), 'second'], 'two failed'));
log(new Error('plain', { cause: { code: 5 } }), new Error(''));
const own: any = new Error('circle'); own.cause = own; log(own);
log(new AdminApiError('POST /x answered 422', { errors: [{ pointer: '/a', code: 'required' }] } as never));
log(Object.assign(new Error('x'), { stack: 5 }), Object.defineProperty(new Error('y'), 'cause', { get() { throw 1 } }));`);
  assert.deepEqual(logs, [
    'failed: Error: cannot go on at task.ts:5:41 caused by TypeError: no order at load (task.ts:2:9) at task.ts:5:9',
    '{ error: Error: cannot go on caused by TypeError: no order }',
    'AggregateError: two failed at task.ts:10:5 with errors [RangeError: first at task.ts:10:25, "second"]',
    'Error: plain at task.ts:11:5 caused by { code: 5 } Error at task.ts:11:49',
    'Error: circle at task.ts:12:18 caused by [Circular]',
    'AdminApiError: POST /x answered 422 at task.ts:13:5 with errors [{ pointer: "/a", code: "required" }]',
    'Error: x [unreadable: thrown]',
  ]);
});

const STORED = { stored: false };
test('a Map, Set or promise that JSON writes as {} is told of with its place, once', async () => {
  const { logs, result } = await runScript(
    `const seen = new Map([[1, 2]]);
    for (let i = 0; i < 5; i++) await checkpoint({ pages: [1, { seen }] });
    await checkpoint({ pages: [1, 2, 3, { seen }] });
    await state.set('k', { tags: new Set(['a']), none: {}, list: [] });
    await once('o', () => ({ 'a b': { late: Promise.resolve(1), error: new TypeError('x') } }));
    await http.request({ url: 'https://example.com/', method: 'POST', body: { q: new URLSearchParams('a=1') }, sample: { body: new Map() } as any });
    result('ok', 'one', { from: new Map() });
    log('others', JSON.stringify([{}, new Date(0), Object.create(null), new (class { toJSON() { return {} } })()]));
    await checkpoint({ a: {}, b: new Date(0), c: Object.create(null), d: new (class { toJSON() { return { x: 1 } } })(), e: new (class Own {})() });
    export default () => new Set([1])`,
    {
      respond: ({ operation }) => ({
        value: operation === 'admin_api' ? '{"status":200,"body":{}}' : JSON.stringify(STORED),
      }),
    },
  );
  assert.deepEqual(logs, [
    'the state of a checkpoint has at pages[1].seen a value of Map, which became {}: its entries are lost; write Object.fromEntries(map) or [...map]',
    'a value of the state has at tags a value of Set, which became {}: its values are lost; write [...set]',
    'the value of once has at ["a b"].late a value of Promise, which became {}: its value is lost; await it first',
    'the body of a request has at q a value of URLSearchParams, which became {}: its entries are lost; write String(it)',
    'what a request has besides its body has at sample.body a value of Map, which became {}: its entries are lost; write Object.fromEntries(map) or [...map]',
    'the details of a result has at from a value of Map, which became {}: its entries are lost; write Object.fromEntries(map) or [...map]',
    'others [{},"1970-01-01T00:00:00.000Z",{},{}]',
    'the result is a value of Set, which became {}: its values are lost; write [...set]',
  ]);
  assert.deepEqual(result, {});
});

test('a log line is cut between characters at 16 KiB and marked as cut', async () => {
  const { logs } = await runScript('log("é😀".repeat(10_000)); log("x".repeat(16_384)); log("\\ud800")');
  assert.equal(Buffer.byteLength(logs[0] ?? '') <= LOG_LINE_MAX_BYTES, true);
  assert.match(logs[0] ?? '', /^(é😀)+é? … \[cut: 60000 bytes\]$/);
  assert.equal(logs[1], 'x'.repeat(16_384));
  assert.equal(logs[2], '\ufffd');
});

test('when a script logs more than its limit, one further line crosses the wall and then no more', async () => {
  const { logs, result } = await runScript(
    'const line = "x".repeat(16_000); for (let i = 0; i < 5000; i++) log(line); export default () => "done"',
  );
  // The limit counts the text that leaves the isolate.
  const bytes = logs.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify({ line })) + 1, 0);
  assert.equal(result, 'done');
  assert.ok(bytes > LOG_RAISED_MAX_BYTES && bytes < LOG_RAISED_MAX_BYTES + 20_000);
});

test('of frequent progress reports only some leave the isolate, and always the last', async () => {
  const { events } = await runScript(
    'for (let i = 1; i <= 5000; i++) { progress(i, 5000, "step " + i); if (i % 50 === 0) await sleep(0); }',
  );
  assert.ok(events.length >= 1 && events.length < 100, String(events.length));
  assert.deepEqual(events.at(-1), { kind: 'progress', current: 5000, total: 5000, label: 'step 5000' });
});

test('of frequent descriptions and details only some leave the isolate, always the last, and what was said before a checkpoint before it', async () => {
  const { events } = await runScript(`
    for (let i = 1; i <= 5000; i++) { describe('step ' + i); details('# ' + i); if (i % 50 === 0) await sleep(0); }
    describe(null); details(undefined); describe({ toString: () => 'last' }); details('é'.repeat(100_000));`);
  assert.ok(events.length >= 2 && events.length < 200, String(events.length));
  const [description, details] = events.slice(-2).map((event) => Said.parse(event));
  assert.deepEqual(description, { kind: 'describe', description: 'last' });
  assert.equal(details?.kind, 'details');
  assert.match(details?.markdown ?? '', /é … \[cut: 200000 bytes\]$/);
  assert.ok(Buffer.byteLength(details?.markdown ?? '') <= DETAILS_MAX_BYTES);

  const order: string[] = [];
  await runScript(`describe('a'); describe('b'); details('c'); details('d'); progress(1, 2); progress(2, 2); await checkpoint({});`, {
    respond({ operation }) {
      order.push(operation);
      return { value: 'null' };
    },
    onEvent: ({ kind, ...event }) => order.push(`${kind} ${Object.values(event)[0]}`),
  });
  assert.deepEqual(order.slice(-4), ['progress 2', 'describe b', 'details d', 'checkpoint']);
});

test('progress works without a label, and results with and without details', async () => {
  const { events } = await runScript('progress(1, 2); result("ok", "order 5"); result("failed", "order 6", { why: [1] })');
  assert.deepEqual(
    events.filter((event) => JSON.stringify(event).includes('result')),
    [
      { kind: 'result', status: 'ok', item: 'order 5', details: {} },
      { kind: 'result', status: 'failed', item: 'order 6', details: { why: [1] } },
    ],
  );
  assert.deepEqual(
    events.find((event) => JSON.stringify(event).includes('progress')),
    { kind: 'progress', current: 1, total: 2, label: '' },
  );
});

const results: Array<[name: string, code: string, result: unknown, log: RegExp | null]> = [
  ['nothing', '() => {}', null, null],
  ['JSON', '() => ({ a: [1, null] })', { a: [1, null] }, null],
  ['64 KiB', '() => "x".repeat(65_534)', 'x'.repeat(65_534), null],
  ['more than 64 KiB', '() => "x".repeat(65_535)', null, /the result is dropped: RangeError: the result may have at most 65536 bytes/],
  ['a circle', '() => { const a: any = {}; a.a = a; return a }', null, /the result is dropped: TypeError: Converting circular/],
  ['a BigInt', '() => 1n', null, /the result is dropped: TypeError: .*BigInt/],
  ['a function', '() => () => 1', null, /the result is dropped: TypeError: the result can't be written as JSON/],
  [
    'what is nested deep',
    '() => { let a = 1; for (let i = 0; i < 5000; i++) a = [a]; return a }',
    null,
    /the result is dropped: RangeError: the result may be nested at most 190 levels/,
  ],
];
for (const [name, code, expected, line] of results) {
  test(`a run that returns ${name} has the expected result`, async () => {
    const { done, result, logs } = await runScript(`export default ${code}`);
    assert.equal(done.end_reason, 'completed');
    assert.deepEqual(result, expected);
    assert.equal(logs.length, line ? 1 : 0);
    if (line) assert.match(logs[0] ?? '', line);
  });
}

test('the limits in the worker are those of the contract', () => {
  const { log_bytes, log_lines, line_bytes, result_bytes, details_bytes, checkpoint_bytes } = guestLimits;
  assert.deepEqual(
    [log_bytes, log_lines, line_bytes, result_bytes, details_bytes, checkpoint_bytes],
    [
      LOG_RAISED_MAX_BYTES,
      logLinesMax(LOG_RAISED_MAX_BYTES),
      LOG_LINE_MAX_BYTES,
      RESULT_MAX_BYTES,
      DETAILS_MAX_BYTES,
      CHECKPOINT_MAX_BYTES,
    ],
  );
});
