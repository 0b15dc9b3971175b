import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { makeTask } from '../helpers/runs.ts';
import { changeEnd } from '../helpers/stored-rows/runs.ts';

onBothStores('recordings of runs', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  const tasks = (): TestApp['client']['ai_tasks'] => app().client.ai_tasks;
  const replays = (): TestApp['client']['replays'] => app().client.replays;

  async function recordTwoNotes(): Promise<{ taskId: number; runId: number }> {
    const { id } = await makeCustomer(app());
    const path = `/customers/${id}/notes`;
    const source_code = `for (const body of parameters.notes) await admin_api.post('${path}', { body });`;
    const taskId = await makeTask(app(), { source_code, permissions: ['admin_api.customers.write'] });
    const { run_id: runId } = await tasks().start_run(taskId, { parameters: { notes: ['One', 'Two'] }, record: true });
    await runner.finish(taskId, runId);
    return { taskId, runId };
  }

  test('a script has nothing of what tests of tasks have', async () => {
    const taskId = await makeTask(app(), { source_code: "import * as all from 'backroom'; export default () => Object.keys(all);" });
    const { run_id: runId } = await tasks().start_run(taskId);
    const names = (await runner.finish(taskId, runId)).result;
    assert.ok(Array.isArray(names) && names.includes('waitFor'));
    assert.deepEqual(
      ['openShop', 'replay', 'emit', 'clock'].filter((name) => names.includes(name)),
      [],
    );
  });

  test('Recording: it is given to who may replay the run, without what stays with the shop', async () => {
    const { taskId, runId } = await recordTwoNotes();
    const given = await replays().get_recording(taskId, runId);
    assert.deepEqual([given.run_id, given.run.status, given.calls.length], [runId, 'success', 2]);
    assert.deepEqual([given.attempts.map(({ attempt }) => attempt), given.epochs.length], [[1], 1]);
    assert.deepEqual(await replays().get_recording(taskId, runId), given, 'the same each time');
    const { token_hash } = await app()
      .store.reader.selectFrom('run_claims')
      .selectAll()
      .where('run_id', '=', runId)
      .executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(given).includes(token_hash));

    const asked = async (permissions: Permission[]) =>
      app()
        .clientFor((await person(app(), { permissions })).token)
        .replays.get_recording(taskId, runId);
    await assert.rejects(asked(['admin_api.ai_tasks.write']), { code: 'permission_not_held' });
    await assert.rejects(asked(['admin_api.ai_tasks.read', 'admin_api.customers.write']), { code: 'forbidden' });
    assert.deepEqual(await asked(['admin_api.ai_tasks.write', 'admin_api.customers.write']), given);
    const { run_id: plain } = await tasks().start_run(taskId, { parameters: { notes: [] } });
    await runner.finish(taskId, plain);
    await assert.rejects(replays().get_recording(taskId, plain), { code: 'not_recorded' });
    await assert.rejects(replays().get_recording(taskId + 1, runId), { code: 'not_found' });

    for (const change of [{ hides_people: 1 }, { status: 'interrupted' }, { resumed_by_run_id: plain }]) {
      const before = { hides_people: 0, status: 'success', resumed_by_run_id: null };
      await changeEnd(app().store, runId, change);
      await assert.rejects(replays().get_recording(taskId, runId), { code: 'not_applicable' });
      await changeEnd(app().store, runId, before);
    }
    assert.deepEqual(await replays().get_recording(taskId, runId), given);
  });
});
