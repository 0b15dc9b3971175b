import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import { MAX_BATCH_BYTES } from '../../contract/start-options.ts';
import { onBothStores } from '../helpers/app.ts';
import { gatheredStarts } from '../helpers/gathered-starts.ts';
import { hooks } from '../helpers/hooks.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';

/** spec GS1-GS6 for hooks and for starts by runs. */

const HOUR_MS = 3_600_000;

onBothStores('gathered starts of hooks', (app) => {
  const { make, call, runsOf, runOf } = hooks(app);
  const { pass, waitingOf } = gatheredStarts(app);
  const json = { 'content-type': 'application/json' };
  const send = (address: string, body: object, headers = {}) => call(address, JSON.stringify(body), { ...json, ...headers });
  const parametersOf = ({ parameters }: { parameters: string }) => JSON.parse(parameters).payload;

  test('GS2, HK2: calls are gathered by a field of their body; each is told so, and a repeated one gets the same', async () => {
    const hook = await make({ idempotency_header: 'X-Id', start: { debounce: { key: 'body.order.id', ms: HOUR_MS } } });
    const first = await send(hook.address, { order: { id: 7 }, n: 1 }, { 'x-id': 'one' });
    assert.equal(first.status, 202);
    assert.deepEqual([field(first.body, 'run_id'), field(first.body, 'gathered')], [null, true]);
    const second = await send(hook.address, { order: { id: 7 }, n: 2 }, { 'x-id': 'two' });
    assert.equal(field(second.body, 'start_id'), field(first.body, 'start_id'));
    assert.ok(Date.parse(String(field(second.body, 'due_at'))) >= Date.parse(String(field(first.body, 'due_at'))));
    const other = await send(hook.address, { order: { id: 8 }, n: 3 }, { 'x-id': 'three' });
    assert.notEqual(field(other.body, 'start_id'), field(first.body, 'start_id'));
    const again = await send(hook.address, { order: { id: 7 }, n: 1 }, { 'x-id': 'one' });
    assert.deepEqual(again.body, second.body, 'a repeated call is not gathered twice');
    const shown = await app().client.ai_tasks.get_hook(hook.taskId, hook.id);
    assert.deepEqual([shown.gathered.starts, shown.gathered.items], [2, 3]);
    assert.deepEqual(
      (await waitingOf(hook.taskId)).map(({ kind, hook_id, key }) => [kind, hook_id, key]),
      [
        ['hook', hook.id, null],
        ['hook', hook.id, null],
      ],
      'what was sent is not shown',
    );
    await pass(HOUR_MS);
    const runs = (await runsOf(hook)).map(parametersOf).sort((a, b) => a.body.n - b.body.n);
    assert.deepEqual(
      runs.map(({ body, gathered }) => [body.n, gathered]),
      [
        [2, 2],
        [3, 1],
      ],
    );
    const late = await send(hook.address, { order: { id: 7 }, n: 1 }, { 'x-id': 'one' });
    const run = (await runsOf(hook)).find(({ parameters }) => JSON.parse(parameters).payload.body.n === 2);
    assert.equal(runOf(late), run?.id, 'afterwards it gets the run');
  });

  test('GS2: a full batch opens with the call that fills it, and no batch is larger than its bytes', async () => {
    const full = await make({ start: { batch: { max: 2, ms: HOUR_MS } } });
    assert.equal(field((await send(full.address, { n: 1 })).body, 'run_id'), null);
    const runId = runOf(await send(full.address, { n: 2 }));
    const run = await app().client.ai_tasks.get_run(full.taskId, runId);
    assert.deepEqual(
      parametersOf(run).map(({ body }: { body: { n: number } }) => body.n),
      [1, 2],
    );
    const large = await make({ start: { batch: { max: 1000, ms: HOUR_MS } } });
    const text = 'x'.repeat(MAX_BATCH_BYTES / 2 - 1000);
    for (let n = 0; n < 3; n += 1) await send(large.address, { n, text });
    await pass(0);
    const [first, ...more] = await runsOf(large);
    assert.ok(first && more.length === 0);
    assert.equal(parametersOf(first).length, 2, 'the third would have made it too large');
    await pass(HOUR_MS);
    assert.equal((await runsOf(large)).length, 2);
  });

  test('GS4: of a rate, a call is told that its run waits, or is refused with overflow skip', async () => {
    const waiting = await make({ start: { rate: { per_minute: 1 } } });
    assert.equal(typeof runOf(await send(waiting.address, { n: 1 })), 'number');
    const second = await send(waiting.address, { n: 2 });
    assert.deepEqual([second.status, field(second.body, 'run_id')], [202, null]);
    await pass(60_000);
    assert.equal((await runsOf(waiting)).length, 2);
    const skipping = await make({ start: { rate: { per_minute: 1, overflow: 'skip' } } });
    runOf(await send(skipping.address, { n: 1 }));
    assert.deepEqual(codeOf(await send(skipping.address, { n: 2 })), [429, 'rate_limited']);
    assert.equal((await runsOf(skipping)).length, 1);
  });

  test('GS1, GS5: a hook that waits gathers nothing; keys are fields of what is sent; a removed hook tells what it had gathered', async () => {
    const debounce = { ms: HOUR_MS };
    const wrong = async (body: object) =>
      (await refused(make(body), 422, 'invalid_value')).errors.map((one) => `${one.pointer} ${one.detail}`);
    assert.match((await wrong({ wait: true, start: { debounce } }))[0] ?? '', /^\/wait goes only without debounce, batch, delay and rate/);
    assert.match((await wrong({ start: { debounce: { ...debounce, key: 'id' } } }))[0] ?? '', /must be body.<field>, query.<field> or/);
    const none = { parameter: null, start: { debounce: { ...debounce, key: 'query.id' } } };
    assert.match((await wrong(none))[0] ?? '', /is only there for a hook with a parameter/);
    const timely = await make({ wait: true, start: { ttl: HOUR_MS } });
    assert.equal(typeof runOf(await call(timely.address, '', { prefer: 'wait=0' })), 'number');

    const gone = await make({ start: { delay: HOUR_MS } });
    await send(gone.address, {});
    await app().client.ai_tasks.delete_hook(gone.taskId, gone.id);
    const { logs } = await app().client.logs.list({ source: 'ai_task' });
    const [entry] = logs.filter(({ action, detail }) => action === 'hook.skipped' && JSON.parse(detail ?? '{}').hook_id === gone.id);
    assert.match(entry?.summary ?? '', /was removed, so what it had gathered opened no run: 1 in 1 starts/);
    assert.deepEqual(await waitingOf(gone.taskId), []);
  });
});

