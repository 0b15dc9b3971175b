import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Schedule } from '../../contract/schedules.ts';
import { onBothStores, startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask } from '../helpers/runs.ts';
import { scheduleTools, WITHIN_MS, YEARLY } from '../helpers/schedules.ts';
import { breakSchedule, letBeDueAgo } from '../helpers/stored-rows/automation.ts';

const HOUR_MS = 3_600_000;

onBothStores('schedules', (app, engine) => {
  const { make, runsOf, logsOf, letBeDue, settled, dealtWith } = scheduleTools(app);
  const newsOf = async (schedule: Schedule) =>
    (await app().client.notifications.list({ limit: 100 })).notifications.filter(
      ({ type, metadata }) => type === 'ai_task_not_started' && metadata?.['schedule_id'] === schedule.id,
    );

  test('SD1: a schedule is created, read, changed and deleted; next_at is computed in advance', async () => {
    const { client } = app();
    const taskId = await makeTask(app());
    const made = await client.ai_tasks.create_schedule(taskId, { cron: ' 30 2 * * MON ', timezone: 'europe/vienna' });
    assert.deepEqual(
      [made.cron, made.timezone, made.parameters, made.enabled, made.overlap, made.catch_up_seconds, made.last_run_id, made.last_at],
      ['30 2 * * MON', 'Europe/Vienna', {}, true, 'skip', 3600, null, null],
    );
    assert.ok(made.next_at !== null && Date.parse(made.next_at) > Date.now());
    const upcoming = await client.ai_tasks.list_upcoming(taskId, made.id, { count: 3 });
    assert.deepEqual([upcoming.length, upcoming[0]], [3, made.next_at]);
    assert.equal((await client.ai_tasks.list_upcoming(taskId, made.id)).length, 5);
    await refused(client.ai_tasks.list_upcoming(taskId, made.id, { count: 101 }), 422, 'out_of_range');
    await refused(client.ai_tasks.list_upcoming(taskId, made.id, { count: 0 }), 422, 'out_of_range');

    const preview = await client.ai_tasks.preview_schedule(taskId, { cron: ' 30 2 * * MON ', timezone: 'europe/vienna', count: 3 });
    assert.deepEqual(preview, upcoming);
    await refused(client.ai_tasks.preview_schedule(taskId, { cron: '30 2 * *' }), 422, 'invalid_value');
    await refused(client.ai_tasks.preview_schedule(taskId, { cron: '30 2 * * *', timezone: 'Mars/Base' }), 422, 'invalid_value');
    await refused(client.ai_tasks.preview_schedule(999_999, { cron: '30 2 * * *' }), 404, 'not_found');

    const off = await client.ai_tasks.update_schedule(taskId, made.id, { enabled: false });
    assert.deepEqual([off.enabled, off.next_at], [false, null]);
    assert.equal((await client.ai_tasks.list_upcoming(taskId, made.id)).length, 5);
    const on = await client.ai_tasks.update_schedule(taskId, made.id, {
      enabled: true,
      cron: '0 * * * *',
      overlap: 'queue',
      catch_up_seconds: 0,
    });
    assert.deepEqual([on.cron, on.overlap, on.catch_up_seconds, on.timezone], ['0 * * * *', 'queue', 0, 'Europe/Vienna']);
    assert.ok(on.next_at !== null && Date.parse(on.next_at) - Date.now() <= HOUR_MS);
    assert.deepEqual(await client.ai_tasks.list_schedules(taskId), [on]);

    const stranger = await makeTask(app());
    await refused(client.ai_tasks.get_schedule(stranger, made.id), 404, 'not_found');
    await client.ai_tasks.delete_schedule(taskId, made.id);
    await refused(client.ai_tasks.get_schedule(taskId, made.id), 404, 'not_found');
    assert.deepEqual(await client.ai_tasks.list_schedules(taskId), []);
    const audit = await client.audit_log.list({ resource_type: 'schedule', resource_id: made.id });
    assert.deepEqual(audit.data.map(({ action }) => action).sort(), [
      'ai_tasks.create_schedule',
      'ai_tasks.delete_schedule',
      'ai_tasks.update_schedule',
      'ai_tasks.update_schedule',
    ]);
  });

  test('SD1: a schedule with a bad cron, time zone, bound or parameter is refused; changing one needs the write permission', async () => {
    const { client, clientFor } = app();
    const declared = { parameters: [{ name: 'days', kind: 'number', required: true }] };
    const taskId = await makeTask(app(), declared);
    const create = (body: object) => client.ai_tasks.create_schedule(taskId, { ...YEARLY, parameters: { days: 3 }, ...body });
    for (const cron of ['0 4 31 2 *', '61 * * * *', '* * * * * *', 'tomorrow', 'x'.repeat(201)]) {
      const error = await refused(create({ cron }), 422, cron.length > 200 ? 'too_long' : 'invalid_value');
      assert.equal(error.errors[0]?.pointer, '/cron');
    }
    assert.equal((await refused(create({ timezone: 'Europe/Wien' }), 422, 'invalid_value')).errors[0]?.pointer, '/timezone');
    await refused(create({ timezone: '+01:00' }), 422, 'invalid_value');
    await refused(create({ catch_up_seconds: -1 }), 422, 'out_of_range');
    await refused(create({ catch_up_seconds: 31 * 86_400 + 1 }), 422, 'out_of_range');
    assert.equal((await refused(create({ parameters: {} }), 422, 'required')).errors[0]?.pointer, '/parameters/days');
    await refused(create({ parameters: { days: 'three' } }), 422, 'invalid_type');
    const { id } = await create({ enabled: false });
    await refused(client.ai_tasks.update_schedule(taskId, id, { parameters: { days: 'x' } }), 422, 'invalid_type');
    await refused(client.ai_tasks.update_schedule(taskId, id, { cron: '0 0 30 2 *' }), 422, 'invalid_value');

    const reader = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
    assert.equal((await reader.ai_tasks.list_schedules(taskId)).length, 1);
    await refused(reader.ai_tasks.create_schedule(taskId, { ...YEARLY, parameters: { days: 1 } }), 403, 'forbidden');
    await refused(reader.ai_tasks.delete_schedule(taskId, id), 403, 'forbidden');
  });

  test('SD1: a task has 100 schedules at most', async () => {
    const { client } = app();
    const taskId = await makeTask(app());
    await Promise.all(Array.from({ length: 100 }, () => make({ enabled: false }, taskId)));
    await refused(client.ai_tasks.create_schedule(taskId, YEARLY), 409, 'too_many');
  });

  test('SD2, SD5: a due schedule opens one run in the name of its creator, and next_at moves on', async () => {
    const schedule = await make({ parameters: { days: 3 } });
    await letBeDue(schedule);
    const after = await settled(schedule);
    const [run, ...more] = await runsOf(schedule);
    assert.ok(run && more.length === 0);
    assert.deepEqual([run.status, run.started_by, JSON.parse(run.parameters)], ['running', `schedule:${schedule.id}`, { days: 3 }]);
    assert.deepEqual([after.last_run_id, after.next_at, after.last_error], [run.id, schedule.next_at, null]);
    assert.ok(after.last_at !== null && after.last_at >= schedule.created_at);
    const { rows } = await sql<{ admin: number }>`SELECT started_by_admin_id AS admin FROM runs WHERE id = ${run.id}`.execute(
      app().store.reader,
    );
    assert.equal(rows[0]?.admin, schedule.created_by);
  });

  test('SD3: missed times within catch_up_seconds open one run; older ones open none and are logged', async () => {
    const [recent, old] = [await make({ cron: '* * * * *', overlap: 'queue' }), await make()];
    await letBeDue(recent, HOUR_MS / 2);
    await letBeDue(old, 2 * HOUR_MS);
    await dealtWith(recent);
    const after = await dealtWith(old);
    const byThen = (await runsOf(recent)).length;
    assert.ok(byThen === 1 || byThen === 2, `${byThen} runs: one for half an hour, and perhaps the next minute's`);
    assert.deepEqual([await runsOf(old), after.next_at, after.last_at], [[], old.next_at, null]);
    const [entry] = await logsOf(old, 'schedule.missed');
    assert.match(entry?.summary ?? '', /missed .*longer ago than its catch_up_seconds of 3600/);
    assert.deepEqual(await logsOf(recent, 'schedule.missed'), []);
    await app().client.ai_tasks.delete_schedule(recent.task_id, recent.id);
  });

  test('SD4: overlap skip logs a due time while the last run or its resumption is open; allow opens another run', async () => {
    const { client } = app();
    const [skip, allow] = [await make({ overlap: 'skip' }), await make({ overlap: 'allow' })];
    for (const schedule of [skip, allow]) {
      await letBeDue(schedule);
      await dealtWith(schedule);
      await letBeDue(schedule);
      await dealtWith(schedule);
    }
    assert.deepEqual([(await runsOf(skip)).length, (await runsOf(allow)).length], [1, 2]);
    const [entry] = await logsOf(skip, 'schedule.skipped');
    assert.match(entry?.summary ?? '', /opened no run: run \d+, which it opened before, is still open/);
    const [first] = await runsOf(skip);
    assert.ok(first);
    const path = `/admin/api/ai-tasks/${skip.task_id}/runs/${first.id}`;
    await app().request({ method: 'PATCH', path, body: { events: [{ kind: 'finalize', status: 'interrupted' }] } });
    const resumed = await client.ai_tasks.start_run(skip.task_id, { resume_run_id: first.id });
    await letBeDue(skip);
    await dealtWith(skip);
    assert.equal((await logsOf(skip, 'schedule.skipped')).length, 2);
    await client.ai_tasks.cancel_run(skip.task_id, resumed.run_id);
    await letBeDue(skip);
    assert.equal((await dealtWith(skip)).last_error, null);
    assert.equal((await runsOf(skip)).length, 3);
    assert.deepEqual(await newsOf(skip), []);
  });

  test('RU11: with the task at its concurrency limit and overflow skip, a due time is logged and opens no run', async () => {
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1, overflow: 'skip' } });
    await app().client.ai_tasks.start_run(taskId, {});
    const schedule = await make({}, taskId);
    await letBeDue(schedule);
    const after = await dealtWith(schedule);
    assert.match(after.last_error ?? '', /already has 1 open run/);
    assert.equal((await runsOf(schedule)).length, 1);
    assert.match((await logsOf(schedule, 'schedule.skipped'))[0]?.summary ?? '', /already has 1 open run/);
    const lineages = await sql<{ n: number }>`SELECT count(*) AS n FROM lineages l WHERE NOT EXISTS (
      SELECT 1 FROM runs r WHERE r.lineage_id = l.id)`.execute(app().store.reader);
    assert.equal(Number(lineages.rows[0]?.n), 0, 'no lineage is left of the refused run');
  });

  test('SD6: a run that cannot be opened is logged each time and notified once for each reason', async () => {
    const { client } = app();
    const schedule = await make({ parameters: { days: 'three' } });
    const { task_id: taskId } = schedule;
    const version = { source_code: 'log(1)', permissions: [] as never[] };
    await client.ai_tasks.create_version(taskId, { ...version, parameters: [{ name: 'days', kind: 'number' }] });
    for (let n = 0; n < 2; n += 1) {
      await letBeDue(schedule);
      const after = await dealtWith(schedule);
      assert.match(after.last_error ?? '', /"days" must be a number/);
      assert.equal(after.next_at, schedule.next_at);
    }
    assert.equal((await logsOf(schedule, 'schedule.failed')).length, 2);
    const news = await newsOf(schedule);
    assert.deepEqual([news.length, news[0]?.severity], [1, 'warning']);
    assert.match(news[0]?.message ?? '', /schedule \d+ opened no run: .*"days" must be a number/);

    await client.ai_tasks.update_schedule(taskId, schedule.id, { parameters: { days: 3 } });
    const { versions } = await client.ai_tasks.get(taskId);
    for (const { id } of versions) await client.ai_tasks.revoke_version(taskId, id, {});
    await letBeDue(schedule);
    assert.match((await dealtWith(schedule)).last_error ?? '', /has no approved version/);
    assert.deepEqual(
      (await newsOf(schedule)).map(({ count }) => count),
      [2],
    );
    assert.deepEqual(await runsOf(schedule), []);
    await client.ai_tasks.create_version(taskId, { ...version, parameters: [{ name: 'days', kind: 'number' }] });
    await letBeDue(schedule);
    assert.equal((await dealtWith(schedule)).last_error, null);
    assert.equal((await runsOf(schedule)).length, 1);
  });

  test('SD5: a schedule opens no run for an admin who is deactivated or may not start tasks', async () => {
    const { client } = app();
    const maker = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const taskId = await makeTask(app());
    const schedule = await app()
      .clientFor(maker.token)
      .ai_tasks.create_schedule(taskId, { ...YEARLY, overlap: 'queue' });
    assert.equal(schedule.created_by, maker.adminId);
    for (const change of [{ active: false }, { active: true, permissions: ['admin_api.ai_tasks.read' as const] }]) {
      await client.admins.update(maker.adminId, change);
      await letBeDue(schedule);
      assert.match((await dealtWith(schedule)).last_error ?? '', /is deactivated or may not start tasks any more/);
    }
    assert.deepEqual(await runsOf(schedule), []);
    await client.admins.update(maker.adminId, { permissions: ['admin_api.ai_tasks.write'] });
    await letBeDue(schedule);
    await dealtWith(schedule);
    assert.equal((await runsOf(schedule)).length, 1);
  });

  test('SD5: after an edit a schedule acts for the admin who edited it', async () => {
    const { client, clientFor, store } = app();
    const first = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const second = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const schedule = await make();
    const edit = (token: string, body: object) => clientFor(token).ai_tasks.update_schedule(schedule.task_id, schedule.id, body);
    const starters = async () =>
      (
        await sql<{ admin: number }>`SELECT started_by_admin_id AS admin FROM runs WHERE task_id = ${schedule.task_id} ORDER BY id`.execute(
          store.reader,
        )
      ).rows.map(({ admin }) => admin);
    const fire = async () => {
      await letBeDue(schedule);
      const after = await dealtWith(schedule);
      await client.ai_tasks.cancel_runs(schedule.task_id);
      return after;
    };
    assert.equal(schedule.acts_for, schedule.created_by);
    const edited = await edit(first.token, { parameters: { all: true } });
    assert.deepEqual([edited.created_by, edited.acts_for], [schedule.created_by, first.adminId]);
    assert.equal((await edit(second.token, { parameters: { all: true } })).acts_for, first.adminId, 'the edit changed nothing');
    await fire();
    assert.deepEqual(await starters(), [first.adminId]);
    await edit(second.token, { catch_up_seconds: 60 });
    await client.admins.update(first.adminId, { active: false });
    await fire();
    assert.deepEqual(await starters(), [first.adminId, second.adminId], 'the first admin no longer matters');
    await client.admins.update(second.adminId, { active: false });
    assert.match((await fire()).last_error ?? '', new RegExp(`admin ${second.adminId}, whom the schedule acts for, is deactivated`));
    const [entry] = (await client.audit_log.list({ resource_type: 'schedule', resource_id: schedule.id, actor_id: second.adminId })).data;
    assert.deepEqual(entry?.changes['acts_for'], [first.adminId, second.adminId]);
  });

  test('RU1, SD5: the right to use a file parameter is checked when a schedule is saved and at each due time', async () => {
    const { client, clientFor } = app();
    const seller = await person(app(), { permissions: ['admin_api.files.write'] });
    const sold = await clientFor(seller.token).files.create({ file: { filename: 'sold.pdf', content: 'sold' } });
    const declared = [{ name: 'doc', kind: 'file' }];
    const taskId = await makeTask(app(), { permissions: ['file_upload'], parameters: declared });
    const parameters = { doc: sold.id };
    const clerk = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const clerks = clientFor(clerk.token).ai_tasks;
    await refused(clerks.create_schedule(taskId, { ...YEARLY, parameters }), 403, 'forbidden');
    const schedule = await make({ parameters }, taskId);
    await refused(clerks.update_schedule(taskId, schedule.id, { catch_up_seconds: 0 }), 403, 'forbidden');
    await refused(clerks.update_schedule(taskId, schedule.id, { parameters: { doc: sold.id, more: 1 } }), 403, 'forbidden');
    assert.equal(
      (await clerks.update_schedule(taskId, schedule.id, { enabled: false })).acts_for,
      clerk.adminId,
      'an admin without the right may switch it off',
    );
    await refused(clerks.update_schedule(taskId, schedule.id, { enabled: true }), 403, 'forbidden');

    // A parameter that no version declares is not checked on saving. Here the token that saved it could not read files.
    const narrow = await client.me.create_token({ name: 'narrow', permissions: ['admin_api.ai_tasks.write', 'file_upload'] });
    const undeclared = await makeTask(app(), { permissions: ['file_upload'] });
    const later = await clientFor(narrow.token ?? '').ai_tasks.create_schedule(undeclared, { ...YEARLY, parameters });
    const version = { source_code: 'log(1)', permissions: ['file_upload' as const], parameters: declared };
    await clientFor(narrow.token ?? '').ai_tasks.create_version(undeclared, version);
    const reader = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.files.read'] });
    const own = await clientFor(reader.token).ai_tasks.create_schedule(taskId, { ...YEARLY, parameters });
    await letBeDue(later);
    assert.match((await dealtWith(later)).last_error ?? '', /"doc" names file \d+, which admin 1 did not upload/);
    await letBeDue(own);
    assert.equal((await dealtWith(own)).last_error, null);
    await client.ai_tasks.cancel_runs(taskId);
    await client.admins.update(reader.adminId, { permissions: ['admin_api.ai_tasks.write'] });
    await letBeDue(own);
    assert.match((await dealtWith(own)).last_error ?? '', /needs the permission admin_api.files.read/);
    assert.deepEqual((await runsOf(later)).length, 0);
  });

  test('SD6: deleting a task stops its schedules, and no schedule can be added', async () => {
    const { client } = app();
    const schedule = await make();
    await client.ai_tasks.delete(schedule.task_id);
    await letBeDue(schedule);
    const after = await dealtWith(schedule);
    assert.deepEqual([after.enabled, after.next_at, await runsOf(schedule)], [false, null, []]);
    assert.match((await logsOf(schedule, 'schedule.skipped'))[0]?.summary ?? '', /the task is deleted/);
    await refused(client.ai_tasks.update_schedule(schedule.task_id, schedule.id, { enabled: true }), 409, 'task_deleted');
    await refused(client.ai_tasks.create_schedule(schedule.task_id, YEARLY), 409, 'task_deleted');
  });

  test('SD6: a broken schedule does not hold up others', async () => {
    const [broken, sound] = [await make(), await make()];
    await breakSchedule(app().store, broken.id);
    await letBeDue(broken, 1000);
    await letBeDue(sound);
    await dealtWith(sound);
    await dealtWith(broken);
    assert.deepEqual([(await runsOf(sound)).length, (await runsOf(broken)).length], [1, 0]);
    await app().client.ai_tasks.delete_schedule(broken.task_id, broken.id);
  });

  test('SD2: three servers on one database open one run for each due time', {
    skip: engine === 'sqlite' && 'SQLite has one server',
  }, async () => {
    const COUNT = 60;
    const others = await Promise.all([1, 2].map(() => startApp('postgres', { databaseUrl: app().databaseUrl })));
    const taskId = await makeTask(app());
    const schedules = await Promise.all(Array.from({ length: COUNT }, () => make({ overlap: 'allow' }, taskId)));
    const ids = schedules.map(({ id }) => id);
    const ROUNDS = 3;
    for (let round = 0; round < ROUNDS; round += 1) {
      await letBeDueAgo(app().store, ids, 0);
      await until(
        'all are dealt with',
        async () => (await app().client.ai_tasks.list_schedules(taskId)).every(({ next_at }) => Date.parse(next_at ?? '') > Date.now()),
        WITHIN_MS,
      );
    }
    const runs = (await app().client.ai_tasks.list_runs(taskId, { limit: 200 })).map(({ started_by }) => started_by);
    assert.deepEqual(runs.sort(), ids.flatMap((id) => Array(ROUNDS).fill(`schedule:${id}`)).sort());
    for (const other of others) await other.close();
  });
});
