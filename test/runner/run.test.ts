import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Used } from '../../contract/run-events.ts';
import { runOne } from './run-one.ts';
import { problem } from './shop-double.ts';

const admin = (method: string, path: string, body?: unknown): string =>
  `await call('admin_api', ${JSON.stringify({ method, path, body })})`;

test('a trivial run costs one PATCH, or two if its log line is sent before the run ends', async () => {
  const { patches, events } = await runOne(`log('hello'); return { n: 1 };`);
  const told = patches.filter(({ body }) => !body.startsWith('{"events":[],'));
  assert.ok(told.length === 1 || told.length === 2, JSON.stringify(told));
  assert.deepEqual(events, [
    { kind: 'log', line: 'hello' },
    { kind: 'finalize', status: 'success', end_reason: 'completed', error_message: null, result: { n: 1 } },
  ]);
});

test('the wait for a worker uses no wall time: after a run that took down its worker, the next has its whole time', async () => {
  const { finalize, used, tookMs } = await runOne(`return 1`, { beforeWorker: () => delay(600) });
  assert.equal(finalize?.['status'], 'success');
  assert.ok(used.wall_ms + 600 <= tookMs + 2, `${used.wall_ms} ms were counted of ${tookMs}, 600 of them without a worker`);
});

test('an admin_api call is sent with token, key and body, and its answer brings the server’s time', async () => {
  const { seen, events, claim } = await runOne(
    `const a = ${admin('POST', '/customers/1/notes', { b: 1, a: 2 })}; const b = ${admin('POST', '/customers/1/notes', { a: 2, b: 1 })}; log(JSON.stringify([a, b.now_ms]))`,
    {
      answer: ({ path }) =>
        path.includes('notes') ? { status: 201, body: { id: 5 }, headers: { 'Backroom-Time': '2026-02-01T00:00:00.000Z' } } : undefined,
    },
  );
  const calls = seen.filter(({ path }) => path === '/customers/1/notes');
  assert.equal(calls[0]?.token, `Bearer ${claim.token}`);
  assert.match(calls[0]?.key ?? '', /^"0\/[0-9a-f]{64}\/0"$/);
  assert.equal(calls[1]?.key, calls[0]?.key?.replace(/0"$/, '1"'));
  assert.equal(calls[0]?.body, '{"b":1,"a":2}');
  const nowMs = Date.parse('2026-02-01T00:00:00.000Z');
  assert.deepEqual(
    events
      .filter(({ kind }) => kind !== 'finalize')
      .map(({ kind, began_ms, duration_ms, ...event }) => {
        const isTimed = Number.isInteger(began_ms) && Number.isInteger(duration_ms) && Number(duration_ms) >= 0;
        return kind === 'admin_api' ? { kind, ...event, isTimed } : { kind, ...event };
      }),
    [
      { kind: 'admin_api', method: 'POST', path: '/customers/1/notes', status: 201, epoch: 0, isTimed: true },
      { kind: 'admin_api', method: 'POST', path: '/customers/1/notes', status: 201, epoch: 0, isTimed: true },
      { kind: 'log', line: JSON.stringify([{ value: { status: 201, body: { id: 5 } }, now_ms: nowMs }, nowMs]) },
    ],
  );
});

test('a refusal becomes an AdminApiError, a missing permission a PermissionError that names it', async () => {
  const { events } = await runOne(
    `for (const path of ['/a', '/b']) try { await call('admin_api', { method: 'GET', path }) } catch (e) { log(e.name + '|' + e.message + '|' + e.status + '|' + e.code) }`,
    {
      answer: ({ path }) =>
        path === '/a'
          ? problem(422, 'validation_failed')
          : path === '/b'
            ? problem(403, 'forbidden', { required_permission: 'admin_api.orders.read' })
            : undefined,
    },
  );
  const lines = events.filter(({ kind }) => kind === 'log').map(({ line }) => line);
  assert.deepEqual(lines, [
    'AdminApiError|GET /a answered 422 validation_failed: detail of validation_failed|422|validation_failed',
    'PermissionError|GET /b needs the permission admin_api.orders.read|403|forbidden',
  ]);
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'admin_api').map(({ status }) => status),
    [422, 403],
  );
});

