import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdminApi } from '../../contract/calls.ts';
import { onBothStores } from '../helpers/app.ts';
import { hooks } from '../helpers/hooks.ts';
import { person } from '../helpers/people.ts';
import { makeTask } from '../helpers/runs.ts';

const MAY_WRITE = ['admin_api.ai_tasks.write'] as const;

onBothStores('schedules, triggers and hooks of an admin who was deactivated', (app) => {
  type Saved = { id: number; acts_for: number; last_error: string | null };
  const kinds: Record<
    string,
    { make(api: AdminApi, task: number): Promise<Saved>; save(api: AdminApi, task: number, id: number): Promise<Saved> }
  > = {
    schedule: {
      make: (api, task) => api.ai_tasks.create_schedule(task, { cron: '0 3 * * *' }),
      save: (api, task, id) => api.ai_tasks.update_schedule(task, id, { cron: '0 3 * * *' }),
    },
    trigger: {
      make: (api, task) => api.ai_tasks.create_trigger(task, { event: 'order.created' }),
      save: (api, task, id) => api.ai_tasks.update_trigger(task, id, {}),
    },
    hook: {
      make: (api, task) => api.ai_tasks.create_hook(task, { name: 'Hook' }),
      save: (api, task, id) => api.ai_tasks.update_hook(task, id, { name: 'Hook' }),
    },
  };

  for (const [kind, { make, save }] of Object.entries(kinds)) {
    test(`a save of a ${kind} by another admin takes it over, though nothing else changes`, async () => {
      const [ann, bob] = [await person(app(), { permissions: [...MAY_WRITE] }), await person(app(), { permissions: [...MAY_WRITE] })];
      const [ofAnn, ofBob] = [app().clientFor(ann.token), app().clientFor(bob.token)];
      const task = await makeTask(app());
      const { id } = await make(ofAnn, task);
      assert.equal((await save(ofBob, task, id)).acts_for, ann.adminId, 'it stays with somebody for whom it can start runs');
      await app().client.admins.update(ann.adminId, { active: false });
      assert.equal((await save(ofBob, task, id)).acts_for, bob.adminId);
      const [entry] = (await app().client.audit_log.list({ resource_type: kind, resource_id: id })).data;
      assert.deepEqual(entry?.changes, { acts_for: [ann.adminId, bob.adminId] });
      await app().client.admins.update(bob.adminId, { permissions: [] });
      assert.notEqual((await save(app().client, task, id)).acts_for, bob.adminId, 'nor with somebody who may not start tasks any more');
    });
  }

  test('a save of a task by another admin takes its error handler over, though nothing else changes', async () => {
    const [ann, bob] = [await person(app(), { permissions: [...MAY_WRITE] }), await person(app(), { permissions: [...MAY_WRITE] })];
    const [ofAnn, ofBob] = [app().clientFor(ann.token), app().clientFor(bob.token)];
    const { ai_tasks, admins, audit_log } = app().client;
    const [task, handler] = [await makeTask(app()), await makeTask(app())];
    const fail = async (): Promise<void> => {
      const { run_id } = await ai_tasks.start_run(task, { executor: 'external' });
      await ai_tasks.append_run_events(task, run_id, { events: [{ kind: 'finalize', status: 'failed' }] });
    };
    const set = await ofAnn.ai_tasks.update(task, { settings: { error_handler: { task_id: handler } } });
    assert.equal(set.error_handler_acts_for, ann.adminId);
    const saved = await ofBob.ai_tasks.update(task, {});
    assert.equal(saved.error_handler_acts_for, ann.adminId, 'it stays with somebody for whom it can start runs');
    await admins.update(ann.adminId, { active: false });
    await fail();
    assert.deepEqual(await ai_tasks.list_runs(handler), []);
    assert.equal((await ofBob.ai_tasks.update(task, {})).error_handler_acts_for, bob.adminId);
    const [entry] = (await audit_log.list({ resource_type: 'task', resource_id: task })).data;
    assert.deepEqual(entry?.changes, { error_handler_acts_for: [ann.adminId, bob.adminId] });
    await fail();
    assert.equal((await ai_tasks.list_runs(handler)).length, 1);
    await admins.update(bob.adminId, { permissions: [] });
    const again = await ai_tasks.update(task, { description: 'another' });
    assert.notEqual(again.error_handler_acts_for, bob.adminId, 'nor with somebody who may not start tasks any more');
    assert.equal((await ai_tasks.update(task, { settings: { error_handler: null } })).error_handler_acts_for, null);
  });

  test('a hook that failed for its admin works as soon as another has saved it', async () => {
    const { make, call, runOf } = hooks(app);
    const ann = await person(app(), { permissions: [...MAY_WRITE] });
    const hook = await make({}, undefined, app().clientFor(ann.token));
    await app().client.admins.update(ann.adminId, { active: false });
    assert.equal((await call(hook.address, '{}')).status, 409);
    const saved = await app().client.ai_tasks.update_hook(hook.taskId, hook.id, {});
    assert.equal(saved.last_error, null);
    assert.ok(runOf(await call(hook.address, '{}')) > 0);
  });
});
