import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { connectAgent } from '../helpers/agents.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { ran } from '../helpers/done-runs.ts';
import { type Deciding, signer } from '../helpers/gestures.ts';
import { field } from '../helpers/runs.ts';

const permissions = ['admin_api.discount_groups.write'] as const;

onBothStores('who takes back what a run did', (app) => {
  test('UN9, DE4: with apply_plan by passkey it takes a gesture over exactly these rows; an agent looks and applies nothing', async () => {
    const { client } = app();
    const group = await client.discount_groups.create({ name: 'Signed', percent_bps: 100 });
    const { taskId, runId } = await ran(
      app(),
      [
        ['PATCH', `/discount-groups/${group.id}`, { percent_bps: 200 }],
        ['PATCH', `/discount-groups/${group.id}`, { name: 'Renamed' }],
      ],
      { permissions },
    );
    const plan = await client.ai_tasks.undo_run(taskId, runId, {});
    const owner = await signer(app(), { adminId: (await client.me.get()).id, token: OWNER_TOKEN });
    await client.settings.update({ decisions: { apply_plan: 'passkey' } });
    const path = `/ai-tasks/${taskId}/runs/${plan.run_id}/apply`;
    const all: Deciding = { method: 'POST', path, body: {} };
    const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, field(body, 'code')];
    assert.deepEqual(codeOf(await owner.send(all)), [403, 'gesture_required']);
    const gesture = await owner.ask(all);
    const other = await owner.send({ method: 'POST', path, body: { rows: [1] } }, owner.sign(gesture));
    assert.deepEqual(codeOf(other), [409, 'decision_changed'], 'what was signed is all rows, not one');
    assert.equal((await client.discount_groups.get(group.id)).percent_bps, 200);

    const agent = await connectAgent(app(), { permissions: ['admin_api.ai_tasks.write', ...permissions], sees_personal_data: true });
    const params = { id: taskId, run_id: plan.run_id };
    const rows = await agent.data('call', z.array(z.looseObject({ state: z.string() })), { operation: 'ai_tasks.list_undo', params });
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['ready', 'ready'],
    );
    for (const write of [path, `/ai-tasks/${taskId}/runs/${runId}/undo`]) {
      const { status } = await app().request({ method: 'POST', path: `/admin/api${write}`, body: {}, token: agent.token });
      assert.ok(status === 401 || status === 403, `${write} ${status}`);
    }
    await agent.client.close();

    assert.equal((await owner.decide(all)).status, 201);
    const after = await client.discount_groups.get(group.id);
    assert.deepEqual([after.name, after.percent_bps], ['Signed', 100]);
  });
});
