import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, emptyQueue, field, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('automation tasks', (app) => {
  const VERSION = { source_code: 'log(1);', permissions: [], parameters: [] };
  const tasks = () => app().client.ai_tasks;

  test('TK1: the list shows the current version number, the detail the whole current version and a summary of all versions', async () => {
    const { task_id, version_id } = await tasks().create({ name: 'One', description: '', ...VERSION });
    const second = await tasks().create_version(task_id, {
      ...VERSION,
      source_code: 'log(2);',
      permissions: ['llm'],
      parameters: [{ name: 'n', kind: 'number' }],
    });
    const listed = (await tasks().list()).tasks.find(({ id }) => id === task_id);
    assert.equal(listed?.current_version, 2);
    assert.deepEqual([listed?.last_run_at, listed?.last_run_status], [null, null]);
    const { task, current_version: current, versions } = await tasks().get(task_id);
    assert.equal(task.current_version_id, second.version_id);
    assert.deepEqual(
      [current?.id, current?.version, current?.source_code, current?.permissions, current?.parameters, current?.approved_by],
      [second.version_id, 2, 'log(2);', '["llm"]', '[{"name":"n","kind":"number"}]', 1],
    );
    assert.deepEqual(
      versions.map(({ id, version }) => [id, version]),
      [
        [second.version_id, 2],
        [version_id, 1],
      ],
    );
    const made = ['created_at', 'created_by', 'created_by_name', 'created_via'];
    const shown = ['approval', 'approved_by', 'changes_requested', ...made, 'id', 'note', 'version'];
    assert.deepEqual(Object.keys(versions[0] ?? {}).sort(), shown);
  });

  test('TK1: a version shows its source hash, its permission difference and the permissions its runs used', async () => {
    const run = await claimedRun(app());
    const { current_version: current } = await tasks().get(run.taskId);
    assert.ok(current);
    assert.deepEqual((await tasks().get_version(run.taskId, current.id)).permissions_used, []);
    assert.equal((await run.call('GET', '/customers')).status, 200);
    const version = await tasks().get_version(run.taskId, current.id);
    assert.equal(version.source_sha256, createHash('sha256').update(version.source_code).digest('hex'));
    assert.deepEqual(version.permissions_diff, { added: ['admin_api.customers.write', 'admin_api.orders.read'], removed: [] });
    assert.deepEqual(version.permissions_used.length, 1, version.permissions_used.join());
    await refused(tasks().get_version(await makeTask(app()), current.id), 404, 'not_found');
  });

  test('TK2: tasks are listed by last change; limit and offset are clamped; search covers name and description in any case, with and without marks', async () => {
    const [a, b] = [
      await makeTask(app(), { name: 'Straße 100%_x' }),
      await makeTask(app(), { name: 'Other', description: 'ÉCLAIR straßen' }),
    ];
    await tasks().update(a, { description: 'changed' });
    const found = await tasks().list({ search: ' STRASSE ' });
    assert.deepEqual([found.total, found.tasks.map(({ id }) => id)], [2, [a, b]]);
    assert.deepEqual(
      (await tasks().list({ search: 'éclair' })).tasks.map(({ id }) => id),
      [b],
    );
    assert.deepEqual(
      (await tasks().list({ search: '%_' })).tasks.map(({ id }) => id),
      [a],
    );
    assert.equal((await tasks().list({ search: 'eclair' })).total, 1);
    const one = await tasks().list({ search: 'strasse', limit: 0, offset: -5 });
    assert.deepEqual([one.total, one.tasks.map(({ id }) => id)], [2, [a]]);
    assert.deepEqual(
      (await tasks().list({ search: 'strasse', limit: 1, offset: 1 })).tasks.map(({ id }) => id),
      [b],
    );
    await refused(tasks().list({ search: 'x'.repeat(201) }), 422, 'too_long');
  });

  test('TK2: the list shows the newest run of a task as its last run', async () => {
    const { taskId, runId } = await openRun(app());
    await tasks().cancel_run(taskId, runId);
    const { run_id } = await tasks().start_run(taskId);
    const listed = (await tasks().list()).tasks.find(({ id }) => id === taskId);
    assert.deepEqual([listed?.last_run_status, listed?.last_run_at], ['running', (await tasks().get_run(taskId, run_id)).started_at]);
  });

  test('TK3: a deleted task can be read but not changed or run; deleting again keeps its first deleted_at', async () => {
    const { taskId, runId } = await openRun(app(), { executor: 'external' });
    await tasks().delete(taskId);
    const { task } = await tasks().get(taskId);
    assert.ok(task.deleted_at);
    await tasks().delete(taskId);
    assert.equal((await tasks().get(taskId)).task.deleted_at, task.deleted_at);
    const { data } = await app().client.audit_log.list({ resource_type: 'task', resource_id: taskId, action: 'ai_tasks.delete' });
    assert.deepEqual(
      data.map(({ changes }) => changes),
      [{}, { deleted_at: [null, task.deleted_at] }],
    );
    assert.ok(!(await tasks().list({ limit: 200 })).tasks.some(({ id }) => id === taskId));
    assert.ok((await tasks().list({ limit: 200, include_deleted: true })).tasks.some(({ id }) => id === taskId));
    await refused(tasks().create_version(taskId, VERSION), 409, 'task_deleted');
    await refused(tasks().start_run(taskId), 409, 'task_deleted');
    await refused(tasks().update(taskId, { name: 'x' }), 409, 'task_deleted');
    await tasks().append_run_events(taskId, runId, {
      events: [
        { kind: 'log', line: 'still' },
        { kind: 'finalize', status: 'success', error_message: null },
      ],
    });
    assert.equal((await tasks().get_run(taskId, runId)).status, 'success');
    assert.equal((await tasks().list_runs(taskId)).length, 1);
  });

  test('TK4: name, description and source have limits; a syntax error is a warning', async () => {
    const create = (values: object) =>
      app().request({ method: 'POST', path: '/admin/api/ai-tasks', body: { name: 'n', description: '', ...VERSION, ...values } });
    for (const values of [
      { name: ' ' },
      { name: 'x'.repeat(256) },
      { description: null },
      { source_code: '' },
      { source_code: 'ä'.repeat(524_289) },
      { permissions: undefined },
      { parameters: undefined },
      { name: 'a\u0000b' },
    ]) {
      assert.equal((await create(values)).status, 422, JSON.stringify(values).slice(0, 60));
    }
    assert.equal((await create({ source_code: `${'a'.repeat(1024 * 1024 - 2)}()` })).status, 201, 'exactly 1 MiB');
    const broken = await create({ name: '😀'.repeat(255), source_code: 'const a = 1;\nenum X { a \n' });
    assert.equal(broken.status, 201);
    const [warning] = [field(broken.body, 'warnings')].flat();
    assert.equal(field(warning, 'line'), 2);
    const { current_version: current } = await tasks().get(Number(field(broken.body, 'task_id')));
    assert.deepEqual(current?.warnings, field(broken.body, 'warnings'));
  });

  test('TK5: an unknown permission is refused with its index; duplicates are merged, hyphens become underscores', async () => {
    const create = (permissions: string[]) => tasks().create({ name: 'n', description: '', ...VERSION, permissions });
    const unknown = await refused(create(['llm', 'admin_api.nothing.read']), 422, 'unknown_permission');
    assert.equal(unknown.errors[0]?.pointer, '/permissions/1');
    for (const permission of ['admin_api.orders', 'orders.read', 'admin_api.orders.delete', '__proto__', ''])
      await refused(create([permission]), 422, 'unknown_permission');
    const { task_id } = await create(['llm', 'admin_api.access-groups.read', 'llm', 'admin_api.access_groups.read']);
    assert.equal((await tasks().get(task_id)).current_version?.permissions, '["llm","admin_api.access_groups.read"]');
  });

  test('TK11: a permission that no task may have is 422 permission_not_grantable, before the author’s own are checked', async () => {
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    for (const name of [
      'ai_tasks.read',
      'ai_tasks.approve',
      'admins.write',
      'settings.read',
      'webhooks.read',
      'runner.write',
      'preferences.read',
    ]) {
      await refused(
        app()
          .clientFor(token)
          .ai_tasks.create({ name: 'n', description: '', ...VERSION, permissions: [`admin_api.${name}`] }),
        422,
        'permission_not_grantable',
      );
    }
  });

  test('TK6: an author may declare only permissions that they have; write includes read', async () => {
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.orders.write'] });
    const staff = app().clientFor(token).ai_tasks;
    const before = (await tasks().list()).total;
    await refused(
      staff.create({ name: 'n', description: '', ...VERSION, permissions: ['admin_api.customers.read'] }),
      403,
      'permission_not_held',
    );
    assert.equal((await tasks().list()).total, before);
    const { task_id } = await staff.create({ name: 'n', description: '', ...VERSION, permissions: ['admin_api.orders.read'] });
    await refused(staff.create_version(task_id, { ...VERSION, permissions: ['llm'] }), 403, 'permission_not_held');
    assert.equal((await tasks().get(task_id)).versions.length, 1);
  });

  test('TK7: approved_by is the admin who made the version', async () => {
    const { token, adminId } = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const { task_id } = await app()
      .clientFor(token)
      .ai_tasks.create({ name: 'n', description: '', ...VERSION });
    assert.equal((await tasks().get(task_id)).current_version?.approved_by, adminId);
  });

  test('TK8: a new version becomes current and shows its permission difference; open runs keep their version', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.orders.read', 'admin_api.customers.write'] });
    const { run_id, version_id } = await tasks().start_run(taskId);
    const { permissions_diff } = await tasks().create_version(taskId, {
      ...VERSION,
      permissions: ['llm', 'admin_api.orders.read', 'admin_api.orders.write'],
    });
    assert.deepEqual(permissions_diff, { added: ['admin_api.orders.write', 'llm'], removed: ['admin_api.customers.write'] });
    assert.equal((await tasks().get_run(taskId, run_id)).version_id, version_id);
    assert.notEqual((await tasks().start_run(taskId)).version_id, version_id);
  });

  test('TK8: simultaneous new versions are numbered without gaps', async () => {
    const taskId = await makeTask(app());
    await Promise.all(Array.from({ length: 6 }, () => tasks().create_version(taskId, VERSION)));
    assert.deepEqual(
      (await tasks().get(taskId)).versions.map(({ version }) => version),
      [7, 6, 5, 4, 3, 2, 1],
    );
  });

  test('TK9: a declared parameter needs a unique well-formed name and a well-formed kind', async () => {
    const create = (parameters: { name: string; kind: string }[]) => tasks().create({ name: 'n', description: '', ...VERSION, parameters });
    for (const name of ['', '1a', 'a-b', 'x'.repeat(65), 'é']) await refused(create([{ name, kind: 'string' }]), 422, 'invalid_value');
    for (const kind of ['', 'String', 'x'.repeat(33)]) await refused(create([{ name: 'a', kind }]), 422, 'invalid_value');
    await refused(
      create([
        { name: 'a', kind: 'string' },
        { name: 'a', kind: 'number' },
      ]),
      422,
      'duplicate',
    );
    await create([
      { name: '_a1', kind: 'anything_else' },
      { name: 'x'.repeat(64), kind: 'file' },
    ]);
  });

  test('TK10: a PATCH changes the named settings of a task; {} changes nothing', async () => {
    const taskId = await makeTask(app());
    const before = (await tasks().get(taskId)).task;
    assert.deepEqual(await tasks().update(taskId, {}), before);
    const changed = await tasks().update(taskId, { settings: { limits: { cpu_seconds: 5 }, concurrency: { limit: 2 } } });
    assert.deepEqual(changed.settings, {
      ...before.settings,
      limits: { cpu_seconds: 5 },
      concurrency: { limit: 2, key: null, overflow: 'queue' },
    });
    const more = await tasks().update(taskId, { settings: { limits: { writes: 7 }, on_interrupt: 'resume', max_attempts: 5 } });
    assert.deepEqual(more.settings, {
      ...changed.settings,
      limits: { cpu_seconds: 5, writes: 7 },
      on_interrupt: 'resume',
      max_attempts: 5,
    });
    const fewer = await tasks().update(taskId, { settings: { limits: { cpu_seconds: null, llm_tokens: null } } });
    assert.deepEqual(fewer.settings, { ...more.settings, limits: { writes: 7 } }, 'null takes a limit away');
    const none = await tasks().update(taskId, { settings: { limits: { writes: null } } });
    assert.deepEqual(none.settings.limits, {});
    await refused(tasks().update(taskId, { settings: { limits: { heap_mib: 100_000 } } }), 422, 'out_of_range');
    await refused(tasks().update(taskId, { name: '' }), 422, 'blank');
    assert.deepEqual((await tasks().get(taskId)).task, none);
  });

  test('TK11: a run cannot read the audit log and mails, even if it may read logs', async () => {
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.logs.write'] }));
    for (const path of ['/audit-log', '/mails']) {
      const answer = await run.call('GET', path);
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], path);
      assert.match(answer.text, /cannot be called by tasks/);
    }
    assert.equal((await run.call('GET', '/logs')).status, 200);
    await emptyQueue(app());
  });
});
