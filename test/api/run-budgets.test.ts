import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask, openRun } from '../helpers/runs.ts';
import { storeLogSize } from '../helpers/stored-rows/runs.ts';

onBothStores('budgets of a run', (app) => {
  const tasks = () => app().client.ai_tasks;
  const get = ({ taskId, runId }: ClaimedRun) => tasks().get_run(taskId, runId);
  const limited = async (limits: Record<string, number>, more = {}, body = {}) =>
    claimedRun(app(), body, await makeTask(app(), {}, { limits, ...more }));
  const tell = (run: Pick<ClaimedRun, 'claim'>, path: string, used: object, events: unknown[] = []) =>
    app().request({ method: 'PATCH', path, token: run.claim.report_token, body: { events, used } });
  const notesOf = async (id: number) => (await app().client.customers.list_notes(id)).map(({ body }) => body);

  test('LI4: the usage of a run is given to its next claim and never falls', async () => {
    const taskId = await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 9 });
    const first = await claimedRun(app(), {}, taskId);
    assert.deepEqual(first.claim.used, { cpu_ms: 0, wall_ms: 0, host_calls: 0 });
    assert.equal((await tell(first, first.path, { cpu_ms: 700, wall_ms: 9000, host_calls: 3 })).status, 204);
    assert.equal((await tell(first, first.path, { cpu_ms: 600, wall_ms: 9500, host_calls: 2 })).status, 204);
    await lapse(app(), first);
    const second = await claimRun(app(), first);
    const used = { cpu_ms: 700, wall_ms: 9500, host_calls: 3 };
    assert.deepEqual(second.claim.used, used, 'a smaller number does not lower the usage');
    await lapse(app(), first, 'unconfirmed');
    const third = await claimRun(app(), first);
    assert.deepEqual(third.claim.used, used, 'a claim that no worker confirmed uses nothing');
    for (let n = 0; n < 5; n++) assert.equal((await third.call('GET', '/customers', undefined, { occurrence: n })).status, 200);
    const drained = { cpu_ms: 800, wall_ms: 9600, host_calls: 4 };
    await tell(third, first.path, drained, [{ kind: 'finalize', status: 'interrupted', end_reason: 'drained' }]);
    const fourth = await claimRun(app(), first);
    assert.deepEqual(fourth.claim.used, { ...drained, host_calls: 5 }, 'the server counted more calls than the runner reported');
    assert.equal((await fourth.call('GET', '/customers')).headers['idempotency-replayed'], 'true');
    await lapse(app(), first);
    assert.equal((await claimRun(app(), first)).claim.used.host_calls, 5, 'a replayed call does not count');
    await refused(
      tasks().append_run_events(taskId, first.runId, { events: [], used: { cpu_ms: -1, wall_ms: 0, host_calls: 0 } }),
      422,
      'out_of_range',
    );
  });

  test('LI4: waiting for a person does not reset budgets; a resumed run has new ones, except for writes', async () => {
    const { id } = await makeCustomer(app());
    const taskId = await makeTask(app(), { permissions: ['prompt_input', 'admin_api.customers.write'] });
    const run = await claimedRun(app(), {}, taskId);
    const key = `0/${'a'.repeat(64)}/0`;
    const path = `/admin/api/runner/runs/${run.runId}/prompts`;
    const asked = await app().request({ method: 'POST', path, token: run.claim.report_token, body: { key, label: 'Sure?', fields: [] } });
    const prompt = Number(field(asked.body, 'id'));
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'one' })).status, 201);
    const used = { cpu_ms: 50, wall_ms: 400, host_calls: 2 };
    assert.equal((await tell(run, run.path, used, [{ kind: 'wait', prompt_ids: [prompt] }])).status, 204);
    await tasks().answer_prompt(taskId, run.runId, prompt, { answers: {} });
    const again = await claimRun(app(), run);
    assert.deepEqual([again.claim.used, again.claim.writes_made], [used, 1]);
    await again.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'budget' }]);
    const next = await openRun(app(), { resume_run_id: run.runId }, taskId);
    const { claim } = await claimRun(app(), next);
    assert.deepEqual([claim.used, claim.writes_made], [{ cpu_ms: 0, wall_ms: 0, host_calls: 0 }, 1]);
  });

  test('LI3: the server ends a run at its limit of host calls without carrying the call out; replayed calls do not count', async () => {
    const { id } = await makeCustomer(app());
    const run = await limited({ host_calls: 2 });
    const note = (body: string) => run.call('POST', `/customers/${id}/notes`, { body });
    assert.equal((await note('one')).status, 201);
    assert.equal((await note('one')).headers['idempotency-replayed'], 'true');
    assert.equal((await run.call('GET', '/customers/1000000')).status, 404);
    const over = await note('two');
    assert.deepEqual([...codeOf(over), field(over.body, 'budget'), field(over.body, 'limit')], [409, 'budget_spent', 'host_calls', 2]);
    const { status, end_reason, error_message } = await get(run);
    assert.deepEqual([status, end_reason], ['interrupted', 'budget']);
    assert.equal(error_message, 'the budget host_calls of 2 is spent: raise settings.limits.host_calls of the task and resume the run');
    assert.deepEqual(await notesOf(id), ['one']);
    assert.deepEqual(codeOf(await note('three')), [409, 'run_fenced']);
    await tasks().update(run.taskId, { settings: { limits: { host_calls: 3 } } });
    const next = await openRun(app(), { resume_run_id: run.runId }, run.taskId);
    const side = await claimRun(app(), next);
    assert.equal((await side.call('POST', `/customers/${id}/notes`, { body: 'one' })).headers['idempotency-replayed'], 'true');
    assert.equal((await side.call('POST', `/customers/${id}/notes`, { body: 'two' })).status, 201);
  });

  for (const dry_run of [false, true]) {
    test(`LI2: exactly as many writes succeed as the limit says${dry_run ? ' in a dry run' : ''}; refused ones do not count`, async () => {
      const { id } = await makeCustomer(app());
      const run = await limited({ writes: 2 }, {}, { dry_run });
      assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: ' ' })).status, 422);
      assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'n' })).status, 201);
      const rest = await Promise.all([1, 2, 3, 4].map((n) => run.call('POST', `/customers/${id}/notes`, { body: `n${n}` })));
      assert.deepEqual(rest.map(({ status }) => status).sort(), [201, 409, 409, 409], JSON.stringify(rest.map(codeOf)));
      const { status, end_reason } = await get(run);
      assert.deepEqual([status, end_reason], ['interrupted', 'budget']);
      assert.equal((await tasks().list_effects(run.taskId, run.runId)).length, 2);
      assert.equal((await notesOf(id)).length, dry_run ? 0 : 2);
      const next = await openRun(app(), { resume_run_id: run.runId }, run.taskId);
      assert.equal((await claimRun(app(), next)).claim.writes_made, 2, 'writes count over all runs of the lineage');
    });
  }

  test('LI1: a run of a runner ends at log_bytes of its task; a run of a client continues', async () => {
    const run = await limited({ log_bytes: 1024 });
    assert.deepEqual(codeOf(await run.report([{ kind: 'log', line: 'x'.repeat(1100) }])), [413, 'log_too_large']);
    const { status, end_reason, error_message, log } = await get(run);
    assert.deepEqual([status, end_reason, log], ['interrupted', 'budget', '']);
    assert.match(error_message ?? '', /^the budget log_bytes of 1024 is spent: raise settings\.limits\.log_bytes/);
    const mine = await openRun(app(), { executor: 'external' }, run.taskId);
    await tasks().append_run_events(mine.taskId, mine.runId, { events: [{ kind: 'log', line: 'x'.repeat(1100) }] });
    assert.equal((await tasks().get_run(mine.taskId, mine.runId)).status, 'running');
  });

  test('LI3: a runner that floods the log with small reports, or reports nothing, gets no further than the budgets', async () => {
    const { id } = await makeCustomer(app());
    const run = await limited({ log_bytes: 1024, host_calls: 3 });
    const line = () => run.report([{ kind: 'log', line: 'x'.repeat(90) }]);
    let taken = 0;
    let answer = await line();
    for (; answer.status === 204; answer = await line()) taken += 1;
    assert.deepEqual(codeOf(answer), [413, 'log_too_large']);
    assert.ok(taken >= 5 && taken <= 11, `${taken} lines of 90 characters`);
    const ended = await get(run);
    assert.deepEqual([ended.status, ended.end_reason], ['interrupted', 'budget']);
    assert.ok(Buffer.byteLength(ended.log) <= 1024);

    const silent = await limited({ host_calls: 3, writes: 2 });
    const lie = { cpu_ms: 0, wall_ms: 0, host_calls: 0 };
    for (const body of ['one', 'two']) {
      assert.equal((await silent.call('POST', `/customers/${id}/notes`, { body })).status, 201);
      assert.equal((await tell(silent, silent.path, lie)).status, 204);
    }
    assert.deepEqual(codeOf(await silent.call('POST', `/customers/${id}/notes`, { body: 'three' })), [409, 'budget_spent']);
    assert.deepEqual(await notesOf(id), ['two', 'one']);
  });

  test('LI3: what is reported or called after the end of a run is refused and changes nothing', async () => {
    const { id } = await makeCustomer(app());
    const run = await limited({ host_calls: 1 });
    assert.equal((await run.call('GET', '/customers')).status, 200);
    assert.deepEqual(codeOf(await run.call('POST', `/customers/${id}/notes`, { body: 'late' })), [409, 'budget_spent']);
    const ended = await get(run);
    const events = [
      { kind: 'log', line: 'I go on' },
      { kind: 'finalize', status: 'success', result: 1 },
    ];
    for (const late of [events, events.slice(0, 1), events.slice(1)]) {
      assert.deepEqual(codeOf(await tell(run, run.path, { cpu_ms: 1, wall_ms: 1, host_calls: 0 }, late)), [409, 'run_fenced']);
    }
    assert.deepEqual(codeOf(await run.call('GET', '/customers?page=2')), [409, 'run_fenced']);
    assert.deepEqual(await get(run), ended);
    assert.deepEqual(await notesOf(id), []);
  });

  test('LI1: log_bytes can be raised to 32 MiB; the error at a maximum does not advise raising it further', async () => {
    const MIB = 1024 * 1024;
    await refused(makeTask(app(), {}, { limits: { log_bytes: 32 * MIB + 1 } }), 422, 'out_of_range');
    const raised = await limited({ log_bytes: 32 * MIB });
    await storeLogSize(app().store, raised.runId, { log_bytes: 11 * MIB, log_lines: 150_000 });
    assert.equal((await raised.report([{ kind: 'log', line: 'past the usual' }])).status, 204);
    await storeLogSize(app().store, raised.runId, { log_bytes: 32 * MIB });
    assert.deepEqual(codeOf(await raised.report([{ kind: 'log', line: 'past all' }])), [413, 'log_too_large']);
    assert.equal((await get(raised)).error_message, `the budget log_bytes of ${32 * MIB} is spent, the most that there is`);

    await app().client.settings.update({ limits_max: { host_calls: 1 } });
    try {
      const run = await limited({ host_calls: 1 });
      await run.call('GET', '/customers');
      assert.deepEqual(codeOf(await run.call('GET', '/customers?page=2')), [409, 'budget_spent']);
      assert.match((await get(run)).error_message ?? '', /the most that this shop gives: raise its setting limits_max\.host_calls/);
    } finally {
      await app().client.settings.update({ limits_max: {} });
    }
  });
});
