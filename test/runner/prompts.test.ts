import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { runOne } from './run-one.ts';
import { problem } from './shop-double.ts';

const Body = z.object({ key: z.string(), label: z.string(), fields: z.array(z.unknown()) });
const isPrompt = ({ path }: { path: string }) => path.endsWith('/prompts');
const open = { id: 1, answers: null, answered_at: null };
const answered = (answers: object) => ({ id: 1, answers, answered_at: '2026-02-01T00:00:00.000Z' });
const ASK = `await call('prompt', { label: 'Sure?', fields: [] })`;
/** A line as it is kept while a run waits. */
const hashOf = (line: string): string => hash('sha256', JSON.stringify({ kind: 'log', line }), 'base64url').slice(0, 8);
const SAID = { texts: '', shown: {} };
const get = (path: string) => `call('admin_api', { method: 'GET', path: '${path}' })`;
const lines = (events: readonly Record<string, unknown>[]) => events.filter(({ kind }) => kind === 'log').map(({ line }) => line);
const ends = (events: readonly Record<string, unknown>[]) => events.filter(({ kind }) => kind === 'finalize' || kind === 'wait');

test('the runner asks for a prompt’s answer with its key until it is answered; the script’s clock moves to the time of the answer', async () => {
  let looks = 0;
  const { seen, events } = await runOne(
    `const both = await Promise.all([${ASK.slice(6)}, ${ASK.slice(6)}]); log(JSON.stringify(both.map(({ value, now_ms }) => [value, now_ms])))`,
    {
      answer(request) {
        if (!isPrompt(request)) return undefined;
        looks += 1;
        return { status: 200, body: looks > 4 ? answered({ sure: true }) : open };
      },
    },
  );
  const at = Date.parse('2026-02-01T00:00:00.000Z');
  assert.deepEqual(lines(events), [JSON.stringify([{ sure: true }, { sure: true }].map((value) => [value, at]))]);
  const keys = seen.filter(isPrompt).map(({ body }) => Body.parse(JSON.parse(body)).key);
  assert.deepEqual([...new Set(keys.map((key) => key.replace(/[0-9a-f]{64}/, '*')))].sort(), ['0/*/0', '0/*/1']);
});

test('what the script has said is stored before its question, which the server logs', async () => {
  const { seen } = await runOne(
    `log('one'); await call('sleep', { ms: 20 }); log('two'); void call('progress', { current: 1, total: 2, label: '' }); ${ASK}; log('three')`,
    {
      answer: (request) => (isPrompt(request) ? { status: 200, body: answered({}) } : undefined),
    },
  );
  const asked = seen.findIndex(isPrompt);
  const said = (requests: typeof seen) => requests.flatMap(({ body }) => body.match(/"(one|two|three)"|"progress"/g) ?? []);
  assert.deepEqual([said(seen.slice(0, asked)), said(seen.slice(asked))], [['"one"', '"two"', '"progress"'], ['"three"']]);
});

test('waiting for a person uses no wall time, unless other work is under way', async () => {
  const askedAt: number[] = [];
  const answer = (request: { path: string }) => {
    if (!isPrompt(request)) return undefined;
    askedAt.push(performance.now());
    return { status: 200, body: askedAt.length > 4 ? answered({}) : open };
  };
  const { finalize, used, tookMs } = await runOne(`${ASK}; return 'in time'`, { answer });
  assert.deepEqual([finalize?.['status'], askedAt.length], ['success', 5]);
  const waitedMs = (askedAt.at(-1) ?? 0) - (askedAt[0] ?? 0);
  assert.ok(waitedMs > 1000, `it waited ${waitedMs} ms`);
  assert.ok(used.wall_ms + waitedMs <= tookMs + 1, `${used.wall_ms} ms were counted of ${tookMs}, ${waitedMs} of them waiting`);
  const { finalize: late } = await runOne(`void ${ASK.slice(6)}; for (;;) await call('sleep', { ms: 500 })`, {
    claim: { limits: { wall_seconds: 1 } },
    answer: (request) => (isPrompt(request) ? { status: 200, body: open } : undefined),
  });
  assert.equal(late?.['end_reason'], 'wall');
});

