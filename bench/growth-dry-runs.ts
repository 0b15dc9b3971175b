import type { Backroom } from './backroom.ts';
import type { Point } from './draw-curves.ts';
import { dryRun } from './dry-runs.ts';
import { type Growth, growthRows, upTo } from './growth.ts';
import { median, type Row, row } from './report.ts';

const SIZES = [10, 30, 100, 300, 1000];
const TIMES = 3;

/** A dry run of n writes, beside a run that carries out the same writes. A size at which the dry run does not succeed ends the curve. */
export async function measureDryRunsGrowth(backroom: Backroom, largest: number): Promise<Row[]> {
  const { sizes, isWhole } = upTo(SIZES, largest);
  const dry: Point[] = [];
  const real: Point[] = [];
  for (const size of sizes) {
    const source = `for (let n = 0; n < ${size}; n++) await admin_api.post('/customers/${backroom.customerIds[0]}/notes', { body: 'n' + n });`;
    const taskId = await backroom.createTask(source, ['admin_api.customers.write']);
    await backroom.client.ai_tasks.update(taskId, { settings: { limits: { dry_run_writes: 10_000 } } });
    const [dries, reals]: [number[], number[]] = [[], []];
    for (let n = 0; n < TIMES; n++) {
      const { ms, status } = await dryRun(backroom, taskId);
      if (status !== 'success') process.stderr.write(`the dry run of ${size} writes ended ${status}\n`);
      else dries.push(ms / size);
      const { id, askedAtMs } = await backroom.openRun(taskId);
      reals.push(((await backroom.ended(id)).finishedAtMs - askedAtMs) / size);
      if (status !== 'success') break;
    }
    if (dries.length > 0) dry.push({ size, value: median(dries) });
    real.push({ size, value: median(reals) });
  }
  const lines = [
    { name: 'dry run', points: dry, most: 2 },
    { name: 'the same run', points: real, isBaseline: true },
  ];
  const longest = row({
    name: 'writes of the longest dry run that succeeded',
    figure: dry.at(-1)?.size ?? 0,
    unit: 'writes',
    figureBound: { least: sizes.at(-1) ?? 0 },
  });
  return [longest, ...(await growthRows({ ...chart, isWhole, lines }))];
}

const chart: Omit<Growth, 'lines' | 'isWhole'> = {
  file: 'dry-runs',
  unit: 'ms',
  title: 'A dry run: time for each write, by the number of writes',
  x: 'writes',
  y: 'ms for each write',
  method: 'From the request that opens the run to its stored end, divided by its writes. Dashed: the same run carried out.',
};
