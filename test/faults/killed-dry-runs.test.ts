import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createTask, ended, killIfAlive, startMachines, until } from '../helpers/machines.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const NOTES = 60;

describe('dry runs whose server is killed (DR1)', { concurrency: true, timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) {
    test(`nothing of the shop changes, and the plan has each write once [${engine}]`, async (t) => {
      const machines = await startMachines(engine, { DRY_RUN_TOTAL_MS: '3600000' });
      t.after(() => machines.close());
      machines.startRunner();
      const customer = await fillWithCustomers(machines.store, 1);
      const source = `for (let n = 0; n < ${NOTES}; n += 1) await admin_api.post('/customers/${customer}/notes', { body: 'n' + n });`;
      const taskId = await createTask(machines.client, source, { on_interrupt: 'resume', max_attempts: 10 });
      const { run_id } = await machines.client.ai_tasks.start_run(taskId, { dry_run: true });
      const planned = async () => (await machines.store.reader.selectFrom('planned_writes').select('position').execute()).length;
      for (const so of [5, 25]) {
        await until(`${so} writes are planned`, async () => (await planned()) >= so);
        killIfAlive(machines.server().pid);
        await machines.startServer();
      }
      const run = await ended(machines.client, taskId, run_id);
      assert.equal(run.status, 'success', `${run.error_message}`);
      assert.deepEqual(await machines.client.customers.list_notes(customer), []);
      await machines.client.ai_tasks.apply_run(taskId, run_id);
      const notes = (await machines.client.customers.list_notes(customer)).map(({ body }) => body);
      assert.deepEqual(notes.sort(), Array.from({ length: NOTES }, (_, n) => `n${n}`).sort());
    });
  }
});