test('a call outside /admin/api is never sent', async () => {
  const { seen, finalize } = await runOne(admin('GET', '/../metrics'));
  assert.equal(seen.filter(({ method }) => method === 'GET').length, 0);
  assert.match(String(finalize?.['error_message']), /must not leave/);
});

test('after a lost answer, or an answer of a busy server or of a proxy without a server, a call is repeated with the same key', async () => {
  let tries = 0;
  const { seen, finalize } = await runOne(admin('POST', '/x', {}), {
    answer({ path }) {
      if (path !== '/x') return undefined;
      tries += 1;
      if (tries === 1) return 'drop';
      if (tries === 2) return problem(503, 'busy');
      return tries === 3 ? { status: 502, body: 'bad gateway' } : { status: 201, body: {} };
    },
  });
  const keys = seen.filter(({ path }) => path === '/x').map(({ key }) => key);
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys).size, 1);
  assert.equal(finalize?.['status'], 'success');
});

test('an event batch whose answer is lost is sent again with the same key', async () => {
  let tries = 0;
  const { patches, finalize } = await runOne(`log('once')`, {
    answer: ({ method }) => (method === 'PATCH' && ++tries === 1 ? 'drop' : undefined),
  });
  assert.equal(patches[0]?.key, patches[1]?.key);
  assert.equal(patches[0]?.body, patches[1]?.body);
  assert.equal(finalize?.['status'], 'success');
});

test('10,000 log lines arrive in order, in batches', async () => {
  const startedAt = performance.now();
  const { events, patches } = await runOne(`for (let i = 0; i < 10000; i++) log('line ' + i)`);
  const seconds = Math.ceil((performance.now() - startedAt) / 1000);
  const lines = events.filter(({ kind }) => kind === 'log').map(({ line }) => line);
  assert.deepEqual(
    lines,
    Array.from({ length: 10_000 }, (_, i) => `line ${i}`),
  );
  assert.ok(patches.length <= 25 * seconds, `${patches.length} batches in ${seconds} s`);
});

test('of frequent progress reports only some are sent, and always the last', async () => {
  const startedAt = performance.now();
  const { events } = await runOne(`for (let i = 1; i <= 500; i++) event({ kind: 'progress', current: i, total: 500, label: '' })`);
  const seconds = Math.ceil((performance.now() - startedAt) / 1000);
  const progress = events.filter(({ kind }) => kind === 'progress');
  assert.ok(progress.length <= 10 * seconds, `${progress.length} in ${seconds} s`);
  assert.equal(progress.at(-1)?.['current'], 500);
});

test('a description is made one short line, details are cut, and of many only some are sent, the last before a checkpoint and the end', async () => {
  const { events } = await runOne(`
    event({ kind: 'describe', description: ' two\\nlines\\u0000\\u2028 \\ud800' + '😀'.repeat(300) });
    event({ kind: 'details', markdown: '\\u0000' + 'ü'.repeat(70_000) });
    for (let i = 1; i <= 500; i++) { event({ kind: 'describe', description: 'step ' + i }); event({ kind: 'details', markdown: '# ' + i }); }
    await call('checkpoint', { state: {} });
    for (let i = 1; i <= 9; i++) { event({ kind: 'describe', description: 'step 500' }); event({ kind: 'details', markdown: '# 500' }); }
    event({ kind: 'details', markdown: 'end' });`);
  const described = events.filter(({ kind }) => kind === 'describe').map(({ description }) => String(description));
  const details = events.filter(({ kind }) => kind === 'details').map(({ markdown }) => String(markdown));
  assert.equal(described[0], `two lines \ufffd${'😀'.repeat(188)}…`);
  assert.equal([...(described[0] ?? '')].length, 200);
  assert.match(details[0] ?? '', /^\ufffdü+ … \[cut: \d+ bytes\]$/);
  assert.ok(Buffer.byteLength(details[0] ?? '') <= 64 * 1024);
  assert.ok(described.length + details.length < 50, `${described.length} and ${details.length}`);
  const at = events.findIndex(({ kind }) => kind === 'checkpoint');
  const before = events.slice(0, at);
  assert.equal(before.findLast(({ kind }) => kind === 'describe')?.['description'], 'step 500');
  assert.equal(before.findLast(({ kind }) => kind === 'details')?.['markdown'], '# 500');
  assert.deepEqual(
    events.slice(at + 1).filter(({ kind }) => kind !== 'finalize'),
    [{ kind: 'details', markdown: 'end' }],
    'what was said already is not sent again',
  );
});

