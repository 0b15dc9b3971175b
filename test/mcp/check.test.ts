import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckedDraft } from '../../contract/task-drafts.ts';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';

const ORDERS = 'admin_api.orders.read';

onBothStores('MC7: check', (app) => {
  let agent: ConnectedAgent;
  before(async () => {
    agent = await connectAgent(app(), { permissions: ['admin_api.ai_tasks.read'] });
  });
  after(() => agent.client.close());

  const check = (source_code: string, more: Record<string, unknown> = {}) =>
    agent.data('check', CheckedDraft, { source_code, permissions: [ORDERS], parameters: [], ...more });

  test('a good script has nothing to tell of', async () => {
    const found = await check(
      'export default async () => {\n  const { data } = await admin.orders.list();\n  return data.length * (parameters.days ?? 1);\n};',
      {
        parameters: [{ name: 'days', kind: 'number' }],
      },
    );
    assert.deepEqual(found, { warnings: [], type_faults: [], unchecked: null, permissions_missing: [], permissions_unused: [] });
  });

  test('tells type errors with their places, under exactly these permissions', async () => {
    const source =
      "export default async () => {\n  const { data } = await admin.orders.list();\n  data[0].nmae;\n  const n: number = 'one';\n};";
    const { type_faults, permissions_missing } = await check(source);
    assert.deepEqual(
      type_faults.map(({ line, column, severity }) => [line, column, severity]),
      [
        [3, 3, 'error'],
        [3, 11, 'error'],
        [4, 9, 'error'],
      ],
    );
    assert.match(type_faults[1]?.message ?? '', /'nmae' does not exist/);
    assert.deepEqual(permissions_missing, []);
    const locked = await check(source, { permissions: [] });
    assert.deepEqual([locked.type_faults[0]?.line, locked.type_faults[0]?.needs], [2, ORDERS]);
    assert.deepEqual(locked.permissions_missing, [ORDERS]);
  });

  test('takes a list that begins empty for one of what is added to it, and asks for no types that JavaScript cannot have', async () => {
    const source = `const names = [];
export default async (given) => {
  const { data } = await admin.orders.list();
  const ids = [];
  const later = [];
  for (const { id } of data) ids.push(id);
  data.forEach((order) => later.push(order.id));
  function add(name, upper) { names.push(upper ? name.toUpperCase() : name); }
  add(given['name'], true);
  return ids.map((id) => id.toFixed()).concat(ids.map((id) => id.trim()), later, names);
};`;
    const { type_faults } = await check(source);
    assert.deepEqual(
      type_faults.map(({ line, message }) => [line, /'trim' does not exist on type 'number'/.test(message)]),
      [[10, true]],
      JSON.stringify(type_faults),
    );
  });

  test('tells permissions missing and too many, also of calls under another name', async () => {
    const source = 'const { list } = admin.customers;\nexport default async () => [(await list()).total, await admin.orders.get(1)];';
    const found = await check(source, { permissions: ['admin_api.orders.write', 'llm', 'admin_api.customers.read'] });
    assert.deepEqual(found.type_faults, []);
    assert.deepEqual(found.permissions_unused, [
      { permission: 'admin_api.orders.write', enough: ORDERS },
      { permission: 'llm', enough: null },
    ]);
    assert.deepEqual((await check(source)).permissions_missing, ['admin_api.customers.read']);
  });

  test('tells faults of the text, and what is not as it looks', async () => {
    const { warnings } = await check('const a = ;\nlog("\u202e")');
    assert.ok(
      warnings.some(({ line, message }) => line === 1 && /expression/i.test(message)),
      JSON.stringify(warnings),
    );
    assert.ok(
      warnings.some(({ line, message }) => line === 2 && /not as it looks/.test(message)),
      JSON.stringify(warnings),
    );
  });

  test('stores and starts nothing, and refuses what no draft may be', async () => {
    const total = (await app().client.ai_tasks.list_all_runs({})).data.length;
    await check('log(1)');
    assert.equal((await app().client.ai_tasks.list_all_runs({})).data.length, total);
    const answer = await agent.tool('check', { source_code: 'log(1)', permissions: ['admin_api.ai_tasks.approve'], parameters: [] });
    assert.match(answer.text, /^permission_not_grantable: /);
    const other = await connectAgent(app(), { permissions: ['admin_api.orders.read'] });
    assert.match((await other.tool('check', { source_code: 'log(1)', permissions: [] })).text, /^forbidden: /);
    await other.client.close();
  });
});