onBothStores('gathered starts by runs', (app) => {
  const { pass, waitingOf } = gatheredStarts(app);
  const tasks = () => app().client.ai_tasks;
  const declared = (...names: string[]) => ({ permissions: [], parameters: names.map((name) => ({ name, kind: 'json' as const })) });
  const parent = async (child: number, body = {}) =>
    claimedRun(app(), body, await makeTask(app(), { permissions: ['tasks_start'], may_start: [child] }));
  type Caller = Awaited<ReturnType<typeof parent>>;
  const ask = (run: Caller, task: number, parameters: JsonObject, start: JsonObject, options = {}) =>
    run.call('POST', '/task-runs', { task, parameters, start }, options);

  test('GS2: the starts of a task by the runs of another are gathered, exactly once each, and judged when they are asked for', async () => {
    const child = await makeTask(app(), declared('events'));
    const run = await parent(child);
    const start = { batch: { max: 10, ms: HOUR_MS } };
    const first = await ask(run, child, { n: 1 }, start);
    assert.equal(first.status, 201, first.text);
    assert.deepEqual([field(first.body, 'run_id'), field(first.body, 'task_id')], [null, child]);
    assert.deepEqual((await ask(run, child, { n: 1 }, start)).body, first.body, 'a repeated call starts nothing more');
    const second = await ask(run, child, { n: 2 }, start);
    assert.equal(field(second.body, 'start_id'), field(first.body, 'start_id'));
    const [shown] = await waitingOf(child);
    assert.deepEqual([shown?.kind, shown?.started_by_task_id, shown?.items, shown?.key], ['run', run.taskId, 2, null]);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await pass(HOUR_MS);
    const [opened, ...others] = await tasks().list_runs(child);
    assert.ok(opened && others.length === 0);
    assert.equal(opened.started_by, `run:${run.runId}`);
    const { parameters, log } = await tasks().get_run(child, opened.id);
    assert.deepEqual(JSON.parse(parameters), { events: [{ n: 1 }, { n: 2 }] });
    assert.match(log, /opened for 2 gathered in /);
    const effects = await tasks().list_effects(run.taskId, run.runId);
    assert.equal(effects.length, 2);
  });

  test('GS1: options and parameters are checked when a run asks; a task that no version may run is refused then', async () => {
    const child = await makeTask(app(), { permissions: [], parameters: [{ name: 'n', kind: 'number' }] });
    const run = await parent(child);
    const debounce = { key: 'm', ms: HOUR_MS };
    const noKey = await ask(run, child, { n: 1 }, { debounce });
    assert.match(noKey.text, /\/start\/debounce\/key.*the parameters have no \\"m\\"; they have n/);
    assert.equal((await ask(run, child, { n: 'x' }, { delay: HOUR_MS })).status, 422);
    assert.equal((await ask(run, child, {}, { debounce: { ms: 1 }, batch: { max: 2, ms: 1 } })).status, 422);
    const { task } = await tasks().get(child);
    await tasks().revoke_version(child, task.current_version_id ?? 0, {});
    assert.deepEqual(codeOf(await ask(run, child, { n: 1 }, { delay: HOUR_MS })), [409, 'version_not_approved']);
    assert.deepEqual(await waitingOf(child), []);
  });

  test('GS3, GS4: a delay, a key, and a rate hold for starts by runs', async () => {
    const child = await makeTask(app(), declared('order'));
    const run = await parent(child);
    for (const [occurrence, order] of [1, 1, 2].entries())
      await ask(run, child, { order }, { debounce: { key: 'order', ms: HOUR_MS } }, { occurrence });
    assert.equal((await waitingOf(child)).length, 2);
    await pass(HOUR_MS);
    assert.deepEqual((await tasks().list_runs(child)).map(({ parameters }) => JSON.parse(parameters).order).sort(), [1, 2]);
    const rate = { per_minute: 1, overflow: 'skip' };
    const opened = await ask(run, child, { order: 3 }, { rate });
    assert.deepEqual([typeof field(opened.body, 'run_id'), field(opened.body, 'start_id')], ['number', null]);
    const left = await ask(run, child, { order: 4 }, { rate });
    assert.deepEqual([left.status, field(left.body, 'run_id'), field(left.body, 'start_id')], [201, null, null]);
    assert.equal((await tasks().list_runs(child)).length, 3);
  });

  test('DR1: a dry run gathers nothing; its plan lists the start, and applying it gathers it', async () => {
    const child = await makeTask(app(), declared('n'));
    const run = await parent(child, { dry_run: true });
    const answer = await ask(run, child, { n: 1 }, { delay: HOUR_MS });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(field(answer.body, 'run_id'), null);
    assert.deepEqual(await waitingOf(child), []);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    assert.equal((await tasks().list_effects(run.taskId, run.runId)).length, 1);
    await tasks().apply_run(run.taskId, run.runId);
    assert.equal((await waitingOf(child)).length, 1);
    await pass(HOUR_MS);
    assert.equal((await tasks().list_runs(child)).length, 1);
  });
});