/** A text as it is kept while a run waits. */
const hashOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 8);

test('a script that goes on after a wait does not set back what it said that the run is about', async () => {
  const source = `event({ kind: 'describe', description: 'early' }); event({ kind: 'details', markdown: 'early' }); log('one');
    event({ kind: 'describe', description: 'late' }); event({ kind: 'details', markdown: 'late' });`;
  const said = {
    texts: hashOf('{"kind":"log","line":"one"}'),
    shown: { description: hashOf('{"kind":"describe","description":"early"}') },
    waits: [1],
  };
  const { events } = await runOne(source, { claim: { said } });
  assert.deepEqual(
    events.filter(({ kind }) => kind !== 'finalize'),
    [
      { kind: 'describe', description: 'late' },
      { kind: 'details', markdown: 'late' },
    ],
  );
});

test('a checkpoint waits for earlier calls, ends its epoch and brings a new seed', async () => {
  const { seen, events } = await runOne(
    `const early = call('admin_api', { method: 'GET', path: '/early' });
     log('before');
     const point = call('checkpoint', { state: { n: 1 } });
     const late = call('admin_api', { method: 'GET', path: '/early' });
     log('after');
     await early; const { seed } = await point; await late; log(seed !== start.seed && seed.length === 64 ? 'new seed' : 'same seed')`,
    {
      async answer({ path }) {
        if (path !== '/early') return undefined;
        await delay(30);
        return { status: 200, body: {} };
      },
    },
  );
  const order = seen
    .filter(({ body, path }) => path === '/early' || body.includes('checkpoint'))
    .map(({ path, key }) => (path === '/early' ? key?.replace(/[0-9a-f]{64}/, 'f') : 'checkpoint'));
  assert.deepEqual(order, ['"0/f/0"', 'checkpoint', '"1/f/0"']);
  const kinds = events.map(({ kind, line }) => line ?? kind);
  assert.deepEqual(kinds, ['before', 'admin_api', 'checkpoint', 'after', 'admin_api', 'new seed', 'finalize']);
  assert.deepEqual(
    events.find(({ kind }) => kind === 'checkpoint'),
    { kind: 'checkpoint', state: { n: 1 }, epoch: 0 },
  );
});

test('writes stop at exactly their budget; refused and replayed writes do not count', async () => {
  let effects = 0;
  const { finalize } = await runOne(
    `await Promise.all(Array.from({ length: 30 }, (_, n) => call('admin_api', { method: 'POST', path: '/x', body: { n } }).catch(() => {})))`,
    {
      claim: { limits: { writes: 5 }, writes_made: 2 },
      answer({ path, body }) {
        if (path !== '/x') return undefined;
        const { n } = JSON.parse(body);
        if (n === 0) return { status: 201, body: {}, headers: { 'Idempotency-Replayed': 'true' } };
        if (n % 2 === 1) return problem(422, 'validation_failed');
        effects += 1;
        return { status: 201, body: {} };
      },
    },
  );
  assert.equal(effects, 3);
  assert.deepEqual(
    [finalize?.['status'], finalize?.['end_reason'], finalize?.['error_message']],
    ['interrupted', 'budget', 'the budget writes of 5 is spent: raise settings.limits.writes of the task and resume the run'],
  );
});

test('host calls stop at exactly their budget', async () => {
  const { seen, finalize } = await runOne(`for (;;) await call('admin_api', { method: 'GET', path: '/x' })`, {
    claim: { limits: { host_calls: 40 } },
  });
  assert.equal(seen.filter(({ path }) => path === '/x').length, 40);
  assert.equal(finalize?.['end_reason'], 'budget');
});

test('the log stops at its budget', async () => {
  const { events, finalize } = await runOne(`for (let i = 0; i < 1000; i++) log('x'.repeat(100))`, {
    claim: { limits: { log_bytes: 2048 } },
  });
  const bytes = events.filter(({ kind }) => kind === 'log').reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0);
  assert.ok(bytes <= 2048 && bytes > 1900);
  assert.deepEqual([finalize?.['status'], finalize?.['end_reason']], ['interrupted', 'budget']);
});

