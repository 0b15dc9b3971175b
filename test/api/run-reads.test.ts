import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { FormData, request } from 'undici';
import { Artifact } from '../../contract/artifacts.ts';
import { endpointList } from '../../contract/index.ts';
import type { Permission } from '../../contract/permissions.ts';
import { Prompt } from '../../contract/prompts.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { onBothStores, type RawAnswer } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { hooks } from '../helpers/hooks.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, emptyQueue, field, makeTask, openRun } from '../helpers/runs.ts';
import { storeInterrupted } from '../helpers/stored-rows/runs.ts';

/** Occurs in everything that the run reports about data it has read. */
const SECRET = 'Jane Doe';
const PERMISSIONS: Permission[] = ['admin_api.customers.write', 'file_upload', 'file_download', 'prompt_input', 'llm'];

onBothStores('who may see what a run reports', (app) => {
  const tasks = () => app().client.ai_tasks;

  /** Makes a recorded run that writes, asks, stores a file, logs, sets a checkpoint and fails. */
  async function talkative(taskId?: number): Promise<ClaimedRun & { artifactId: number; promptId: number }> {
    const run = await claimedRun(app(), { record: true }, taskId ?? (await makeTask(app(), { permissions: PERMISSIONS })));
    const { runId, claim } = run;
    const customer = await makeCustomer(app());
    assert.equal((await run.call('POST', `/customers/${customer.id}/notes`, { body: SECRET })).status, 201);
    const question = { label: `Write to ${SECRET}?`, fields: [{ name: 'sure', kind: 'boolean' }] };
    const asked = await app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${runId}/prompts`,
      token: claim.report_token,
      body: { key: `0/${callFingerprint('PROMPT', '/prompts', question)}/0`, ...question },
    });
    const form = new FormData();
    form.append('file', new Blob([SECRET]), `${SECRET}.txt`);
    const kept = await app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${runId}/artifacts`,
      form,
      token: claim.report_token,
    });
    const promptId = Prompt.parse(asked.body).id;
    await tasks().answer_prompt(run.taskId, runId, promptId, { answers: { sure: true } });
    const ended = await run.report([
      { kind: 'log', line: SECRET },
      { kind: 'admin_api', method: 'GET', path: `/customers?search=${SECRET}`, status: 200 },
      { kind: 'progress', current: 1, total: 2, label: SECRET },
      { kind: 'describe', description: `About ${SECRET}` },
      { kind: 'details', markdown: `# ${SECRET}` },
      { kind: 'checkpoint', state: { name: SECRET }, epoch: 0 },
      { kind: 'finalize', status: 'failed', error_message: `no ${SECRET}`, end_reason: 'script_error', result: SECRET },
    ]);
    assert.equal(ended.status, 204, ended.text);
    return { ...run, artifactId: Artifact.parse(kept.body).id, promptId };
  }

  const pathOf = (path: string, run: { taskId: number; runId: number; artifactId?: number }): string =>
    `/admin/api${path.replace('{id}', `${run.taskId}`).replace('{run_id}', `${run.runId}`).replace('{artifact_id}', `${run.artifactId}`).replace('{checkpoint_id}', '1')}`;
  const readsOfRuns = endpointList.filter(
    ({ method, path, id }) => method === 'GET' && (path.startsWith('/ai-tasks/{id}/runs') || id === 'ai_tasks.list_all_runs'),
  );
  const notOfReaders = ['replays.get', 'replays.get_recording', 'ai_tasks.list_undo'];
  const with_ = async (...permissions: Permission[]) => (await person(app(), { permissions })).token;

  test('RU16: an admin without the permissions of the version sees the status of a run, and nothing that the script reported', async () => {
    const run = await talkative();
    assert.ok(readsOfRuns.length >= 8, `${readsOfRuns.length} endpoints`);
    const some: Permission[] = ['admin_api.ai_tasks.write', 'admin_api.orders.write', 'llm', 'prompt_input', 'file_download'];
    const owners = await app().client.me.create_token({ name: 'narrow', permissions: some });
    const lacking = [await with_(...some, 'file_upload'), await with_(...some, 'admin_api.customers.read'), owners.token ?? ''];
    for (const token of lacking) {
      for (const { path, id } of readsOfRuns) {
        const answer = await app().request({ path: pathOf(path, run), token });
        assert.ok(!answer.text.includes(SECRET), `${id}: ${answer.text}`);
        if (['ai_tasks.list_runs', 'ai_tasks.list_all_runs', 'ai_tasks.get_run', 'ai_tasks.stream_run'].includes(id))
          assert.equal(answer.status, 200, id);
        // A recording is for whoever may replay the run, and is refused as that is.
        else if (id === 'replays.get_recording') assert.equal(answer.status, 403, id);
        else if (id !== 'replays.get') assert.deepEqual(codeOf(answer), [403, 'forbidden'], id);
      }
    }
    const [, withoutFiles = ''] = lacking;
    const effects = await app().request({ path: `${run.path}/effects`, token: withoutFiles });
    assert.deepEqual(
      [field(effects.body, 'required_permission'), effects.headers['x-required-permission']],
      ['file_upload', 'file_upload'],
    );
    const seen = await app()
      .clientFor(lacking[0] ?? '')
      .ai_tasks.get_run(run.taskId, run.runId);
    assert.deepEqual(
      [seen.status, seen.end_reason, seen.log, seen.last_checkpoint, seen.error_message, seen.progress, seen.result, seen.withheld],
      ['failed', 'script_error', '', null, null, null, null, ['admin_api.customers.read']],
    );
    assert.deepEqual([seen.description, seen.details], [null, null]);
    assert.deepEqual(
      (await app().client.ai_tasks.list_all_runs({ run_id: run.runId })).data.map(({ description }) => description),
      [`About ${SECRET}`],
    );
    const stream = await app().request({ path: `${run.path}/stream`, token: lacking[0] ?? '' });
    assert.match(
      stream.text,
      /^retry: 2000\n: the log needs admin_api.customers.read\n\nid: end\nevent: status\ndata: \{"status":"failed","error":null\}\n\n$/,
    );
    const answers = { answers: { sure: false } };
    await refused(app().clientFor(withoutFiles).ai_tasks.answer_prompt(run.taskId, run.runId, run.promptId, answers), 403, 'forbidden');
  });

  test('RU16: reading permissions are enough to see all of a run; a run without shop data needs none', async () => {
    const run = await talkative();
    for (const token of [await with_('admin_api.ai_tasks.read', 'admin_api.customers.read', 'file_upload'), undefined]) {
      for (const { path, id } of readsOfRuns.filter(({ id }) => !notOfReaders.includes(id))) {
        const answer = await app().request({ path: pathOf(path, run), ...(token === undefined ? {} : { token }) });
        // The list of checkpoints says when they were stored, not what they hold; the run has not waited for anything.
        const shown = { 'ai_tasks.list_checkpoints': '"epoch":1', 'ai_tasks.list_waits': '[]' }[id] ?? SECRET;
        assert.ok(answer.status === 200 && answer.text.includes(shown), `${id}: ${answer.text}`);
      }
    }
    const mute = await openRun(
      app(),
      { executor: 'external' },
      await makeTask(app(), { permissions: ['llm', 'admin_api.notifications.write'] }),
    );
    await tasks().append_run_events(mute.taskId, mute.runId, { events: [{ kind: 'log', line: 'plain' }] });
    const reader = app().clientFor(await with_('admin_api.ai_tasks.read')).ai_tasks;
    const seen = await reader.get_run(mute.taskId, mute.runId);
    assert.deepEqual([seen.log.includes('plain'), seen.withheld, await reader.list_effects(mute.taskId, mute.runId)], [true, [], []]);
  });

  test('RU16: a run that resumes another is seen with the permissions of both versions', async () => {
    const from = await talkative();
    await storeInterrupted(app().store, from.runId);
    const version = { source_code: 'log(last_checkpoint)', permissions: [] as Permission[], parameters: [] };
    const { version_id } = await tasks().create_version(from.taskId, version);
    const { run_id: runId } = await tasks().start_run(from.taskId, { resume_run_id: from.runId, version: 'current' });
    await tasks().cancel_run(from.taskId, runId);
    const narrow = await with_('admin_api.ai_tasks.write', 'file_upload');
    for (const { path, id } of readsOfRuns) {
      const answer = await app().request({ path: pathOf(path, { ...from, runId }), token: narrow });
      assert.ok(!answer.text.includes(SECRET), `${id}: ${answer.text}`);
    }
    const seen = await app().clientFor(narrow).ai_tasks.get_run(from.taskId, runId);
    assert.deepEqual([seen.version_id, seen.withheld], [version_id, ['admin_api.customers.read']]);
  });

  test('RU2: resuming with another version needs the permission to read what the first version could', async () => {
    const customers: Permission = 'admin_api.customers.read';
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: [customers] }));
    await run.report([
      { kind: 'checkpoint', state: { name: SECRET }, epoch: 0 },
      { kind: 'finalize', status: 'interrupted', error_message: 'cut', end_reason: 'budget' },
    ]);
    const publishers: Permission[] = ['admin_api.ai_tasks.write', 'admin_api.pages.write'];
    const publisher = app().clientFor(await with_(...publishers));
    const source_code = 'await admin.pages.create({ title: last_checkpoint.name });';
    const version = { source_code, permissions: ['admin_api.pages.write' as const], parameters: [] };
    await publisher.ai_tasks.create_version(run.taskId, version);
    const resume = { resume_run_id: run.runId };
    await refused(tasks().start_run(run.taskId, { ...resume, version: 'current' }), 403, 'forbidden');
    await tasks().create_version(run.taskId, version);
    await refused(publisher.ai_tasks.start_run(run.taskId, { ...resume, version: 'current' }), 403, 'forbidden');
    const reader = app().clientFor(await with_(...publishers, customers));
    await reader.ai_tasks.start_run(run.taskId, { ...resume, version: 'current' });
    await emptyQueue(app());
  });

  test('RP3: a replay is started and seen only with the permissions of the recorded run', async () => {
    const recorded = await talkative();
    const { version_id } = await tasks().create_version(recorded.taskId, { source_code: 'log(1)', permissions: [], parameters: [] });
    const { run_id: runId } = await app().client.replays.start(recorded.taskId, recorded.runId, { version_id });
    const replay = await claimRun(app(), { ...recorded, runId, path: pathOf('/ai-tasks/{id}/runs/{run_id}', { ...recorded, runId }) });
    await replay.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: SECRET }]);
    const narrow = app().clientFor(await with_('admin_api.ai_tasks.write', 'file_upload'));
    await refused(narrow.replays.start(recorded.taskId, recorded.runId, { version_id }), 403, 'permission_not_held');
    await refused(narrow.replays.get(recorded.taskId, runId), 403, 'permission_not_held');
    const seen = await narrow.ai_tasks.get_run(recorded.taskId, runId);
    assert.deepEqual([seen.result, seen.withheld], [null, ['admin_api.customers.read']]);
    assert.equal((await tasks().get_run(recorded.taskId, runId)).result, SECRET);
  });

  test('RU16: a plan, its application and the resulting run need the permission to read what the version may', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.customers.write'] });
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    const customer = await makeCustomer(app());
    assert.equal((await dry.call('POST', `/customers/${customer.id}/notes`, { body: SECRET })).status, 201);
    await dry.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: SECRET }]);
    const narrow = await with_('admin_api.ai_tasks.write');
    const apply = (token?: string) =>
      app().request({ method: 'POST', path: `${dry.path}/apply`, ...(token === undefined ? {} : { token }) });
    assert.deepEqual(codeOf(await apply(narrow)), [403, 'forbidden']);
    assert.deepEqual(codeOf(await app().request({ path: `${dry.path}/effects`, token: narrow })), [403, 'forbidden']);
    const applied = await apply();
    assert.equal(applied.status, 201, applied.text);
    const runId = Number(field(applied.body, 'run_id'));
    const seen = await app().clientFor(narrow).ai_tasks.get_run(taskId, runId);
    assert.deepEqual([seen.result, seen.log, seen.withheld], [null, '', ['admin_api.customers.read']]);
    await refused(app().clientFor(narrow).ai_tasks.list_effects(taskId, runId), 403, 'forbidden');
  });

  test('RU15: notifications, domain events and the admin log contain nothing that the script reported', async () => {
    const run = await talkative();
    const nobody = app().clientFor(await with_());
    const news = (await nobody.notifications.list({ limit: 100 })).notifications.filter(
      ({ metadata }) => metadata?.['run_id'] === run.runId,
    );
    const { task } = await tasks().get(run.taskId);
    assert.deepEqual(news.map(({ message }) => message).sort(), [
      `Run ${run.runId} of "${task.name}" asks: see prompt ${run.promptId}`,
      `Run ${run.runId} of "${task.name}" ended failed (script_error)`,
    ]);
    const { rows } = await sql<{ data: string }>`SELECT data FROM domain_events`.execute(app().store.reader);
    assert.ok(rows.length > 0 && rows.every(({ data }) => !data.includes(SECRET)));
    const [answered] = (await app().client.logs.list({})).logs.filter(({ action }) => action === 'admin.ai_tasks.answer_prompt');
    assert.equal(answered?.summary, `Run ${run.runId}: prompt ${run.promptId} answered`);
  });

  /** A task whose state a run wrote that could read customers; its present version may read nothing. */
  async function taskWithState(values: { permissions?: Permission[]; may_start?: number[] } = {}): Promise<number> {
    const writer = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.customers.read'] }));
    assert.equal((await writer.call('PUT', `/ai-tasks/${writer.taskId}/state/emails`, { value: SECRET })).status, 200);
    await writer.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await tasks().create_version(writer.taskId, { source_code: 'log(1)', permissions: [], parameters: [], ...values });
    return writer.taskId;
  }
  const stateOf = async ({ call, taskId }: ClaimedRun) => {
    const answer = await call('GET', `/ai-tasks/${taskId}/state/emails`);
    assert.ok(answer.status === 200 && answer.text.includes(SECRET), answer.text);
  };
  const said = [
    { kind: 'log', line: SECRET },
    { kind: 'progress', current: 1, total: 2, label: SECRET },
  ];
  const over = { kind: 'finalize', status: 'failed', error_message: `no ${SECRET}`, end_reason: 'script_error', result: SECRET };

  /** A stream that is open, so the right to see the run was looked up before; `rest` reads it to its end. */
  async function opened(path: string, token: string) {
    const answer = await request(`${app().url}${path}/stream`, { headers: { authorization: `Bearer ${token}` } });
    const chunks = answer.body[Symbol.asyncIterator]();
    const first = String((await chunks.next()).value);
    const rest = async (): Promise<string> => {
      let text = first;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) text += String(next.value);
      return text;
    };
    return { first, rest };
  }

  test('RU16: a stream tells no line that a run writes after it has learnt from its task’s state', async () => {
    const narrow = await with_('admin_api.ai_tasks.write');
    const wide = await with_('admin_api.ai_tasks.write', 'admin_api.customers.read');
    const taskId = await taskWithState();
    const draft = { source_code: 'await sleep(900); log(await state.get("emails"))', permissions: [], parameters: [] };
    for (const body of [{}, { dry_run: true, draft }]) {
      const run = await claimedRun(app(), body, taskId);
      const [stream, seeing] = [await opened(run.path, narrow), await opened(run.path, wide)];
      assert.equal(stream.first, 'retry: 2000\n: ok\n\n');
      await run.report([{ kind: 'log', line: 'harmless' }]);
      await stateOf(run);
      await run.report(said);
      await run.report([over]);
      const text = await stream.rest();
      assert.ok(!text.includes(SECRET), text);
      assert.match(text, /: the log needs admin_api.customers.read\n\n/);
      assert.match(text, /id: end\nevent: status\ndata: \{"status":"failed","error":null\}\n\n$/);
      assert.equal((await seeing.rest()).split(SECRET).length, 4, 'who may read it sees the line, the progress and the error');
    }
    const silent = await claimedRun(app(), {}, taskId);
    const stream = await opened(silent.path, narrow);
    await stateOf(silent);
    await silent.report([over]);
    assert.ok(!(await stream.rest()).includes(SECRET), 'an error message alone is output, too');
  });

  test('RU16: what a run learns from a run that it started reaches no open stream', async () => {
    const narrow = await with_('admin_api.ai_tasks.write', 'tasks_start');
    const child = await taskWithState();
    const parent = await claimedRun(
      app(),
      {},
      await makeTask(app(), { permissions: ['tasks_start'], may_start: [child] }, { on_interrupt: 'resume' }),
    );
    const stream = await opened(parent.path, narrow);
    assert.equal(stream.first, 'retry: 2000\n: ok\n\n');
    const started = Number(field((await parent.call('POST', '/task-runs', { task: child, parameters: {} })).body, 'run_id'));
    const side = { taskId: child, runId: started, path: pathOf('/ai-tasks/{id}/runs/{run_id}', { taskId: child, runId: started }) };
    const asked = await app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${parent.runId}/awaited-runs`,
      token: parent.claim.report_token,
      body: { key: `0/${callFingerprint('AWAIT', '/awaited', { n: 1 })}/0`, started_run_id: started },
    });
    assert.equal(asked.status, 200, asked.text);
    const run = { ...side, ...(await claimRun(app(), side)) };
    await stateOf(run);
    await run.report([over]);
    assert.equal((await parent.report([...said, over])).status, 204);
    const text = await stream.rest();
    assert.ok(!text.includes(SECRET), text);
  });

  test('HK3: a hook does not answer with the result of a run that has learnt more than its admin may read', async () => {
    const { make, call, runOf } = hooks(app);
    const client = app().clientFor(await with_('admin_api.ai_tasks.write'));
    const taskId = await taskWithState();
    const answers: RawAnswer[] = [];
    for (const admin of [client, app().client]) {
      await emptyQueue(app());
      const hook = await make({ wait: true, parameter: null }, taskId, admin);
      const answered = call(hook.address, `{"of":"${hook.id}"}`);
      const runId = await until('the hook opens a run', async () =>
        (await tasks().list_runs(taskId)).find(({ started_by, status }) => started_by === `hook:${hook.id}` && status === 'running'),
      ).then(({ id }) => id);
      const side = { taskId, runId, path: pathOf('/ai-tasks/{id}/runs/{run_id}', { taskId, runId }) };
      const run = { ...side, ...(await claimRun(app(), side)) };
      await stateOf(run);
      await run.report([over]);
      const answer = await answered;
      assert.equal(runOf(answer), runId);
      answers.push(answer);
    }
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text.includes(SECRET)]),
      [
        [202, false],
        [200, true],
      ],
    );
  });

  test('RU16: parameters that a script or a hook gave are withheld with the output, also in the run that resumes or replays', async () => {
    const wide = await with_('admin_api.ai_tasks.write', 'admin_api.customers.read', 'admin_api.orders.read', 'tasks_start');
    const narrow = await with_('admin_api.ai_tasks.write', 'tasks_start');
    const lister = await with_('admin_api.ai_tasks.read', 'tasks_start');
    const taskId = await makeTask(app(), { permissions: [], parameters: [{ name: 'payload', kind: 'json' }] });
    const { make, call, runOf } = hooks(app);
    const hook = await make({}, taskId, app().clientFor(narrow));
    const starter = await claimedRun(
      app(),
      {},
      await makeTask(app(), { permissions: ['tasks_start', 'admin_api.customers.read'], may_start: [taskId] }),
    );
    const started = await starter.call('POST', '/task-runs', { task: taskId, parameters: { payload: SECRET } });
    await starter.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await tasks().cancel_run(taskId, Number(field(started.body, 'run_id')));
    const again = { action: 'retry' as const, ids: [Number(field(started.body, 'run_id'))] };
    const retried = (await tasks().bulk_runs(again)).results[0]?.new_run_id ?? 0;
    const called = runOf(await call(hook.address, JSON.stringify({ name: SECRET })));
    const runIds = [retried, called];
    for (const runId of [...runIds]) {
      await storeInterrupted(app().store, runId);
      const { run_id: resumed } = await app().clientFor(narrow).ai_tasks.start_run(taskId, { resume_run_id: runId });
      runIds.push(resumed);
      await tasks().cancel_run(taskId, resumed);
    }
    for (const runId of runIds) {
      for (const token of [narrow, lister]) {
        const reading = app().clientFor(token).ai_tasks;
        const seen = await reading.get_run(taskId, runId);
        assert.equal(seen.parameters, '{}', `run ${runId}`);
        assert.ok(seen.withheld.includes('admin_api.customers.read'));
        for (const list of [await reading.list_runs(taskId), (await reading.list_all_runs({ task_id: taskId })).data])
          assert.ok(!JSON.stringify(list).includes(SECRET), `list of run ${runId}`);
      }
      assert.match((await app().clientFor(wide).ai_tasks.get_run(taskId, runId)).parameters, new RegExp(SECRET));
    }
    const steal = { source_code: 'log(parameters)', permissions: [], parameters: [] };
    const hooked = runOf(await call(hook.address, JSON.stringify({ mail: SECRET })));
    await storeInterrupted(app().store, hooked);
    await refused(app().clientFor(narrow).ai_tasks.create_version(taskId, steal), 403, 'permission_not_held');
    await tasks().create_version(taskId, steal);
    const resume = { resume_run_id: hooked, version: 'current' as const };
    await refused(app().clientFor(narrow).ai_tasks.start_run(taskId, resume), 403, 'forbidden');
    await refused(app().clientFor(narrow).ai_tasks.list_effects(taskId, hooked), 403, 'forbidden');
    const chosen = await openRun(app(), { parameters: { payload: 'by an admin' } }, taskId);
    assert.match((await app().clientFor(lister).ai_tasks.get_run(taskId, chosen.runId)).parameters, /by an admin/);
    await emptyQueue(app());
  });

  test('HK3, HK4: whoever calls a hook gets its result, although admins need permission to see what it was sent', async () => {
    const { make, call } = hooks(app);
    const client = app().clientFor(await with_('admin_api.ai_tasks.write'));
    const taskId = await makeTask(app(), { permissions: [], parameters: [{ name: 'payload', kind: 'json' }] });
    const hook = await make({ wait: true }, taskId, client);
    await emptyQueue(app());
    const answered = call(hook.address, JSON.stringify({ name: SECRET }));
    const { id: runId } = await until('the hook opens a run', async () => (await tasks().list_runs(taskId))[0]);
    const run = await claimRun(app(), { taskId, runId, path: pathOf('/ai-tasks/{id}/runs/{run_id}', { taskId, runId }) });
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: SECRET }]);
    assert.deepEqual((await answered).body, { run_id: runId, status: 'success', result: SECRET });
    assert.equal((await client.ai_tasks.get_run(taskId, runId)).result, null);
  });
});
