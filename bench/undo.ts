import { capturing } from '../server/db/row-capture.ts';
import type { Backroom } from './backroom.ts';
import { median, type Row, row } from './report.ts';

const EFFECTS = 1000;
const UPDATES = 500;

/** Measures a run of 1,000 writes, the plan of its undo and its application, and what it costs a write that its rows are noted for that. */
export async function measureUndo(backroom: Backroom): Promise<Row[]> {
  const { client, customerIds } = backroom;
  const [customerId = 0, otherId = 0] = customerIds;
  const taskId = await backroom.createTask(
    `for (let n = 0; n < ${EFFECTS}; n++) {
       if (n % 2 === 0) await admin_api.post('/customers/${customerId}/notes', { body: 'n' + n });
       else await admin_api.patch('/customers/${customerId}', { name: 'N' + n });
     }`,
    ['admin_api.customers.write'],
  );
  const byHand = await timed(async () => {
    for (let n = 0; n < EFFECTS; n++) {
      if (n % 2 === 0) await client.customers.create_note(otherId, { body: `n${n}` });
      else await client.customers.update(otherId, { name: `N${n}` });
    }
  });
  const began = performance.now();
  const { id: runId } = await backroom.openRun(taskId);
  const { status } = await backroom.ended(runId, 20);
  const ran = performance.now() - began;
  if (status !== 'success') throw new Error(`the run ended ${status}`);
  let planId = 0;
  const planned = await timed(async () => {
    const plan = await client.ai_tasks.undo_run(taskId, runId, {});
    if (plan.rows.ready !== EFFECTS) throw new Error(`the plan has ${JSON.stringify(plan.rows)}`);
    planId = plan.run_id;
  });
  const applied = await timed(async () => {
    await client.ai_tasks.apply_run(taskId, planId, {});
  });
  const { plain, noted } = await updates(backroom, otherId);
  return [
    row({ name: 'a run of 1,000 writes, compared with the same requests of an admin', figure: ran, unit: 'ms', baseline: byHand }),
    row({ name: 'the plan of its undo, compared with the run', figure: planned, unit: 'ms', baseline: ran, ratioBound: { most: 1 } }),
    row({ name: 'its application, compared with the run', figure: applied, unit: 'ms', baseline: ran, ratioBound: { most: 1 } }),
    row({
      name: 'an update in a transaction that notes its rows, compared with one that does not: p50',
      figure: noted,
      unit: 'µs',
      baseline: plain,
    }),
    row({ name: 'what that adds, compared with a write of the run', figure: noted - plain, unit: 'µs', baseline: (ran * 1000) / EFFECTS }),
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The same update of a customer by turns, in this process: with its rows noted, and without. */
async function updates({ store }: Backroom, customerId: number): Promise<{ plain: number; noted: number }> {
  const [plain, noted]: [number[], number[]] = [[], []];
  for (let n = 0; n < UPDATES * 2; n++) {
    const isNoted = n % 2 === 1;
    const began = performance.now();
    await store.write(async (db) => {
      const update = () =>
        db
          .updateTable('customers')
          .set({ phone: `+43 1 ${n}` })
          .where('id', '=', customerId)
          .execute();
      await (isNoted ? capturing({ db, dialect: store.dialect }, update) : update());
    });
    (isNoted ? noted : plain).push((performance.now() - began) * 1000);
  }
  return { plain: median(plain), noted: median(noted) };
}
