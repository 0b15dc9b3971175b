import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultsOf } from '../helpers/run-task.ts';
import { AS_OF, absentCustomers, inSampleShop, notesThatBegin, winBackGrants } from './example-shop.ts';

inSampleShop('sqlite', 800, (shop) => {
  test('win-back-credit grants each customer one credit, even if its budget interrupts it and it is resumed several times', async () => {
    const { store, runs } = shop();
    const absent = await absentCustomers(store, 90);
    const parameters = { as_of: AS_OF, max: 1000 };
    const limits = { host_calls: 137 };
    let finished = await runs.run('win-back-credit', { parameters, settings: { limits } });
    const granted = resultsOf(finished);
    let resumes = 0;
    while (finished.run.status === 'interrupted') {
      assert.equal(finished.run.end_reason, 'budget');
      assert.ok(resumes++ < 10);
      finished = await runs.run('win-back-credit', { settings: { limits }, resume: finished.run.id });
      granted.push(...resultsOf(finished));
    }
    assert.equal(finished.run.status, 'success', finished.run.error_message ?? '');
    assert.ok(resumes >= 2);
    assert.deepEqual(finished.run.result, { absent: absent.length, granted: absent.length, had_it: 0, left: 0 });
    assert.equal(granted.length, absent.length);
    assert.deepEqual(
      [...(await winBackGrants(store))].sort(([a], [b]) => a - b),
      absent.map((id) => [id, 1]),
    );
  });

  test('welcome-note continues where a killed runner left off', async () => {
    const { store, runs } = shop();
    const parameters = { as_of: AS_OF, days: 5000, max: 1000, text: 'After the kill, {name}' };
    const { run, effects } = await runs.run('welcome-note', {
      parameters,
      settings: { on_interrupt: 'resume' },
      afterWrites: { count: 25, act: runs.replaceRunner },
    });
    assert.equal(run.status, 'success', run.error_message ?? '');
    assert.equal(run.attempt, 2);
    await assertAllOnce('After the kill');
    assert.equal(effects.length, (await notesThatBegin(store, 'After the kill')).size);
    assert.deepEqual(run.result, { new_customers: effects.length, welcomed: effects.length, skipped: 0, left: 0 });
  });

  test('after welcome-note was cancelled, a new run does only the rest', async () => {
    const { runs } = shop();
    const { client } = runs.shop;
    const parameters = { as_of: AS_OF, days: 5000, max: 1000, text: 'After the cancel, {name}' };
    const cancelled = await runs.run('welcome-note', {
      parameters,
      afterWrites: { count: 25, act: ({ taskId, runId }) => client.ai_tasks.cancel_run(taskId, runId) },
    });
    assert.equal(cancelled.run.status, 'cancelled');
    const rest = await runs.run('welcome-note', { parameters });
    assert.equal(rest.run.status, 'success', rest.run.error_message ?? '');
    const customers = await assertAllOnce('After the cancel');
    assert.ok(cancelled.effects.length >= 25);
    assert.equal(cancelled.effects.length + rest.effects.length, customers);
  });

  async function assertAllOnce(start: string): Promise<number> {
    const { store } = shop();
    const customers = await store.reader.selectFrom('customers').select('id').orderBy('id').execute();
    const notes = await notesThatBegin(store, start);
    assert.deepEqual(
      [...notes].sort(([a], [b]) => a - b),
      customers.map(({ id }) => [id, 1]),
    );
    return customers.length;
  }
});
