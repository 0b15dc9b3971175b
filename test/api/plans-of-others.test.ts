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
    const made = await run.call('POST', `/customers/${id}/notes`, { body: 'planned' });
    const madeId = String(JSON.parse(made.text).id);
    await run.report([
      { kind: 'describe', description: `Note ${madeId} of customer ${id}` },
      { kind: 'details', markdown: `Note **${madeId}**` },
      { kind: 'finalize', status: 'success', end_reason: 'completed', result: {} },
    ]);
    const applied = await app().clientFor(other.token).ai_tasks.apply_run(run.taskId, run.runId);
    const notes = await client.customers.list_notes(id);
    const planned = notes.find(({ body }) => body === 'planned');
    const { description, details } = await client.ai_tasks.get_run(taskId, applied.run_id);
    assert.deepEqual([description, details], [`Note ${planned?.id} of customer ${id}`, `Note **${planned?.id}**`], 'with the real ids');
    const note = notes.find(({ body }) => body === 'by whom');
    assert.deepEqual([note?.author_id, note?.run_id], [other.adminId, applied.run_id]);
  });
});
