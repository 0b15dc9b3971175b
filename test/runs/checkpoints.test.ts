import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import type { Run } from '../../contract/runs.ts';
import type { TaskSettings } from '../../contract/tasks.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, emptyQueue, field, lapse, makeTask } from '../helpers/runs.ts';

/** Stores a checkpoint before each effect, as many scripts do. */
const BEFORE_EACH = `
const note = (body) => admin_api.post('/customers/' + parameters.id + '/notes', { body });
for (let i = last_checkpoint?.i ?? 0; i < 4; i++) {
  await checkpoint({ i });
  await note('n' + i);
  if (i === 1 && !last_checkpoint) await note('cut here');
}
`;

/** Uses everything else that belongs to an epoch: reads, random numbers, a sleep, results, questions and files. */
const ALL_KINDS = `
const path = '/customers/' + parameters.id;
const credits = async () => (await admin_api.get(path + '/credits')).body.credits;
Math.random();
for (let i = last_checkpoint?.i ?? 0; i < 2; i++) {
  await checkpoint({ i });
  const before = await credits();
  result('begun', 'round ' + i);
  await sleep(1000);
  const { more } = await prompt({ label: 'How much?', fields: [{ name: 'more', kind: 'number' }] });
  await admin_api.post(path + '/notes', { body: [i, before, more, Math.random()].join(' ') });
  await admin_api.post(path + '/credits/adjust', { delta: more });
  await files.write('round ' + i + '.txt', 'had ' + before);
}
`;

