import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effects } from '../../cli/effects.ts';
import type { JsonObject } from '../../contract/run-events.ts';
import { asksOutside, exampleNames, loadExample } from '../../ops/example-tasks.ts';
import { changedRows, dumpShop } from '../helpers/dump.ts';
import type { FinishedRun } from '../helpers/run-task.ts';
import { AS_OF, inSampleShop, notesThatBegin } from './example-shop.ts';

inSampleShop('sqlite', 150, (shop) => {
  const parametersOf = async (name: string): Promise<JsonObject> => {
    const { parameters } = await loadExample(name);
    if (name === 'import-stock-counts') return { counts: await uploadCounts() };
    if (name === 'weekly-report' || name === 'daily-sales-mail') return { as_of: AS_OF, to: 'owner@localhost' };
    return parameters.some((parameter) => parameter.name === 'as_of') ? { as_of: AS_OF, max: 15 } : {};
  };

  /** A file that gives three variants another count. */
  async function uploadCounts(): Promise<number> {
    const variants = await shop().store.reader.selectFrom('variants').select(['sku', 'stock']).orderBy('id').limit(3).execute();
    const content = variants.map(({ sku, stock }) => `${sku};${stock + 1}`).join('\n');
    return (await shop().app.client.files.create({ file: { filename: 'counts.csv', content, content_type: 'text/csv' } })).id;
  }

  /** The effects without their calls and times. */
  const told = (effects: Effects) =>
    effects.map(({ method, status, resource, changes }) => ({ method, status, type: resource.type, changes }));

  test('Dry run: no example changes a row of the shop, and applying its plan has the effects that the dry run showed', async () => {
    const { app, store, runs } = shop();
    let writes = 0;
    for (const name of await exampleNames()) {
      const parameters = await parametersOf(name);
      const before = await dumpShop(store);
      const dry = await runs.run(name, { parameters, dryRun: true, answers: { enter: true } });
      assert.equal(dry.run.status, 'success', `${name}: ${dry.run.error_message}`);
      assert.equal(dry.run.dry_run, true);
      assert.deepEqual(changedRows(before, await dumpShop(store)), [], name);
      writes += dry.effects.length;
      // What asks another system is not carried out by applying a plan.
      if (asksOutside(await loadExample(name))) continue;
      const { run_id } = await app.client.ai_tasks.apply_run(dry.taskId, dry.run.id);
      const applied = await app.client.ai_tasks.list_effects(dry.taskId, run_id, { limit: 1000 });
      const real = (text: string): string => text.replaceAll(/(?<!\d)\d{16}(?!\d)/g, 'ID');
      const made = new Set(applied.map(({ resource }) => String(resource.id)));
      const masked = (text: string): string => text.replaceAll(/(?<=":\[(?:null|\d+),)\d+(?=[\],])/g, (id) => (made.has(id) ? 'ID' : id));
      assert.equal(masked(real(JSON.stringify(told(applied)))), masked(real(JSON.stringify(told(dry.effects)))), name);
    }
    assert.ok(writes > 20, String(writes));
  });

  test('Dry run: after its runner is killed a dry run goes on, and its plan has each write once', async () => {
    const { app, store, runs } = shop();
    const parameters = { as_of: AS_OF, days: 5000, max: 20, text: 'After the kill, {name}' };
    const dry = await runs.run('welcome-note', {
      parameters,
      dryRun: true,
      settings: { on_interrupt: 'resume' },
      afterWrites: { count: 8, act: runs.replaceRunner },
    });
    assert.deepEqual([dry.run.status, dry.run.attempt], ['success', 2], dry.run.error_message ?? '');
    assert.equal((await notesThatBegin(store, 'After the kill')).size, 0);
    await app.client.ai_tasks.apply_run(dry.taskId, dry.run.id);
    const notes = [...(await notesThatBegin(store, 'After the kill')).values()];
    assert.deepEqual(
      notes,
      Array.from({ length: 20 }, () => 1),
    );
  });

  test('Dry run: the limit of writes ends it interrupted, budget; a shop that changes meanwhile ends it with resume_mismatch', async () => {
    const { store, runs } = shop();
    const parameters = { as_of: AS_OF, days: 5000, max: 50, text: 'Limited, {name}' };
    const full = await runs.run('welcome-note', { parameters, dryRun: true, settings: { limits: { dry_run_writes: 7 } } });
    assertEnd(full, 'budget');
    assert.equal(full.effects.length, 7);
    const changed = await runs.run('win-back-credit', {
      parameters: { as_of: AS_OF, max: 100, days: 1 },
      dryRun: true,
      afterWrites: {
        count: 2,
        act: async () => {
          const first = await store.reader
            .selectFrom('run_effects')
            .select('path')
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirstOrThrow();
          const customerId = Number(/customers\/(\d+)/.exec(first.path)?.[1]);
          await runs.shop.client.customers.adjust_credits(customerId, { delta: 7 });
        },
      },
    });
    assertEnd(changed, 'resume_mismatch');
  });
});

function assertEnd({ run }: FinishedRun, reason: string): void {
  assert.deepEqual([run.status, run.end_reason], ['interrupted', reason], run.error_message ?? '');
}
