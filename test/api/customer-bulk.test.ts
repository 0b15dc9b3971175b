import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('what is done with many customers', (app) => {
  test('CU1: the ids of all customers that match are listed in the order of the list', async () => {
    const { customers } = app().client;
    const made = [];
    for (const n of [2, 1, 3])
      made.push(await makeCustomer(app(), { name: `Listed ${n}`, email: `listed-${n}@example.com`, registered: n > 1 }));
    const [two, one, three] = made.map(({ id }) => id);
    assert.deepEqual(await customers.list_ids({ q: 'listed', sort: 'name' }), { ids: [one, two, three], total: 3 });
    assert.deepEqual(await customers.list_ids({ q: 'listed', sort: '-name', registered: true }), { ids: [three, two], total: 2 });
    assert.deepEqual(await customers.list_ids({ q: 'nobody at all' }), { ids: [], total: 0 });
  });

  test('AG14: many customers are granted access at once, and who does not exist is told', async () => {
    const { access_groups } = app().client;
    const group = await access_groups.create({ slug: 'many', name: 'Many' });
    const [ann, bob] = [await makeCustomer(app()), await makeCustomer(app())];
    const body = { customer_ids: [bob.id, 999_999, ann.id], expires_at: null, note: 'the fair' };
    const { results } = await access_groups.create_grants(group.id, body);
    assert.deepEqual(
      results.map(({ id, code, grant_id }) => [id, code, grant_id !== null]),
      [
        [bob.id, undefined, true],
        [999_999, 'customer_not_found', false],
        [ann.id, undefined, true],
      ],
    );
    assert.equal((await access_groups.get(group.id)).member_count, 2);
    const { data } = await app().client.customers.timeline(ann.id, { kind: 'access' });
    assert.deepEqual([data[0]?.access?.group_name, data[0]?.note], ['Many', 'the fair']);
    const none = await access_groups.create_grants(group.id, { customer_ids: [999_999], expires_at: null });
    assert.equal(none.results[0]?.grant_id, null);
    await refused(access_groups.create_grants(999_999, body), 404, 'not_found');
  });
});
