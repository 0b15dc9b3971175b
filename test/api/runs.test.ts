import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { newsOf } from '../helpers/news.ts';
import { refused } from '../helpers/refused.ts';
import { claim, claimedRun, codeOf, countRows, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';
import { forgetRunners, storeIdleRunner, storeLogSize } from '../helpers/stored-rows/runs.ts';

onBothStores('runs', (app) => {
  const tasks = () => app().client.ai_tasks;
  const patch = (path: string, events: readonly unknown[]) => app().request({ method: 'PATCH', path, body: { events } });
  const external = (body = {}) => openRun(app(), { executor: 'external', ...body });

  test('RU1: an external run is running at once, with the current version and its parameters as JSON text', async () => {
    const taskId = await makeTask(app());
    const { current_version_id } = (await tasks().get(taskId)).task;
    const { run_id, version_id } = await tasks().start_run(taskId, { parameters: { a: [1, null, 'ü'] }, executor: 'external' });
    const run = await tasks().get_run(taskId, run_id);
    assert.equal(version_id, current_version_id);
    assert.deepEqual(
      [
        run.status,
        run.parameters,
        run.log,
        run.last_checkpoint,
        run.error_message,
        run.finished_at,
        run.attempt,
        run.started_by,
        run.end_reason,
        run.progress,
        run.result,
      ],
      ['running', '{"a":[1,null,"ü"]}', '', null, null, null, 1, 'admin:1', null, null, null],
    );
    assert.equal(
      (await patch(`/admin/api/ai-tasks/${taskId}/runs/${run_id}`, [{ kind: 'log', line: 'x' }])).status,
      204,
      'the run takes events at once',
    );
  });

  test('RU1: declared parameters are validated and get their defaults; a missing one is refused only if required', async () => {
    const taskId = await makeTask(app(), {
      parameters: [
        { name: 'days', kind: 'number', required: true },
        { name: 'from', kind: 'date' },
        { name: 'size', kind: 'string', options: ['s', 'm'], default: 's' },
        { name: 'upload', kind: 'file' },
        { name: 'odd', kind: 'whatever' },
      ],
    });
    const start = (parameters: Parameters<ReturnType<typeof tasks>['start_run']>[1]) => tasks().start_run(taskId, parameters);
    const missing = await refused(start({}), 422, 'required');
    assert.equal(missing.errors[0]?.pointer, '/parameters/days');
    await refused(start({ parameters: { days: '3' } }), 422, 'invalid_type');
    await refused(start({ parameters: { days: 1, from: '2026-02-30' } }), 422, 'invalid_type');
    await refused(start({ parameters: { days: 1, size: 'l' } }), 422, 'invalid_enum');
    await refused(start({ parameters: { days: 1, upload: 77 } }), 422, 'file_not_found');
    await refused(start({ parameters: { days: 'x', size: 'l' } }), 422, 'validation_failed');
    assert.deepEqual(await tasks().list_runs(taskId), []);
    const { run_id } = await start({ parameters: { days: 1, odd: {}, undeclared: true } });
    assert.deepEqual(JSON.parse((await tasks().get_run(taskId, run_id)).parameters), { days: 1, odd: {}, undeclared: true, size: 's' });
  });

  test('EV3, EV4: the log has a line for each log, progress, result and admin_api event', async () => {
    const run = await external();
    const events = [
      { kind: 'log', line: 'a\nb\u2028c\u0000' },
      { kind: 'progress', current: 1, total: 3, label: '' },
      { kind: 'result', status: 'ok', item: 'order 1', details: { n: [1, { deep: null }] } },
      { kind: 'admin_api', method: 'GET', path: '/orders', status: 200 },
    ];
    assert.equal(
      (await patch(run.path, [...events.slice(0, 2), { kind: 'checkpoint', state: { at: 1 } }, ...events.slice(2)])).status,
      204,
    );
    assert.deepEqual(codeOf(await patch(run.path, [{ kind: 'log', line: 'z', extra: 1 }])), [422, 'unknown_field']);
    assert.equal((await patch(run.path, [{ kind: 'log', line: 'z' }])).status, 204);
    const { log, last_checkpoint, progress, status } = await tasks().get_run(run.taskId, run.runId);
    assert.deepEqual(
      log.split('\n').map((line) => JSON.parse(line)),
      [...events, { kind: 'log', line: 'z' }],
    );
    assert.deepEqual([last_checkpoint, status, progress], ['{"at":1}', 'running', { current: 1, total: 3, label: '' }]);
  });

  test('RU24, EV3: a run is described by a line, and shows details; the last ones count, and a run that resumes it has them', async () => {
    const run = await external();
    const seen = async (runId = run.runId) => {
      const { description, details, log } = await tasks().get_run(run.taskId, runId);
      return [description, details, log === '' ? [] : log.split('\n').map((line) => JSON.parse(line).kind)];
    };
    const say = (...events: unknown[]) => patch(run.path, events);
    assert.deepEqual(await seen(), [null, null, []]);
    await say(
      { kind: 'details', markdown: 'early' },
      { kind: 'describe', description: 'Order 1' },
      { kind: 'details', markdown: '# One\n' },
    );
    assert.deepEqual(await seen(), ['Order 1', '# One\n', ['describe']]);
    const bad: [unknown, string][] = [
      [{ kind: 'describe', description: 'two\nlines' }, 'invalid_value'],
      [{ kind: 'describe', description: 'a\u0007' }, 'invalid_value'],
      [{ kind: 'describe', description: 'a\u2028b' }, 'invalid_value'],
      [{ kind: 'describe', description: '😀'.repeat(201) }, 'too_long'],
      [{ kind: 'describe' }, 'required'],
      [{ kind: 'details', markdown: 'a\u0000' }, 'invalid_value'],
      [{ kind: 'details', markdown: 'ü'.repeat(32 * 1024 + 1) }, 'too_long'],
      [{ kind: 'details', markdown: 7 }, 'invalid_type'],
    ];
    for (const [event, code] of bad)
      assert.deepEqual(
        codeOf(await say({ kind: 'describe', description: 'never' }, event)),
        [422, code],
        JSON.stringify(event).slice(0, 60),
      );
    const [description, markdown] = ['😀'.repeat(200), 'ü'.repeat(32 * 1024)];
    assert.equal((await say({ kind: 'describe', description }, { kind: 'details', markdown })).status, 204);
    assert.deepEqual((await seen()).slice(0, 2), [description, markdown]);
    const [listed] = await tasks().list_runs(run.taskId);
    const { data } = await tasks().list_all_runs({ task_id: run.taskId });
    assert.deepEqual(
      [listed?.description, data[0]?.description, Object.hasOwn(data[0] ?? {}, 'details')],
      [description, description, false],
    );

    const tag = (await app().request({ path: run.path })).headers['etag'];
    await say({ kind: 'details', markdown: 'other' }, { kind: 'finalize', status: 'interrupted', error_message: null });
    assert.notEqual((await app().request({ path: run.path })).headers['etag'], tag);
    const next = await tasks().start_run(run.taskId, { resume_run_id: run.runId, executor: 'external' });
    assert.deepEqual((await seen(next.run_id)).slice(0, 2), [description, 'other']);
    const path = `/admin/api/ai-tasks/${run.taskId}/runs/${next.run_id}`;
    await patch(path, [
      { kind: 'describe', description: '' },
      { kind: 'details', markdown: '' },
    ]);
    assert.deepEqual((await seen(next.run_id)).slice(0, 2), [null, null]);
    assert.deepEqual((await seen()).slice(0, 2), [description, 'other'], 'the earlier run keeps its own');
  });

  test('EV1: a batch has 0 to 1000 events; one bad event refuses the whole batch', async () => {
    const run = await external();
    assert.equal((await patch(run.path, [])).status, 204);
    assert.equal((await app().request({ method: 'PATCH', path: run.path, body: {} })).status, 422);
    const good = { kind: 'log', line: 'x' };
    const before = await countRows(app());
    const bad: [unknown, string][] = [
      [{ kind: 'nothing' }, 'unknown_kind'],
      [{ kind: 'log' }, 'required'],
      [{ kind: 'log', line: 5 }, 'invalid_type'],
      [{ kind: 'progress', current: 1.5, total: 2, label: '' }, 'invalid_type'],
      [{ kind: 'result', status: 'ok', item: 'a', details: [] }, 'invalid_type'],
      [{ kind: 'checkpoint', state: 'x' }, 'invalid_type'],
      [{ kind: 'admin_api', method: 'GET', path: '/' }, 'required'],
      [{}, 'required'],
      [null, 'invalid_type'],
    ];
    for (const [event, code] of bad) {
      assert.deepEqual(
        codeOf(await patch(run.path, [good, { kind: 'checkpoint', state: {} }, event, good])),
        [422, code],
        JSON.stringify(event),
      );
    }
    assert.deepEqual(
      codeOf(
        await patch(
          run.path,
          Array.from({ length: 1001 }, () => good),
        ),
      ),
      [422, 'too_long'],
    );
    assert.deepEqual(await countRows(app()), before);
    const { log, last_checkpoint } = await tasks().get_run(run.taskId, run.runId);
    assert.deepEqual([log, last_checkpoint], ['', null]);
  });

  test('EV2: no event may follow finalize, not even another finalize', async () => {
    const run = await external();
    const end = { kind: 'finalize', status: 'success', error_message: null };
    for (const events of [
      [end, { kind: 'log', line: 'x' }],
      [end, end],
      [{ kind: 'log', line: 'x' }, end, { kind: 'checkpoint', state: {} }],
    ]) {
      assert.deepEqual(codeOf(await patch(run.path, events)), [422, 'events_after_finalize']);
    }
    const { status, log, last_checkpoint } = await tasks().get_run(run.taskId, run.runId);
    assert.deepEqual([status, log, last_checkpoint], ['running', '', null]);
  });

  test('EV5: a log over 10 MiB or 100,000 lines or a checkpoint over 1 MiB is 413, and the run continues', async () => {
    const run = await external();
    await storeLogSize(app().store, run.runId, { log_bytes: 10 * 1024 * 1024 - 30 });
    assert.deepEqual(codeOf(await patch(run.path, [{ kind: 'log', line: 'x'.repeat(20) }])), [413, 'log_too_large']);
    assert.equal((await patch(run.path, [{ kind: 'log', line: '' }])).status, 204, 'a line that fits is stored');
    await storeLogSize(app().store, run.runId, { log_bytes: 0, log_lines: 99_999 });
    assert.deepEqual(
      codeOf(
        await patch(run.path, [
          { kind: 'log', line: 'a' },
          { kind: 'log', line: 'b' },
        ]),
      ),
      [413, 'log_too_large'],
    );
    const state = (bytes: number) => [{ kind: 'checkpoint', state: { s: 'x'.repeat(bytes - 8) } }];
    assert.equal((await patch(run.path, state(1024 * 1024))).status, 204, 'exactly 1 MiB');
    assert.deepEqual(codeOf(await patch(run.path, state(1024 * 1024 + 1))), [413, 'checkpoint_too_large']);
    const { status, last_checkpoint } = await tasks().get_run(run.taskId, run.runId);
    assert.deepEqual([status, last_checkpoint?.length], ['running', 1024 * 1024]);
  });

  test('RU3, EV6: finalize takes any word except running and resumed, and ends the run after the events before it', async () => {
    for (const status of ['running', 'resumed', 'Success', '', 'a-b', 'x'.repeat(33), '_a']) {
      const run = await external();
      assert.equal((await patch(run.path, [{ kind: 'finalize', status }])).status, 422, status);
      assert.equal((await tasks().get_run(run.taskId, run.runId)).status, 'running');
    }
    for (const status of ['success', 'error', 'completed', 'interrupted', 'x'.repeat(32)]) {
      const run = await external();
      await patch(run.path, [
        { kind: 'log', line: 'last' },
        { kind: 'finalize', status, error_message: 'why', end_reason: 'heap', result: 1 },
      ]);
      const ended = await tasks().get_run(run.taskId, run.runId);
      assert.deepEqual(
        [ended.status, ended.error_message, ended.log, ended.end_reason, ended.result],
        [status, 'why', '{"kind":"log","line":"last"}', null, null],
      );
      assert.ok(ended.finished_at && ended.finished_at >= ended.started_at);
      assert.deepEqual(codeOf(await patch(run.path, [])), [409, 'run_not_running']);
      assert.deepEqual(codeOf(await patch(run.path, [{ kind: 'finalize', status: 'success' }])), [409, 'run_not_running']);
    }
  });

  test('EV6: of simultaneous finalizes one succeeds, the others are 409', async () => {
    const run = await external();
    const answers = await Promise.all(['success', 'failed', 'error'].map((status) => patch(run.path, [{ kind: 'finalize', status }])));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409, 409]);
  });

  test('EV6: an error message may have any characters; invalid ones are replaced', async () => {
    for (const message of ['a\u0000b', '\ud800', '😀\r\n']) {
      const run = await external();
      assert.equal(
        (await patch(run.path, [{ kind: 'finalize', status: 'failed', error_message: message }])).status,
        204,
        JSON.stringify(message),
      );
      assert.equal((await tasks().get_run(run.taskId, run.runId)).error_message, message.replace('\u0000', '\ufffd').toWellFormed());
    }
  });

  test('RU15: a failed run makes one notification and one domain event', async () => {
    const told = async () => {
      const { reader } = app().store;
      const notes = await newsOf(app(), 'ai_task_run_failed');
      const events = await reader.selectFrom('domain_events').selectAll().where('type', '=', 'task.run_failed').orderBy('id').execute();
      return { notes, events };
    };
    const before = await told();
    const run = await external();
    await patch(run.path, [{ kind: 'finalize', status: 'failed', error_message: 'boom' }]);
    const after = await told();
    const [note, ...moreNotes] = after.notes.slice(before.notes.length);
    const [event, ...moreEvents] = after.events.slice(before.events.length);
    assert.deepEqual([note?.severity, note?.metadata?.['run_id']], ['error', run.runId]);
    assert.equal(JSON.parse(event?.data ?? '').run_id, run.runId);
    assert.ok(event?.lineage_id);
    assert.deepEqual([moreNotes, moreEvents], [[], []], 'one of each');
  });

  test('RL1: runs are listed newest first with the last 4 KiB of their logs in whole lines; the limit is clamped', async () => {
    const taskId = await makeTask(app());
    const [first, second] = [
      await openRun(app(), { executor: 'external' }, taskId),
      await openRun(app(), { executor: 'external' }, taskId),
    ];
    await patch(
      first.path,
      Array.from({ length: 400 }, () => ({ kind: 'log', line: '' })),
    );
    await patch(second.path, [
      { kind: 'log', line: 'a'.repeat(3000) },
      { kind: 'log', line: 'b'.repeat(3000) },
    ]);
    const list = await tasks().list_runs(taskId);
    assert.deepEqual(
      list.map(({ id }) => id),
      [second.runId, first.runId],
    );
    assert.equal(list[0]?.log, `{"kind":"log","line":"${'b'.repeat(3000)}"}`);
    const line = '{"kind":"log","line":""}';
    assert.equal(list[1]?.log.split('\n').length, Math.floor((4096 + 1) / (line.length + 1)));
    assert.equal((await tasks().get_run(taskId, first.runId)).log.split('\n').length, 400);
    assert.equal((await tasks().list_runs(taskId, { limit: 0 })).length, 1);
    assert.equal((await tasks().list_runs(taskId, { limit: 9999 })).length, 2);
  });

  test('RL2: a run under another task is 404 at every endpoint', async () => {
    const run = await external();
    const other = await makeTask(app());
    const path = `/admin/api/ai-tasks/${other}/runs/${run.runId}`;
    const calls: [string, string][] = [
      ['GET', path],
      ['PATCH', path],
      ['GET', `${path}/stream`],
      ['GET', `${path}/effects`],
      ['POST', `${path}/cancel`],
    ];
    for (const [method, target] of calls) {
      assert.equal(
        (await app().request({ method, path: target, ...(method === 'PATCH' ? { body: { events: [] } } : {}) })).status,
        404,
        `${method} ${target}`,
      );
    }
    assert.equal((await tasks().get_run(run.taskId, run.runId)).status, 'running');
  });

  test('C5: an admin’s PATCH takes a run over as long as no runner has reported on it', async () => {
    await emptyQueue(app());
    const run = await openRun(app());
    assert.equal((await patch(run.path, [{ kind: 'log', line: 'mine' }])).status, 204);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).executor, 'external');
    assert.deepEqual(await claim(app()), [], 'the run is never offered');
    const claimed = await claimedRun(app());
    assert.equal((await patch(claimed.path, [{ kind: 'log', line: 'mine' }])).status, 204, 'the heartbeat of a claim is not yet a report');
    assert.deepEqual(codeOf(await claimed.report([])), [409, 'run_fenced']);
  });

  test('C5: after the first event or call of a runner a client cannot take the run over', async () => {
    for (const how of ['event', 'call']) {
      const run = await claimedRun(app());
      if (how === 'event') await run.report([{ kind: 'log', line: 'x' }]);
      else await run.call('GET', '/customers');
      assert.deepEqual(codeOf(await patch(run.path, [{ kind: 'log', line: 'mine' }])), [409, 'run_claimed'], how);
      assert.equal((await run.report([{ kind: 'log', line: 'y' }])).status, 204);
    }
  });

  test('C4: waiting_reason tells why an open run waits', async () => {
    await emptyQueue(app());
    const limited = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const [a, b] = [await openRun(app(), {}, limited), await openRun(app(), {}, limited)];
    const reasons = async () => Promise.all([a, b].map(async ({ runId }) => (await tasks().get_run(limited, runId)).waiting_reason));
    await forgetRunners(app().store);
    assert.deepEqual(await reasons(), ['no_runner', 'no_runner']);
    await storeIdleRunner(app().store);
    assert.deepEqual(await reasons(), ['runners_busy', 'runners_busy'], 'no run is under way yet');
    assert.equal((await claim(app())).length, 1);
    assert.deepEqual(await reasons(), [null, 'concurrency']);
    assert.deepEqual(
      (await tasks().list_runs(limited)).map(({ waiting_reason }) => waiting_reason),
      ['concurrency', null],
    );
  });
});
