import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { type FaultProxy, openFaultProxy } from '../helpers/fault-proxy.ts';
import { holdAt } from '../helpers/hold.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';

const PERMISSIONS = ['admin_api.products.write', 'admin_api.ai_tasks.write'] as const;
const Started = z.object({ run_id: z.number(), task_id: z.number() }).loose();

onBothStores('MC2: an agent that loses its rights in the middle', (app) => {
  let runner: InProcessRunner;
  let proxy: FaultProxy;
  let productId: number;
  before(async () => {
    proxy = await openFaultProxy(Number(new URL(app().url).port));
    runner = openInProcessRunner(app(), { url: proxy.url });
    productId = (await app().client.products.create({ name: 'Tea', slug: 'tea' })).id;
  });
  after(async () => {
    await runner.close();
    await proxy.close();
  });

  async function agentOf(permissions: readonly (typeof PERMISSIONS)[number][] = PERMISSIONS) {
    const staff = await person(app(), { permissions: [...permissions] });
    const api = app().clientFor(staff.token);
    return { staff, api, agent: await connectAgent(app(), { api, permissions: [...permissions] }) };
  }

  /** Two reads of an agent's script; what is to happen between them. Returns what the script got of the second. */
  async function secondRead(by: Awaited<ReturnType<typeof agentOf>>, between: () => Promise<unknown>): Promise<unknown> {
    const source_code = `export default async () => {
      await admin.products.list();
      return await admin.products.get(${productId}).then(({ name }) => name, (error) => error.status + ' ' + error.code);
    };`;
    const hold = holdAt(proxy, ({ method, path }) => method === 'GET' && path.endsWith(`/products/${productId}`));
    const { run_id, task_id } = await by.agent.data('read', Started, { source_code, wait_seconds: 0 });
    const ended = runner.finish(task_id, run_id);
    await hold.reached;
    await between();
    hold.release();
    const { status, result } = await ended;
    assert.equal(status, 'success');
    return result;
  }

  const losses: Record<string, (by: Awaited<ReturnType<typeof agentOf>>) => Promise<unknown>> = {
    'its token is revoked': ({ api, agent }) => api.me.revoke_agent(agent.id),
    'an owner revokes it': ({ agent }) => app().client.admins.revoke_agent(agent.id),
    'its admin loses the permission': ({ staff }) =>
      app().client.admins.update(staff.adminId, { permissions: ['admin_api.orders.read', 'admin_api.ai_tasks.write'] }),
    'its admin is deactivated': ({ staff }) => app().client.admins.update(staff.adminId, { active: false }),
  };
  for (const [what, lose] of Object.entries(losses))
    test(`between two calls of a script ${what}: the second is refused`, async () => {
      const by = await agentOf();
      assert.equal(await secondRead(by, () => lose(by)), '403 forbidden');
      await by.agent.client.close();
    });

  test('with all its rights, and with those that it has lost and got back, the second is answered', async () => {
    const by = await agentOf();
    assert.equal(await secondRead(by, async () => undefined), 'Tea');
    await app().client.admins.update(by.staff.adminId, { permissions: ['admin_api.ai_tasks.write'] });
    await app().client.admins.update(by.staff.adminId, { permissions: [...PERMISSIONS] });
    assert.equal(await secondRead(by, async () => undefined), 'Tea');
    await by.agent.client.close();
  });

  test('a run that a person resumes has the rights of that person, not of the agent that began it', async () => {
    const by = await agentOf();
    const source_code = `await checkpoint({ n: 1 }); log((await admin.products.get(${productId})).name);`;
    const draft = { source_code, permissions: ['admin_api.products.read'], parameters: [] };
    const { task_id, version_id } = await by.agent.data('submit', z.object({ task_id: z.number(), version_id: z.number() }).loose(), {
      ...draft,
      name: 'Resumed',
      note: '',
    });
    const { id } = await by.agent.data('dry_run', z.object({ id: z.number() }), { task_id, version_id, wait_seconds: 0 });
    let calls = 0;
    const first = await runner.finish(task_id, id, ({ type }) => type === 'call' && ++calls === 2);
    assert.equal(first.status, 'interrupted', first.error_message ?? '');
    await by.api.me.revoke_agent(by.agent.id);
    const { run_id } = await app().client.ai_tasks.start_run(task_id, { resume_run_id: id });
    const resumed = await runner.finish(task_id, run_id);
    assert.deepEqual([resumed.status, resumed.dry_run], ['success', true]);
    assert.match(resumed.log, /Tea/);
    await by.agent.client.close();
  });

  for (const what of ['its token is revoked', 'its admin is deactivated'] as const)
    test(`while its dry run waits ${what}: it is told nothing of the run`, async () => {
      const by = await agentOf();
      const draft = { source_code: "log('told'); export default () => 'told';", permissions: [], parameters: [] };
      const waiting = by.agent
        .tool('dry_run', { draft, wait_seconds: 60 })
        .catch((error: unknown) => ({ isError: true, text: String(error) }));
      const run = await until('the dry run has begun', async () => {
        const { data } = await app().client.ai_tasks.list_all_runs({ started_by: `admin:${by.staff.adminId}` });
        return data[0];
      });
      await losses[what]?.(by);
      await runner.finish(run.task_id, run.id);
      const answer = await waiting;
      assert.ok(answer.isError, answer.text);
      assert.doesNotMatch(answer.text, /told|success/);
      await by.agent.client.close();
    });
});
