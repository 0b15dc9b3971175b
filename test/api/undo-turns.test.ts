import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Call, ran } from '../helpers/done-runs.ts';
import { changedRows } from '../helpers/dump.ts';
import { dumpRecords } from '../helpers/records-dump.ts';

const WRITES = 60;

/** How much of the plan under way was made when the last of its turns ended, by the server's log. */
let planned = 0;
let onTurn: (() => void) | undefined;
function readTurn(line: string): void {
  const { planned: many } = Turn.parse(JSON.parse(line));
  if (many === undefined) return;
  planned = many;
  onTurn?.();
}
const Turn = z.object({ planned: z.number().optional() });

onBothStores(
  'the plan of an undo takes turns with other writers',
  (app) => {
    /** A run of many writes, each of which depends on the one before it. */
    async function longRun() {
      const { id } = await makeCustomer(app(), { name: 'As before' });
      const calls = Array.from(
        { length: WRITES },
        (_, n): Call =>
          n % 3 === 0 ? ['POST', `/customers/${id}/notes`, { body: `note ${n}` }] : ['PATCH', `/customers/${id}`, { name: `Name ${n}` }],
      );
      const before = await dumpRecords(app().store);
      return { id, before, ...(await ran(app(), calls, { permissions: ['admin_api.customers.write'] })) };
    }

    test('UN5: others write while a long plan is made, and it keeps what they wrote', async () => {
      const { client } = app();
      const { id, taskId, runId } = await longRun();
      planned = 0;
      let isPlanned = false;
      const planning = client.ai_tasks.undo_run(taskId, runId, {}).finally(() => {
        isPlanned = true;
      });
      let written = 0;
      const between = new Set<number>();
      while (!isPlanned) {
        await client.customers.update(id, { phone: `+43 1 ${written}` });
        written += 1;
        if (planned > 0 && planned < WRITES) between.add(planned);
      }
      const plan = await planning;
      assert.ok(between.size > 0, 'none of these got through before the plan was complete');
      assert.deepEqual(plan.rows, { ready: WRITES, conflict: 0, irreversible: 0, already_as_before: 0 });
      await client.ai_tasks.apply_run(taskId, plan.run_id);
      const { name, phone } = await client.customers.get(id);
      assert.deepEqual([name, phone], ['As before', `+43 1 ${written - 1}`]);
    });

    test('UN5: where another takes between two turns what only one may have, the plan is begun again, and shows it', async () => {
      const { client } = app();
      const { id } = await makeCustomer(app(), { name: 'As before' });
      const voucher = await client.vouchers.create({ code: 'ONLY-ONE', kind: 'fixed', amount_cents: 100 });
      const edits = Array.from({ length: WRITES }, (_, n): Call => ['PATCH', `/customers/${id}`, { name: `Name ${n}` }]);
      const calls: Call[] = [...edits, ['DELETE', `/vouchers/${voucher.id}`]];
      const { taskId, runId } = await ran(app(), calls, { permissions: ['admin_api.customers.write', 'admin_api.vouchers.write'] });
      const taken = new Promise<{ id: number }>((resolve, reject) => {
        onTurn = () => {
          onTurn = undefined;
          client.vouchers.create({ code: 'ONLY-ONE', kind: 'fixed', amount_cents: 200 }).then(resolve, reject);
        };
      });
      let isPlanned = false;
      const planning = client.ai_tasks.undo_run(taskId, runId, {}).finally(() => {
        isPlanned = true;
      });
      // On PostgreSQL a turn ends only while somebody waits.
      while (!isPlanned) await client.customers.update(id, { phone: '+43 1 1' });
      const plan = await planning;
      assert.deepEqual(plan.rows, { ready: WRITES, conflict: 1, irreversible: 0, already_as_before: 0 });
      const [row] = await client.ai_tasks.list_undo(taskId, plan.run_id);
      assert.deepEqual([row?.state, row?.choosable, row?.path], ['conflict', false, `/vouchers/${voucher.id}`]);
      await client.ai_tasks.apply_run(taskId, plan.run_id);
      assert.equal((await client.customers.get(id)).name, 'As before');
      assert.equal((await client.vouchers.get((await taken).id)).amount_cents, 200);
    });

    test('UN5: a plan that was made in turns takes back everything', async () => {
      const { before, taskId, runId } = await longRun();
      const plan = await app().client.ai_tasks.undo_run(taskId, runId, {});
      const rows = await app().client.ai_tasks.list_undo(taskId, plan.run_id, { limit: 1000 });
      assert.deepEqual(
        rows.map(({ position, state }) => [position, state]),
        Array.from({ length: WRITES }, (_, n) => [n + 1, 'ready']),
      );
      await app().client.ai_tasks.apply_run(taskId, plan.run_id);
      assert.deepEqual(changedRows(before, await dumpRecords(app().store)), []);
    });
  },
  { env: { DRY_RUN_HOLD_MS: '1' }, log: readTurn },
);
