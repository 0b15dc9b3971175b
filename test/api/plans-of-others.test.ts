import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';

onBothStores('plans that another admin applies', (app) => {
  test('DR7: another admin applies a plan whose records tell who wrote or granted, and in which run', async () => {
    const { client } = app();
    const other = await person(app(), { role: 'owner' });
    const { id } = await makeCustomer(app());
    const group = await client.access_groups.create({ slug: `tea-club-${id}`, name: 'Tea club' });
    const taskId = await makeTask(app(), { permissions: ['admin_api.access_groups.write', 'admin_api.customers.write'] });
    const run = await claimedRun(app(), { dry_run: true }, taskId);
    await run.call('POST', `/customers/${id}/notes`, { body: 'by whom' });
    assert.equal((await run.call('POST', `/access-groups/${group.id}/grants`, { customer_id: id, expires_at: null })).status, 201);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: {} }]);
    const applied = await app().clientFor(other.token).ai_tasks.apply_run(run.taskId, run.runId);
    const [note] = await client.customers.list_notes(id);
    assert.deepEqual([note?.author_id, note?.run_id], [other.adminId, applied.run_id]);
  });
});
