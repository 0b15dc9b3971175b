import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksOutside, exampleNames, loadExample } from '../../ops/example-tasks.ts';
import { AS_OF, absentCustomers, inSampleShop, unpaidOrders, winBackGrants } from './example-shop.ts';

inSampleShop('postgres', 400, (shop) => {
  test('every example without required parameters and requests to other systems succeeds, those that write leave a checkpoint, and a second run has nothing to do', async () => {
    const { store, runs } = shop();
    assert.ok((await unpaidOrders(store, 7)).length > 0);
    const names = await exampleNames();
    assert.ok(names.length >= 8);
    for (const name of names) {
      const example = await loadExample(name);
      const { parameters: declared } = example;
      if (declared.some(({ required }) => required) || asksOutside(example)) continue;
      const parameters = declared.some((parameter) => parameter.name === 'as_of') ? { as_of: AS_OF, max: 1000 } : {};
      const first = await runs.run(name, { parameters });
      assert.equal(first.run.status, 'success', `${name}: ${first.run.error_message}`);
      assert.equal(first.run.last_checkpoint !== null, first.effects.length > 0, name);
      const second = await runs.run(name, { parameters });
      assert.equal(second.run.status, 'success', `${name}: ${second.run.error_message}`);
      assert.deepEqual(second.effects, [], name);
    }
    const absent = await absentCustomers(store, 90);
    assert.ok(absent.length > 0);
    assert.deepEqual(
      [...(await winBackGrants(store))].sort(([a], [b]) => a - b),
      absent.map((id) => [id, 1]),
    );
    assert.deepEqual(await unpaidOrders(store, 7), []);
  });
});