/** A run with an earlier attempt. */
const RESUMED = { id: 9001, task_id: 7, dry_run: false, attempt: 2, record: false, replay: false, resumes: true };

for (const [what, limits, others] of [
  ['budget', { writes: 2 }, 1],
  ['place', {}, 20],
] as const) {
  test(`a write that does not match the journal yet takes no ${what} from the write that does`, async () => {
    let explained = false;
    const { finalize, seen } = await runOne(
      `const bodies = [...Array.from({ length: ${others} }, (_, n) => ({ n })), { noted: true }];
       await Promise.all(bodies.map((body) => call('admin_api', { method: 'POST', path: '/x', body })))`,
      {
        claim: { limits, writes_made: 1, run: RESUMED },
        answer({ path, body }) {
          if (path !== '/x') return undefined;
          if (!body.includes('noted')) return explained ? { status: 201, body: {} } : problem(409, 'resume_mismatch');
          explained = true;
          return { status: 201, body: {}, headers: { 'Idempotency-Replayed': 'true' } };
        },
      },
    );
    assert.deepEqual([finalize?.['status'], finalize?.['error_message']], ['success', null]);
    assert.equal(new Set(seen.filter(({ path }) => path === '/x').map(({ body }) => body)).size, others + 1);
  });
}

test('a write that differs from the one in the journal ends the run, and its error shows both', async () => {
  const { finalize } = await runOne(admin('POST', '/x', {}), {
    answer: ({ path }) => (path === '/x' ? problem(409, 'resume_mismatch', { earlier: { body: 'old' } }) : undefined),
  });
  assert.deepEqual([finalize?.['status'], finalize?.['end_reason']], ['interrupted', 'resume_mismatch']);
  assert.match(String(finalize?.['error_message']), /old/);
});

test('a short sleep moves the clock; the server keeps the end of a long one, and the runner looks only when it has come', async () => {
  const end = '2026-01-02T03:05:00.000Z';
  const { seen, events } = await runOne(
    `const a = await call('sleep', { ms: 40 }); const b = await call('sleep', { ms: 1000 }); log([a.now_ms - start.now_ms, b.now_ms].join())`,
    {
      answer: ({ path }) =>
        path.endsWith('/waits') ? { status: 200, body: { id: 1, value: null, ended_at: end, left_ms: 0, again: false } } : undefined,
    },
  );
  const waits = seen.filter(({ path }) => path.endsWith('/waits')).map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    waits.map(({ key, timeout_ms }) => [key.replace(/[0-9a-f]{64}/, '*'), timeout_ms]),
    [['0/*/0', 1000]],
  );
  assert.equal(events.find(({ kind }) => kind === 'log')?.['line'], `40,${Date.parse(end)}`);
});

test('LI4: CPU time, wall time and host calls of earlier attempts count, and the runner reports the sums', async () => {
  const LATER = { cpu_ms: 5000, wall_ms: 60_000, host_calls: 4 };
  const spent = await runOne(`${admin('GET', '/a')}; ${admin('GET', '/b')}`, { claim: { limits: { host_calls: 5 }, used: LATER } });
  assert.deepEqual(spent.events.at(-1)?.['end_reason'], 'budget');
  assert.equal(spent.seen.filter(({ path }) => path === '/a' || path === '/b').length, 1);
  const told = z.object({ used: Used }).parse(JSON.parse(spent.patches.at(-1)?.body ?? '')).used;
  assert.equal(told.host_calls, 5);
  assert.ok(told.cpu_ms >= LATER.cpu_ms && told.wall_ms >= LATER.wall_ms, JSON.stringify(told));
  const late = await runOne('for (;;) {}', { claim: { limits: { wall_seconds: 60 }, used: LATER } });
  assert.deepEqual([late.events.at(-1)?.['status'], late.events.at(-1)?.['end_reason']], ['timed_out', 'wall']);
  const busy = await runOne('for (;;) {}', { claim: { limits: { cpu_seconds: 5 }, used: LATER } });
  assert.deepEqual([busy.events.at(-1)?.['status'], busy.events.at(-1)?.['end_reason']], ['failed', 'cpu']);
});
