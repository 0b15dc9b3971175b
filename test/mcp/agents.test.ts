import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('MC2, MC3: what an agent may', (app) => {
  test('has a name, an expiry and the permissions that were chosen, and lists never show its token', async () => {
    const made = await app().client.me.create_agent({ name: 'laptop', permissions: ['admin_api.orders.read'] });
    assert.match(made.token ?? '', /^pat_/);
    const days = (Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)) / 86_400_000;
    assert.equal(days, 90);
    const [listed] = await app().client.me.list_agents();
    assert.deepEqual(
      [listed?.id, listed?.permissions, listed?.sees_personal_data, listed && 'token' in listed],
      [made.id, ['admin_api.orders.read'], false, false],
    );
    assert.ok(!(await app().client.me.list_tokens()).some(({ id }) => id === made.id));
    await refused(app().client.me.revoke_token(made.id), 404, 'not_found');
  });

  for (const permission of [
    'admin_api.ai_tasks.approve',
    'admin_api.settings.read',
    'admin_api.task_secrets.write',
    'admin_api.webhooks.read',
  ] as const)
    test(`${permission} is given to no agent`, async () => {
      await refused(app().client.me.create_agent({ name: 'x', permissions: [permission] }), 422, 'permission_not_grantable');
    });

  test('nobody gives an agent more than they have', async () => {
    const staff = await person(app(), { permissions: ['admin_api.orders.read'] });
    const { me } = app().clientFor(staff.token);
    await refused(me.create_agent({ name: 'x', permissions: ['admin_api.orders.write'] }), 403, 'permission_not_held');
    assert.ok((await me.create_agent({ name: 'x', permissions: ['admin_api.orders.read'] })).id);
  });

  test('owners see and revoke the agents of all; others their own alone', async () => {
    const staff = await person(app(), { permissions: ['admin_api.orders.read'], name: 'Eszter' });
    const api = app().clientFor(staff.token);
    const { id } = await api.me.create_agent({ name: 'laptop', permissions: ['admin_api.orders.read'] });
    const other = app().clientFor((await person(app(), { permissions: ['admin_api.orders.read'] })).token);
    await refused(other.me.revoke_agent(id), 404, 'not_found');
    await refused(other.admins.list_agents(), 403, 'forbidden');
    const seen = (await app().client.admins.list_agents()).find((one) => one.id === id);
    assert.equal(seen?.admin_name, 'Eszter');
    await app().client.admins.revoke_agent(id);
    assert.deepEqual(await api.me.list_agents(), []);
  });

  test('reads what it may and nothing else; changes nothing', async () => {
    const agent = await connectAgent(app(), { permissions: ['admin_api.orders.write', 'admin_api.ai_tasks.write'] });
    const attempts: Record<string, unknown>[] = [
      { operation: 'orders.bulk_status', params: {} },
      { operation: 'customers.list' },
      { operation: 'settings.get' },
      { operation: 'me.list_tokens' },
      { operation: 'admins.list' },
      { operation: 'ai_tasks.approve_version', params: { id: 1, version_id: 1 } },
      { operation: 'ai_tasks.stream_run', params: { id: 1, run_id: 1 } },
      { operation: 'nothing.here' },
    ];
    for (const args of attempts) {
      const { isError, text } = await agent.tool('call', args);
      assert.ok(isError, `${JSON.stringify(args)} answered ${text}`);
    }
    const names = z.object({ operations: z.array(z.object({ operation: z.string() }).loose()) });
    const { operations } = await agent.data('search_api', names, { query: 'order notes' });
    assert.ok(operations.length > 0);
    await agent.client.close();
  });

  test('a long answer comes in parts', async () => {
    const agent = await connectAgent(app(), { permissions: ['admin_api.products.read'] });
    for (let n = 0; n < 12; n++) await app().client.products.create({ name: `Product ${n} ${'x'.repeat(150)}`, slug: `product-${n}` });
    const args = { operation: 'products.list', max_bytes: 1024 };
    const first = await agent.tool('call', args);
    assert.equal(first.more, 1024);
    assert.match(first.text, /There is more: call again with "from": 1024/);
    let text = String(first.data);
    for (let more: number | null = 1024; more !== null; ) {
      const next = await agent.tool('call', { ...args, from: more });
      text += String(next.data);
      more = next.more;
    }
    assert.equal(z.object({ total: z.number() }).parse(JSON.parse(text)).total, 12);
    await agent.client.close();
  });
});
