import { setTimeout as delay } from 'node:timers/promises';
import type { Backroom } from './backroom.ts';
import { quantile, type Row, row } from './report.ts';

/** The other client waits this long after an answer before it writes again. */
const PAUSE_MS = 10;
const ALONE_MS = 3000;

const notes = (count: number) => ({
  name: `${count} notes`,
  source: (_: readonly number[], customers: readonly number[]) =>
    `for (let n = 0; n < ${count}; n++) await admin_api.post('/customers/${customers[0]}/notes', { body: 'n' + n });`,
});

/** The cost of a write in the last of these plans is compared with that in the first. */
const GROWTH = [50, 200, 800] as const;
const GROWTH_TARGET = 1.5;
/** What a dry run may add to the longest wait of another client. */
const HELD_MS = 50;

const plans = [
  {
    name: '8 writes of 250 orders',
    source: (orders: readonly number[]) =>
      `const ids = ${JSON.stringify(orders.slice(0, 250))};
for (let n = 0; n < 8; n++) await admin_api.post('/orders/bulk-status', { ids, status: n % 2 ? 'processing' : 'shipped' });`,
  },
  ...GROWTH.map(notes),
];

/** Measures how long a dry run takes, alone and while another client writes, and how long that client waits for its writes. */
export async function measureDryRuns(backroom: Backroom): Promise<Row[]> {
  const alone = await writing(backroom, () => delay(ALONE_MS));
  const rows: Row[] = [];
  const quietMs = new Map<string, number>();
  for (const { name, source } of plans) {
    const taskId = await backroom.createTask(source(backroom.orderIds, backroom.customerIds), [
      'admin_api.orders.write',
      'admin_api.customers.write',
    ]);
    await backroom.client.ai_tasks.update(taskId, { settings: { limits: { dry_run_writes: Math.max(...GROWTH) } } });
    const quiet = await dryRun(backroom, taskId);
    quietMs.set(name, quiet.ms);
    const beside = await writing(backroom, () => dryRun(backroom, taskId));
    const ends = `${beside.result.status}, ${quiet.status}`;
    rows.push(
      row({
        name: `dry run of ${name} while another client writes, compared with one alone (${ends})`,
        figure: beside.result.ms,
        unit: 'ms',
        baseline: quiet.ms,
      }),
      row({
        name: `another client's writes during ${name}, p95, compared with no dry run`,
        figure: quantile(beside.waits, 0.95),
        unit: 'ms',
        baseline: quantile(alone.waits, 0.95),
      }),
      row({
        name: `another client's writes during ${name}, longest, compared with no dry run`,
        figure: Math.max(...beside.waits),
        unit: 'ms',
        baseline: Math.max(...alone.waits),
        figureBound: { most: Math.round(Math.max(...alone.waits)) + HELD_MS },
      }),
    );
  }
  const perWrite = (count: number): number => (quietMs.get(notes(count).name) ?? 0) / count;
  const [few, , many] = GROWTH;
  rows.push(
    row({
      name: `a write in a dry run of ${many} notes, compared with one of ${few}`,
      figure: perWrite(many),
      unit: 'ms',
      baseline: perWrite(few),
      ratioBound: { most: GROWTH_TARGET },
    }),
  );
  return rows;
}

/** Makes a dry run and waits for its end. `status`: a dry run that takes too long ends `interrupted`. */
export async function dryRun(
  { client, ended }: Pick<Backroom, 'client' | 'ended'>,
  taskId: number,
): Promise<{ ms: number; status: string }> {
  const began = performance.now();
  const { run_id } = await client.ai_tasks.start_run(taskId, { dry_run: true });
  const { status } = await ended(run_id);
  return { ms: performance.now() - began, status };
}

/** Lets another client write while `work` lasts; `waits` has the time of each write, in ms. */
async function writing<T>({ client, customerIds }: Backroom, work: () => Promise<T>): Promise<{ result: T; waits: number[] }> {
  const customerId = customerIds.at(-1) ?? 1;
  const waits: number[] = [];
  let isOver = false;
  const other = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      await client.customers.create_note(customerId, { body: 'hello' });
      waits.push(performance.now() - began);
      await delay(PAUSE_MS);
    }
  };
  const writer = other();
  const result = await work();
  isOver = true;
  await writer;
  return { result, waits };
}
