import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { scheduleClock } from '../server/automation/schedules/firing.ts';
import { createQuietServices } from '../server/create-services.ts';
import type { Backroom } from './backroom.ts';
import { median, type Row, row } from './report.ts';

const SCHEDULES = 10_000;
const TURNS = 2000;
const OPENED = 500;
const CHANGES = 1000;
const TRIGGERS = 100;
const NEXT_YEAR_MS = 365 * 86_400_000;

/** Measures schedules and triggers: a look with nothing due, many runs due at once, and a write to an order that triggers listen to. */
export async function measureUnattended(backroom: Backroom): Promise<Row[]> {
  const { client } = backroom;
  // With the executor `external` no runner claims the runs that are opened.
  await client.settings.update({ default_executor: 'external' });
  const taskId = await backroom.createTask('log(1)');
  return [await idleTurn(backroom, taskId), await openedRun(backroom, taskId), ...(await writes(backroom, taskId))];
}

async function idleTurn({ store }: Backroom, taskId: number): Promise<Row> {
  const turn = scheduleClock(await createQuietServices(store, await mkdtemp(join(tmpdir(), 'backroom-bench-'))));
  const baseline = await medianMicros(TURNS, turn);
  const due = Date.now() + NEXT_YEAR_MS;
  await store.write((db) =>
    sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SCHEDULES})
      INSERT INTO schedules (task_id, cron, timezone, parameters, enabled, overlap, catch_up_seconds, next_at, due_ms, created_by, acts_for, created_at, updated_at)
      SELECT ${taskId}, '0 4 1 1 *', 'Europe/Vienna', '{}', 1, 'allow', 3600, ${new Date(due).toISOString()}, ${due}, 1, 1, '', '' FROM n`.execute(
      db,
    ),
  );
  const figure = await medianMicros(TURNS, turn);
  return row({ name: 'one look for due schedules among 10,000, none due, compared with no schedules', figure, unit: 'µs', baseline });
}

async function openedRun({ client, store }: Backroom, taskId: number): Promise<Row> {
  const baseline = await medianMicros(OPENED, () => client.ai_tasks.start_run(taskId, {}));
  const now = new Date();
  await store.write((db) => sql`UPDATE schedules SET next_at = ${now.toISOString()}, due_ms = ${now.getTime()}`.execute(db));
  const isAnyDue = async (): Promise<boolean> => {
    const { rows } = await sql`SELECT id FROM schedules WHERE due_ms <= ${now.getTime()} LIMIT 1`.execute(store.reader);
    return rows.length > 0;
  };
  const began = performance.now();
  while (await isAnyDue()) await delay(20);
  const figure = ((performance.now() - began) * 1000) / SCHEDULES;
  return row({ name: 'opening one run of 10,000 due schedules, compared with a run that a request opens', figure, unit: 'µs', baseline });
}

async function writes({ client, orderIds: [orderId = 0] }: Backroom, taskId: number): Promise<Row[]> {
  let changes = 0;
  const change = () => client.orders.update_status(orderId, { status: changes++ % 2 === 0 ? 'processing' : 'shipped' });
  const baseline = await medianMicros(CHANGES, change);
  const listeners = Array.from({ length: TRIGGERS }, () =>
    client.ai_tasks.create_trigger(taskId, { event: 'order.status_changed', filter: { status: 'cancelled' } }),
  );
  await Promise.all(listeners);
  const filtered = await medianMicros(CHANGES, change);
  const other = (await client.ai_tasks.create({ name: 'bench', description: '', source_code: '1', permissions: [], parameters: [] }))
    .task_id;
  await client.ai_tasks.create_trigger(other, { event: 'order.status_changed' });
  const started = await medianMicros(CHANGES, change);
  return [
    row({
      name: "an order's status with 100 triggers that filter it out, compared with no triggers",
      figure: filtered,
      unit: 'µs',
      baseline,
    }),
    row({ name: 'the same with one more trigger, whose run it starts', figure: started, unit: 'µs', baseline }),
  ];
}

async function medianMicros(times: number, work: () => Promise<unknown>): Promise<number> {
  const figures: number[] = [];
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await work();
    figures.push((performance.now() - began) * 1000);
  }
  return median(figures);
}
