import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { Permission } from '../../contract/permissions.ts';
import { Replay } from '../../contract/replays.ts';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const PRODUCTS: Permission = 'admin_api.products.write';
const FAULTY = `const { data } = await admin.products.list();
for (const { id, titel } of data) await admin.products.update(id, { name: titel.trim() + '!' });`;
const MENDED = FAULTY.replaceAll('titel', 'name');
const Started = z.object({ run: z.object({ id: z.number(), draft: z.boolean(), hides_people: z.boolean().optional() }).loose() }).loose();

onBothStores('RP2, RP3, MC3: a draft replayed on a recorded run', (app) => {
  let runner: InProcessRunner;
  let agent: ConnectedAgent;
  let taskId: number;
  let runId: number;
  before(async () => {
    runner = openInProcessRunner(app());
    agent = await connectAgent(app(), { permissions: [PRODUCTS, 'admin_api.ai_tasks.write'] });
    await app().client.products.create({ name: 'Tea', slug: 'tea' });
    ({ taskId, runId } = await recorded(FAULTY, [PRODUCTS]));
  });
  after(async () => {
    await agent.client.close();
    await runner.close();
  });

  async function recorded(source_code: string, permissions: Permission[]) {
    const version = { source_code, permissions: [...permissions] as 'llm'[], parameters: [] };
    const { task_id } = await app().client.ai_tasks.create({ name: 'Recorded', description: '', ...version });
    const { run_id } = await app().client.ai_tasks.start_run(task_id, { record: true });
    await runner.finish(task_id, run_id);
    return { taskId: task_id, runId: run_id };
  }

  test('a mended source is judged on the run that failed; nothing is read or changed, and no version is made', async () => {
    const draft = { source_code: MENDED, permissions: [PRODUCTS] };
    const { run } = await agent.data('replay', Started, { task_id: taskId, run_id: runId, draft, wait_seconds: 0 });
    assert.equal(run.draft, true);
    await app().client.products.create({ name: 'Coffee', slug: 'coffee' });
    await runner.finish(taskId, run.id);
    const report = Replay.parse(await app().client.replays.get(taskId, run.id));
    assert.deepEqual([report.ended, report.effects.added], ['parted', 1]);
    assert.match(report.effects.additions[0]?.body ?? '', /"Tea!"/);
    const { data } = await app().client.products.list();
    assert.deepEqual(data.map(({ name }) => name).sort(), ['Coffee', 'Tea']);
    assert.equal((await app().client.ai_tasks.get(taskId)).versions.length, 1);
    // Nothing comes of it: it has no plan, and cannot be resumed.
    await refused(app().client.ai_tasks.apply_run(taskId, run.id), 409, 'not_applicable');
    assert.match(
      (await agent.tool('replay', { task_id: taskId, run_id: runId, version_id: 1, draft, wait_seconds: 0 })).text,
      /cannot be given together with version_id/,
    );
  });

  test('a draft that does the same is told to be identical', async () => {
    const draft = { source_code: `${FAULTY}\n// said`, permissions: [PRODUCTS], parameters: [] };
    const { run_id } = await app().client.replays.start(taskId, runId, { draft: { ...draft, permissions: ['admin_api.products.write'] } });
    await runner.finish(taskId, run_id);
    assert.equal((await app().client.replays.get(taskId, run_id)).identical, true);
  });

  test('attack: recorded answers are given to no draft of whoever may not read them, whatever it declares', async () => {
    await makeCustomer(app(), { name: 'Anna Kovács' });
    const other = await recorded('log(JSON.stringify(await admin.customers.list()))', ['admin_api.customers.read']);
    const place = { task_id: other.taskId, run_id: other.runId, wait_seconds: 0 };
    const staff = await person(app(), { permissions: [PRODUCTS, 'admin_api.ai_tasks.write'] });
    const theirs = await connectAgent(app(), {
      api: app().clientFor(staff.token),
      permissions: [PRODUCTS, 'admin_api.ai_tasks.write'],
      sees_personal_data: true,
    });
    const blind = await connectAgent(app(), { permissions: ['admin_api.customers.read', 'admin_api.ai_tasks.write'] });
    for (const permissions of [[], ['admin_api.customers.read']])
      for (const one of [theirs, blind]) {
        const draft = { source_code: 'export default async () => await admin.customers.list();', permissions };
        const answer = await one.tool('replay', { ...place, draft });
        assert.ok(answer.isError, answer.text);
        assert.match(answer.text, /^(permission_not_held|forbidden): /);
        assert.ok(!answer.text.includes('Kovács'));
      }
    await theirs.client.close();
    await blind.client.close();
  });

  test('attack: a draft may declare no more than its agent holds', async () => {
    const answer = await agent.tool('replay', {
      task_id: taskId,
      run_id: runId,
      draft: { source_code: MENDED, permissions: [PRODUCTS, 'mail_send'], mail_to: ['customers'] },
      wait_seconds: 0,
    });
    assert.match(answer.text, /^permission_not_held: /);
  });
});