test('a worker that has waited long enough for a person is given back, after all events of the run were sent', async () => {
  const { events, patches } = await runOne(`log('first'); ${ASK}; log('never')`, {
    promptHoldMs: 300,
    answer: (request) => (isPrompt(request) ? { status: 200, body: open } : undefined),
    async meanwhile(run, workers) {
      await run.workerFree;
      assert.equal((await workers[0]?.ended)?.signal, 'SIGKILL');
    },
  });
  assert.deepEqual(
    [lines(events), ends(events)],
    [['first'], [{ kind: 'wait', prompt_ids: [1], said: { ...SAID, texts: hashOf('first') } }]],
  );
  assert.ok(patches.at(-1)?.key, 'the last PATCH must have a key, so that it can be sent again');
});

test('a run whose worker is not kept while it waits still gets answers that already exist', async () => {
  const answer = (request: { path: string }) => (isPrompt(request) ? { status: 200, body: answered({ sure: true }) } : undefined);
  const { events } = await runOne(`${ASK}; ${ASK}; log('done')`, { promptHoldMs: 0, answer });
  assert.deepEqual([lines(events), ends(events).map(({ kind }) => kind)], [['done'], ['finalize']]);
});

test('a worker is not given back while the run does other work beside its question', async () => {
  let looks = 0;
  const isOver = Promise.withResolvers<undefined>();
  const { events } = await runOne(
    `const asked = ${ASK.slice(6)}; const work = ${get('/work')}; await asked; await ${get('/over')}; await work; log('done')`,
    {
      promptHoldMs: 300,
      answer(request) {
        // The other work lasts until the script has got the answer to its question.
        if (request.path === '/work') return isOver.promise;
        if (request.path === '/over') isOver.resolve(undefined);
        if (!isPrompt(request)) return undefined;
        looks += 1;
        return { status: 200, body: looks > 3 ? answered({}) : open };
      },
    },
  );
  assert.deepEqual([lines(events), ends(events).map(({ kind }) => kind)], [['done'], ['finalize']]);
});

test('a runner that is being stopped gives a waiting run back at once', async () => {
  const { events } = await runOne(ASK, {
    answer: (request) => (isPrompt(request) ? { status: 200, body: open } : undefined),
    meanwhile: (run) => run.drain(),
  });
  assert.deepEqual(ends(events), [{ kind: 'wait', prompt_ids: [1], said: SAID }]);
  let looks = 0;
  const later = await runOne(ASK, {
    answer(request) {
      if (!isPrompt(request)) return undefined;
      looks += 1;
      return { status: 200, body: open };
    },
    async meanwhile(run) {
      while (looks < 2) await delay(20);
      run.drain();
    },
  });
  assert.deepEqual(ends(later.events), [{ kind: 'wait', prompt_ids: [1], said: SAID }]);
});

test('a missing permission is named and logged, a refusal is thrown in the script, and an ended claim ends the run', async () => {
  const { events } = await runOne(
    `for (const label of ['a', 'b']) try { await call('prompt', { label, fields: [] }) } catch (e) { log(e.name + '|' + e.message) }`,
    {
      answer(request) {
        if (!isPrompt(request)) return undefined;
        return Body.parse(JSON.parse(request.body)).label === 'a'
          ? problem(403, 'forbidden', { required_permission: 'prompt_input' })
          : problem(422, 'blank');
      },
    },
  );
  assert.deepEqual(lines(events), ['PermissionError|prompt needs the permission prompt_input', 'AdminApiError|prompt: detail of blank']);
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'admin_api').map(({ method, status }) => [method, status]),
    [['POST', 403]],
  );
  const fenced = await runOne(ASK, { answer: (request) => (isPrompt(request) ? problem(409, 'run_fenced') : undefined) });
  assert.equal(fenced.finalize, undefined);
});

test('in a replay, a question without a recorded answer gets none', async () => {
  const { finalize } = await runOne(ASK, {
    claim: { limits: { wall_seconds: 2 } },
    answer: (request) => (isPrompt(request) ? problem(409, 'not_in_recording') : undefined),
  });
  assert.equal(finalize?.['end_reason'], 'wall');
});

test('a prompt counts as a host call; a hostile prompt is never sent to the server', async () => {
  const { seen, finalize } = await runOne(
    `for (const payload of [{ label: 5, fields: [] }, { label: 'a' }, { label: 'a', fields: Array(1001).fill(0) }, null])
       await call('prompt', payload).then(() => { throw new Error('accepted') }, () => {});
     ${ASK}; ${ASK};`,
    { claim: { limits: { host_calls: 1 } }, answer: (request) => (isPrompt(request) ? { status: 200, body: answered({}) } : undefined) },
  );
  assert.deepEqual([seen.filter(isPrompt).length, finalize?.['end_reason']], [1, 'budget']);
});
