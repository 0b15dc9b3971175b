import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Responder, runScript } from '../helpers/worker.ts';

const Slept = z.object({ ms: z.number() });

/** Answers as the runner does. A sleep ends when nothing else can happen; the earliest end comes first, and moves the clock. */
function sleeper(nowMs: number): { respond: Responder; onRest: () => void; slept: number[] } {
  const open: Array<{ until: number; end: (answer: { value: string; now_ms: number }) => void }> = [];
  const slept: number[] = [];
  let now = nowMs;
  const onRest = (): void => {
    const first = open.sort((a, b) => a.until - b.until).shift();
    if (!first) return;
    now = Math.max(now, first.until);
    first.end({ value: 'null', now_ms: now });
  };
  const respond: Responder = ({ operation, payload }) => {
    if (operation !== 'sleep') return { value: '{"status":200,"body":null}', now_ms: now };
    const { ms } = Slept.parse(payload);
    slept.push(ms);
    return new Promise((end) => {
      open.push({ until: now + ms, end });
    });
  };
  return { respond, onRest, slept };
}

async function run(source: string) {
  const { respond, onRest, slept } = sleeper(1000);
  return { ...(await runScript(source, { respond, onRest, nowMs: 1000 })), slept };
}

test('timers fire with their arguments, in the order in which they are due by the script’s clock', async () => {
  const { result, slept, done } = await run(`
    const order: unknown[] = [];
    const at = Date.now();
    const all = [300, 100, 200, 100].map((ms, i) => new Promise<void>((done) => setTimeout((...args) => { order.push([Date.now() - at, ...args]); done() }, ms, ms, i)));
    setTimeout(() => order.push('cleared'), 150);
    const cleared = setTimeout(() => order.push('cleared'), 50);
    clearTimeout(cleared); clearTimeout(cleared); clearTimeout(undefined); clearTimeout('x' as any); clearTimeout(Symbol() as any);
    await Promise.all(all);
    export default () => order;`);
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [[100, 100, 1], [100, 100, 3], 'cleared', [200, 200, 2], [300, 300, 0]]);
  assert.deepEqual(slept, [100, 50, 50, 100]);
});

test('a thousand timers fire before a sleep that ends later; answers that arrive meanwhile wait for the due timers', async () => {
  const { result, slept } = await run(`
    const order: string[] = [];
    let fired = 0;
    setTimeout(() => { for (const i of [1, 2]) void admin_api.get('/' + i).then(() => order.push('answer ' + i)) }, 4);
    for (let i = 0; i < 1000; i++) setTimeout(() => { fired += 1; if (i === 998) order.push('the last of ' + fired) }, 1 + i % 5);
    await sleep(500);
    order.push('sleep after ' + fired);
    export default () => order;`);
  assert.deepEqual(result, ['the last of 800', 'answer 1', 'answer 2', 'sleep after 1000']);
  assert.ok(slept.length < 10, String(slept));
});

test('an interval repeats until it is cleared, and pending timers do not keep the run from ending', async () => {
  const { result, logs } = await run(`
    let n = 0;
    await new Promise<void>((done) => { const id = setInterval(() => { n += 1; if (n === 3) { clearInterval(id); done() } }, 10) });
    setInterval(() => { n += 100 }, 10);
    setTimeout(() => { n += 1000 }, 5);
    export default () => n;`);
  assert.equal(result, 3);
  assert.deepEqual(logs, ['2 timers were still open when the task ended: pending work is dropped']);
});

test('how long the sleep for the next timer is does not depend on an answer that comes while timers fire', async () => {
  const slept: number[] = [];
  const { promise: readEnds, resolve: endRead } = Promise.withResolvers<{ value: string; now_ms: number }>();
  const respond: Responder = ({ operation, payload }) => {
    if (operation !== 'sleep') return readEnds;
    slept.push(Slept.parse(payload).ms);
    if (slept.length > 1) return { value: 'null', now_ms: 1011 };
    queueMicrotask(() => endRead({ value: '{"status":200,"body":null}', now_ms: 1004 }));
    return { value: 'null', now_ms: 1001 };
  };
  const { done } = await runScript(
    `const wait = (ms: number) => new Promise<void>((end) => setTimeout(end, ms));
    await Promise.all([admin_api.get('/1'), wait(1), wait(11)]);`,
    { respond, nowMs: 1000 },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(slept, [1, 10]);
});

test('microtasks run before timers, each timer has its own turn, and invalid delays count as one millisecond', async () => {
  const { result } = await run(`
    const order: unknown[] = [];
    await new Promise<void>((done) => {
      setTimeout(() => { order.push('a'); queueMicrotask(() => order.push('after a')); Promise.resolve().then(() => order.push('then a')) });
      setTimeout(() => order.push('b'), -5);
      setTimeout(() => order.push('c'), NaN);
      setTimeout(() => order.push('d'), 2 ** 31);
      setTimeout(() => { order.push('e'); done() }, '1' as any);
      queueMicrotask(() => order.push('first'));
    });
    export default () => order;`);
  assert.deepEqual(result, ['first', 'a', 'after a', 'then a', 'b', 'c', 'd', 'e']);
});

test('waiting timers do not count as calls in flight, however many are set and cleared', async () => {
  const { result, slept } = await run(`
    for (let i = 0; i < 100; i++) clearTimeout(setTimeout(() => {}, 60_000 - i));
    const timeouts = Array.from({ length: 50 }, (_, i) => setTimeout(() => { throw new Error('too late') }, 50_000 - i));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => admin_api.get('/' + i)));
    for (const id of timeouts) clearTimeout(id);
    export default () => answers.length;`);
  assert.equal(result, 40);
  assert.ok(slept.length <= 2, String(slept));
});

test('a checkpoint does not wait for timers', async () => {
  const { result } = await run(`
    const order: string[] = [];
    const fired = new Promise<void>((done) => setTimeout(() => { order.push('timer'); done() }, 5000));
    await checkpoint({}); order.push('checkpoint');
    await fired;
    export default () => order;`);
  assert.deepEqual(result, ['checkpoint', 'timer']);
});

const failures: Array<[name: string, code: string, message: RegExp]> = [
  [
    'a timer',
    'setTimeout(() => { throw new RangeError("late") }, 5); await new Promise((done) => setTimeout(done, 50))',
    /^RangeError: late\n.*task\.ts:1:\d+/,
  ],
  ['a microtask', 'queueMicrotask(() => { throw new Error("soon") }); await sleep(5)', /^Error: soon\n.*task\.ts:1:\d+/],
  ['an async timer', 'setTimeout(async () => { throw new Error("later") }); await sleep(50)', /^unhandled rejection: Error: later/],
  ['a timer without a function', 'setTimeout("log(1)" as any, 1)', /^TypeError: setTimeout takes a function/],
  [
    'fetch',
    'await fetch("https://example.com")',
    /^TypeError: there is no network in a task: use admin or admin_api .*files.*llm\.complete/,
  ],
];
for (const [name, code, message] of failures) {
  test(`an error thrown by ${name} fails the run, and names its line`, async () => {
    const { done } = await run(code);
    assert.equal(done.end_reason, 'script_error');
    assert.match(done.error_message ?? '', message);
  });
}

test('a default function can wait for a timer, and a timer can set others', async () => {
  const { result } = await run(`
    const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
    export default async () => { const from = Date.now(); for (let i = 0; i < 5; i++) await wait(1000); return Date.now() - from };`);
  assert.equal(result, 5000);
});
