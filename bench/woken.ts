import { setTimeout as delay } from 'node:timers/promises';
import type { Backroom } from './backroom.ts';
import { median, type Row, row } from './report.ts';

const RUNS = 20;
/** The shortest sleep that surely gives its worker back. */
const SLEEP_MS = 1500;
/** In which the runner makes a new standby worker. A run that gives its worker back for a wait takes two, so the runner's log tells no more which is meant. */
const STANDBY_MS = 700;

/** How long it took from what a run waited for until a runner had it, and until it ended. */
type Times = { started: number[]; ended: number[] };

/**
 * Measures how soon a run goes on after its event, or its time, compared with a run of as little that a request opens, by turns. It starts when
 * a runner has claimed it; what follows is the same for every run.
 */
export async function measureWoken(backroom: Backroom): Promise<Row[]> {
  const opened: Times = { started: [], ended: [] };
  const event: Times = { started: [], ended: [] };
  const due: Times = { started: [], ended: [] };
  const plain = await backroom.createTask('export default () => 1');
  const waiting = await backroom.createTask(
    `const event = await waitFor('order.status_changed', { match: { order_id: parameters.id } }); export default () => event.id`,
    ['admin_api.orders.read'],
  );
  const sleeping = await backroom.createTask(`await sleep(${SLEEP_MS}); export default () => 1`);
  for (const orderId of backroom.orderIds.slice(1, 1 + RUNS)) {
    const { id: plainId, askedAtMs } = await backroom.openRun(plain);
    await note(backroom, opened, { runId: plainId, fromMs: askedAtMs });
    const { id: waitingId } = await backroom.openRun(waiting, { id: orderId });
    await note(backroom, event, { runId: waitingId, fromMs: await changeOrder(backroom, { orderId, runId: waitingId, taskId: waiting }) });
    const { id: sleepingId } = await backroom.openRun(sleeping);
    await note(backroom, due, { runId: sleepingId });
  }
  const started = { baseline: median(opened.started), unit: 'ms', figureBound: { most: 50 } };
  return [
    row({
      name: 'from an event to the start of the run that waits for it, compared with a run that a request opens: p50',
      figure: median(event.started),
      ...started,
    }),
    row({
      name: 'from the time for which a run sleeps to its start, compared with a run that a request opens: p50',
      figure: median(due.started),
      ...started,
    }),
    row({
      name: 'from an event to the end of the run that waited for it, compared with a run that a request opens: p50',
      ...{ figure: median(event.ended), unit: 'ms', baseline: median(opened.ended), ratioBound: { most: 2, unless: 50 } },
    }),
  ];
}

/** Changes an order once the run that waits for it has no worker; returns when. */
async function changeOrder(
  { client }: Backroom,
  { orderId, runId, taskId }: Record<'orderId' | 'runId' | 'taskId', number>,
): Promise<number> {
  while ((await client.ai_tasks.get_run(taskId, runId)).waiting_reason !== 'event') await delay(20);
  await delay(STANDBY_MS);
  const { status } = await client.orders.get(orderId);
  const changedMs = performance.timeOrigin + performance.now();
  await client.orders.update_status(orderId, { status: status === 'processing' ? 'shipped' : 'processing' });
  return changedMs;
}

/** Waits for the end of a run. `fromMs`: when it could start; by default when its sleep was over. */
async function note({ store, ended }: Backroom, times: Times, { runId, fromMs }: { runId: number; fromMs?: number }): Promise<void> {
  const { finishedAtMs } = await ended(runId, 2);
  const { claimed_at } = await store.reader
    .selectFrom('run_claims')
    .select('claimed_at')
    .where('run_id', '=', runId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const dueMs = fromMs ?? (await dueOf(store, runId));
  times.started.push(Date.parse(claimed_at) - dueMs);
  times.ended.push(finishedAtMs - dueMs);
  await delay(STANDBY_MS);
}

async function dueOf({ reader }: Backroom['store'], runId: number): Promise<number> {
  const { due_ms } = await reader.selectFrom('run_prompts').select('due_ms').where('run_id', '=', runId).executeTakeFirstOrThrow();
  if (due_ms === null) throw new Error(`run ${runId} has no sleep`);
  return due_ms;
}
