import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallNames } from '../../runner/recording.ts';
import { runOne } from './run-one.ts';
import { problem } from './shop-double.ts';

const ends: [name: string, source: string, options: Parameters<typeof runOne>[1], status: string, endReason: string][] = [
  ['a script that throws', `throw new Error('no')`, {}, 'failed', 'script_error'],
  ['a busy loop', `for (;;);`, { claim: { limits: { cpu_seconds: 1 } } }, 'failed', 'cpu'],
  [
    'waiting forever',
    `await new Promise(() => setInterval(() => {}, 1000))`,
    { claim: { limits: { wall_seconds: 1 } } },
    'timed_out',
    'wall',
  ],
  [
    'more memory than the cap',
    `globalThis.kept = []; for (;;) { kept.push(Buffer.alloc(2 ** 24, 1)); await new Promise((r) => setTimeout(r, 2)) }`,
    { claim: { limits: { heap_mib: 16 } } },
    'failed',
    'heap',
  ],
  [
    'V8 out of memory',
    `const a = []; for (;;) a.push(new Array(1e6).fill({}))`,
    { claim: { limits: { heap_mib: 512 } } },
    'failed',
    'heap',
  ],
  ['SIGKILL from outside', `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})`, {}, 'interrupted', 'lost_worker'],
  ['a crash', `process.kill(process.pid, 'SIGSEGV'); await new Promise(() => {})`, {}, 'failed', 'sandbox'],
  ['leaving', `process.exit(0)`, {}, 'failed', 'sandbox'],
  ['a frame that is not JSON', `pipe.write(Buffer.from([0, 0, 0, 1, 33])); await new Promise(() => {})`, {}, 'failed', 'sandbox'],
  ['a frame that is too large', `pipe.write(Buffer.from([255, 0, 0, 1, 33])); await new Promise(() => {})`, {}, 'failed', 'sandbox'],
  ['a message outside the protocol', `await call('fetch', {})`, {}, 'failed', 'sandbox'],
  [
    'a second "ready"',
    `pipe.write(Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('{"type":"ready"}')])); await new Promise(() => {})`,
    {},
    'failed',
    'sandbox',
  ],
];

for (const [name, source, options, status, endReason] of ends) {
  test(`${name}: ${status}, ${endReason}`, async () => {
    const { finalize } = await runOne(source, options);
    assert.deepEqual([finalize?.['status'], finalize?.['end_reason']], [status, endReason], String(finalize?.['error_message']));
  });
}

test('log lines that were written before a crash arrive', async () => {
  const { events } = await runOne(
    `log('last words'); setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 5); await new Promise(() => {})`,
  );
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['log', 'finalize'],
  );
});

test('a fenced run is killed and reports nothing more', async () => {
  const { finalize, patches } = await runOne(`log('x'); await new Promise(() => setInterval(() => {}, 1000))`, {
    answer: ({ method }) => (method === 'PATCH' ? problem(409, 'run_fenced') : undefined),
  });
  assert.equal(patches.length, 1);
  assert.equal(finalize, undefined);
});

test('a cancelled run ends when its next heartbeat is refused', async () => {
  let cancelled = false;
  let refused = 0;
  const { finalize } = await runOne(`await new Promise(() => setInterval(() => {}, 1000))`, {
    answer({ method }) {
      if (method !== 'PATCH' || !cancelled) return undefined;
      refused += 1;
      return problem(409, 'run_fenced');
    },
    meanwhile() {
      cancelled = true;
    },
  });
  assert.deepEqual([finalize, refused], [undefined, 1]);
});

test('a run of a stopping runner ends at its next checkpoint', async () => {
  const first = Promise.withResolvers<void>();
  const { events, finalize } = await runOne(
    `for (let n = 0; ; n++) { log('round ' + n); await call('checkpoint', { state: { n } }); await new Promise((r) => setTimeout(r, 50)) }`,
    {
      answer: ({ body }) => void (body.includes('checkpoint') && first.resolve()),
      async meanwhile(run) {
        await first.promise;
        run.drain();
      },
    },
  );
  assert.deepEqual([finalize?.['status'], finalize?.['end_reason']], ['interrupted', 'drained']);
  assert.deepEqual(
    events.slice(-2).map(({ kind }) => kind),
    ['checkpoint', 'finalize'],
  );
});

test('a run without a checkpoint ends as drained when it is interrupted', async () => {
  const begun = Promise.withResolvers<void>();
  const { finalize } = await runOne(`log('begun'); await new Promise(() => setInterval(() => {}, 1000))`, {
    answer: ({ body }) => void (body.includes('begun') && begun.resolve()),
    async meanwhile(run) {
      await begun.promise;
      run.interrupt();
    },
  });
  assert.equal(finalize?.['end_reason'], 'drained');
});

test('a run that dies while its checkpoint is being sent reports the checkpoint and its end once', async () => {
  const sent = Promise.withResolvers<void>();
  const died = Promise.withResolvers<void>();
  const { events, finalize } = await runOne(
    `setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100); await call('checkpoint', { state: {} })`,
    {
      async answer({ body }) {
        if (!body.includes('checkpoint')) return undefined;
        sent.resolve();
        await died.promise;
        return { status: 204 };
      },
      async meanwhile(_, workers) {
        await sent.promise;
        await Promise.race(workers.map(({ ended }) => ended));
        died.resolve();
      },
    },
  );
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['checkpoint', 'finalize'],
  );
  assert.equal(finalize?.['end_reason'], 'lost_worker');
});

test('a replay logs a call that its script left unawaited if the recorded script got its answer, and sends the others too', async () => {
  const names = createCallNames();
  const payloadOf = (path: string) => ({ method: 'GET', path });
  const nameOf = (path: string): string => names(0, { operation: 'admin_api', said: JSON.stringify(payloadOf(path)) });
  const answers = ['/second', '/first'].map((path, i) => ({ position: i + 1, call: nameOf(path), now_ms: null, again: false }));
  const { seen, events } = await runOne(
    ['/first', '/cut', '/second'].map((path) => `void call('admin_api', ${JSON.stringify(payloadOf(path))});`).join('\n'),
    {
      claim: { run: { id: 1, task_id: 7, dry_run: false, attempt: 1, record: false, replay: true } },
      answer: ({ path }) =>
        path.includes('/answers') ? { status: 200, body: { answers: path.endsWith('after=0') ? answers : [] } } : undefined,
    },
  );
  const sent = seen.filter(({ method, path }) => method === 'GET' && !path.includes('/answers')).map(({ path }) => path);
  assert.deepEqual(sent.sort(), ['/cut', '/first', '/second']);
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'admin_api').map(({ path }) => path),
    ['/second', '/first'],
  );
});