onBothStores('a resumed script that stores the checkpoint which its run already has', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  const tasks = () => app().client.ai_tasks;
  const notes = async (id: number) => (await app().client.customers.list_notes(id)).map(({ body }) => body).reverse();

  async function open(source: string, parameters: JsonObject, settings: Partial<TaskSettings>, more: JsonObject = {}) {
    await emptyQueue(app());
    const permissions = ['admin_api.customers.write', 'prompt_input', 'file_download'];
    const taskId = await makeTask(app(), { source_code: source, permissions }, settings);
    const { run_id: runId } = await tasks().start_run(taskId, { parameters, ...more });
    return { taskId, runId };
  }

  async function resume(taskId: number, runId: number, fate?: Fate): Promise<Run> {
    const { run_id } = await tasks().start_run(taskId, { resume_run_id: runId });
    return runner.finish(taskId, run_id, fate);
  }

  for (const dryRun of [false, true]) {
    test(`no effect is made twice after a budget was raised${dryRun ? ', nor planned twice in a dry run' : ''}`, async () => {
      const { id } = await makeCustomer(app());
      const { taskId, runId } = await open(BEFORE_EACH, { id }, { limits: { writes: 2 } }, { dry_run: dryRun });
      const cut = await runner.finish(taskId, runId);
      assert.deepEqual([cut.status, cut.end_reason, cut.last_checkpoint], ['interrupted', 'budget', '{"i":1}']);
      await tasks().update(taskId, { settings: { limits: { writes: null } } });
      const resumed = await resume(taskId, runId);
      assert.equal(resumed.status, 'success', `${resumed.error_message}`);
      assert.equal(resumed.last_checkpoint, '{"i":3}');
      assert.deepEqual(await notes(id), dryRun ? [] : ['n0', 'n1', 'n2', 'n3']);
      const effects = [...(await tasks().list_effects(taskId, runId)), ...(await tasks().list_effects(taskId, resumed.id))];
      assert.equal(effects.length, 4);
      if (!dryRun) return;
      await tasks().apply_run(taskId, resumed.id);
      assert.deepEqual(await notes(id), ['n0', 'n1', 'n2', 'n3'], 'the plan of both runs is applied');
    });
  }

  test('after many lost workers, reads, random numbers, sleeps, results, questions and files repeat as journalled', async () => {
    const { id } = await makeCustomer(app());
    const { taskId, runId } = await open(ALL_KINDS, { id }, { on_interrupt: 'resume', max_attempts: 1000 }, { record: true });
    let calls = 0;
    // Every attempt gets two calls further than the one before, so that workers are killed at many different points.
    const fate: Fate = () => {
      calls += 1;
      if (calls < limit) return false;
      calls = 0;
      limit += 2;
      return true;
    };
    let limit = 1;
    let over = false;
    const answering = (async () => {
      const answered = new Set<number>();
      await until(
        'all is answered',
        async () => {
          for (const prompt of await tasks().list_prompts(taskId, runId)) {
            if (prompt.answered_at !== null || answered.has(prompt.id)) continue;
            answered.add(prompt.id);
            await tasks().answer_prompt(taskId, runId, prompt.id, { answers: { more: 5 } });
          }
          return over;
        },
        120_000,
      );
    })();
    const run = await runner.finish(taskId, runId, fate);
    over = true;
    await answering;
    assert.equal(run.status, 'success', `${run.error_message}\n${run.log}`);
    assert.ok(run.attempt > 5, `attempt ${run.attempt}`);
    assert.deepEqual(
      (await notes(id)).map((body) => body.split(' ').slice(0, 3).join(' ')),
      ['0 0 5', '1 5 5'],
    );
    assert.equal((await app().client.customers.get_credits(id)).credits, 10);
    assert.equal((await tasks().list_prompts(taskId, runId)).length, 2);
    assert.deepEqual(
      (await tasks().list_artifacts(taskId, runId)).map(({ name, size_bytes }) => [name, size_bytes]),
      [
        ['round 0.txt', 5],
        ['round 1.txt', 5],
      ],
    );
    const results = run.log.split('\n').filter((line) => line.startsWith('{"kind":"result"'));
    assert.equal(results.length, 2, results.join('\n'));
    const { run_id } = await app().client.replays.start(taskId, runId);
    await runner.finish(taskId, run_id);
    const report = await app().client.replays.get(taskId, run_id);
    assert.ok(report.identical, JSON.stringify(report));
  });

  test('a script that stores another state there is interrupted, and the state is not stored', async () => {
    const { id } = await makeCustomer(app());
    const source = `
      log('begun');
      await checkpoint({ attempt: parameters.attempt, last: last_checkpoint?.attempt ?? null });
      await admin_api.post('/customers/' + parameters.id + '/notes', { body: 'once' });
      await admin_api.post('/customers/' + parameters.id + '/notes', { body: 'cut' });`;
    const { taskId, runId } = await open(source, { id, attempt: 1 }, { limits: { writes: 1 } });
    await runner.finish(taskId, runId);
    await tasks().update(taskId, { settings: { limits: { writes: null } } });
    const resumed = await resume(taskId, runId);
    assert.deepEqual([resumed.status, resumed.end_reason], ['interrupted', 'resume_mismatch']);
    assert.match(`${resumed.error_message}`, /POST \/customers\/\d+\/notes .*once.*"checkpoint":\{"attempt":1,"last":1\}/);
    assert.equal(resumed.last_checkpoint, '{"attempt":1,"last":null}');
    assert.match(resumed.log, /"begun"/, 'the log lines from before the mismatch are kept');
    assert.deepEqual(await notes(id), ['once']);
    const { run_id } = await tasks().start_run(taskId, { resume_run_id: resumed.id, journal: 'drop' });
    assert.equal((await runner.finish(taskId, run_id)).status, 'success');
    assert.deepEqual(await notes(id), ['once', 'once', 'cut']);
  });

  /** Makes a run that has stored the state and then created the note "a", and claims it for its next attempt. */
  async function runWithNote(id: number, state: JsonObject): Promise<ClaimedRun> {
    await emptyQueue(app());
    const run = await claimedRun(app(), {}, await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 10 }));
    await run.report([{ kind: 'checkpoint', state, epoch: 0 }]);
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'a' }, { epoch: 1 })).status, 201);
    await lapse(app(), run);
    return { ...run, ...(await claimRun(app(), run)) };
  }

  test('the answer names the epoch; member order does not matter, and a repeat gets the same answer', async () => {
    const { id } = await makeCustomer(app());
    const run = await runWithNote(id, { a: 1, b: { c: [1, 2], d: null } });
    const store = async (state: JsonObject, key?: string, epoch = 1) => {
      const { status, headers } = await run.report([{ kind: 'checkpoint', state, epoch }], key);
      return [status, headers['backroom-epoch']];
    };
    assert.deepEqual(await store({ b: { d: null, c: [1, 2] }, a: 1 }, 'first'), [204, '1']);
    assert.deepEqual(await store({ b: { d: null, c: [1, 2] }, a: 1 }, 'first'), [204, '1']);
    assert.deepEqual(await store({ a: 1, b: { c: [1, 2], d: null } }), [204, '1'], 'it may be repeated any number of times');
    const other = await run.report([
      { kind: 'log', line: 'not kept' },
      { kind: 'checkpoint', state: { a: 1, b: { c: [2, 1], d: null } }, epoch: 1 },
    ]);
    assert.deepEqual(codeOf(other), [409, 'resume_mismatch']);
    assert.equal(field(field(other.body, 'earlier'), 'body'), '{"body":"a"}');
    assert.doesNotMatch((await tasks().get_run(run.taskId, run.runId)).log, /not kept/);
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'a' })).headers['idempotency-replayed'], 'true');
    assert.deepEqual(
      await store({ a: 1, b: { c: [1, 2], d: null } }),
      [204, '2'],
      'the attempt has reached the note, so this checkpoint is new',
    );
    assert.deepEqual(await store({ a: 1, b: { c: [1, 2], d: null } }, undefined, 1), [204, '2'], 'a repeat of the new checkpoint');
    assert.deepEqual(await store({ a: 2 }, undefined, 2), [204, '3']);
    assert.deepEqual(await notes(id), ['a']);
  });

  test('a new write of an attempt does not hide the journalled writes of the attempt before', async () => {
    const { id } = await makeCustomer(app());
    const run = await runWithNote(id, {});
    const { id: other } = await makeCustomer(app());
    assert.equal((await run.call('POST', `/customers/${other}/notes`, { body: 'new' })).status, 201);
    const again = await run.report([{ kind: 'checkpoint', state: {}, epoch: 1 }]);
    assert.equal(again.headers['backroom-epoch'], '1');
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'a' })).headers['idempotency-replayed'], 'true');
    assert.deepEqual([await notes(id), await notes(other)], [['a'], ['new']]);
  });

  /** The writes inside a `once` are finished when its value is stored; no later attempt repeats them. */
  const ONCE_WRITES = `
    const path = '/customers/' + parameters.id + '/notes';
    const note = (body) => admin_api.post(path, { body });
    await once('first', async () => {
      await admin_api.get(path);
      await note('same');
      return crypto.randomUUID() + Date.now();
    });
    await note('same');
    await admin_api.post(path.replace('notes', 'credits/adjust'), { delta: 1 + Math.floor(Math.random() * 1e6), note: 'at ' + Date.now() });
    await Promise.all([once('second', () => note('second').then(() => 2)), note('beside')]);
    const { body } = await admin_api.get(path);
    const before = Date.now();
    await once('first', () => note('never'));
    await note('saw ' + body.length);
    await checkpoint({ done: true });
    await note('last');
    if (Date.now() <= before) throw new Error('the clock stands still');
  `;

  for (const kill of [4, 8, 12, 16, 20]) {
    test(`writes inside a once are made once when the worker is killed at call ${kill}, and the run succeeds`, async () => {
      const { id } = await makeCustomer(app());
      const { taskId, runId } = await open(ONCE_WRITES, { id }, { on_interrupt: 'resume', max_attempts: 10 }, { record: true });
      let calls = 0;
      const run = await runner.finish(taskId, runId, () => {
        calls += 1;
        return calls === kill;
      });
      assert.equal(run.status, 'success', `${run.error_message}\n${run.log}`);
      assert.equal((await tasks().list_effects(taskId, runId)).length, 7);
      assert.deepEqual((await notes(id)).sort(), ['beside', 'last', 'same', 'same', 'saw 4', 'second']);
      const { run_id } = await app().client.replays.start(taskId, runId);
      await runner.finish(taskId, run_id);
      const report = await app().client.replays.get(taskId, run_id);
      assert.ok(report.identical, JSON.stringify(report));
    });
  }

  test('if the run only read or was refused since the checkpoint, storing it again begins a new epoch', async () => {
    const { id } = await makeCustomer(app());
    await emptyQueue(app());
    const run = await claimedRun(app(), {}, await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 10 }));
    await run.report([{ kind: 'checkpoint', state: {}, epoch: 0 }]);
    await run.call('GET', `/customers/${id}`, undefined, { epoch: 1 });
    assert.equal((await run.call('POST', `/customers/${id}/credits/adjust`, { delta: -1 }, { epoch: 1 })).status, 422);
    await lapse(app(), run);
    const next = { ...run, ...(await claimRun(app(), run)) };
    assert.equal((await next.report([{ kind: 'checkpoint', state: {}, epoch: 1 }])).headers['backroom-epoch'], '2');
  });
});
