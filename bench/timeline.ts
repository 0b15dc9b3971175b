import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Backroom, withBackroom } from './backroom.ts';
import { NOTES_VARIABLE } from './probe.ts';
import { median, type Row, row } from './report.ts';
import type { Note } from './timeline-probe.ts';

const PROBE = fileURLToPath(new URL('./timeline-probe.ts', import.meta.url));
const SOURCE = `log('first line');`;
const WARM_UP = 30;
const RUNS = 40;
/** Between runs, so that what one leaves to do is not counted for the next. */
const PAUSE_MS = 60;
/** Notes are written every 100 ms. */
const FLUSHED_MS = 300;

type Run = { askedAt: number; endedAt: number };
type Hop = Note & { who: string };

/**
 * Prints where the time of one run with one line of log goes, from the request that opens it to the stored end: of the runs of one task,
 * whose worker is warm, the one that took the median time. It sees what begins and ends in the server and the runner; between a frame to
 * the worker and the next one from it, the worker is at work. The times include the work of the probe itself.
 */
export async function measureTimeline(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-timeline-'));
  try {
    return await withBackroom((backroom) => measure(backroom, folder), {
      env: { [NOTES_VARIABLE]: folder, NODE_OPTIONS: `--import=${PROBE}` },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(backroom: Backroom, folder: string): Promise<Row[]> {
  const task = await backroom.createTask(SOURCE);
  for (let n = 0; n < WARM_UP; n++) await oneRun(backroom, task);
  const runs: Run[] = [];
  for (let n = 0; n < RUNS; n++) {
    runs.push(await oneRun(backroom, task));
    await delay(PAUSE_MS);
  }
  await delay(FLUSHED_MS);
  const hops = readHops(
    folder,
    new Map([
      [backroom.serverPid, 'server'],
      [backroom.runnerPid, 'runner'],
    ]),
  );
  const lasting = ({ askedAt, endedAt }: Run): number => endedAt - askedAt;
  const middle = median(runs.map(lasting));
  const typical = runs.find((run) => lasting(run) === middle);
  if (typical) process.stdout.write(`\n${textOf(typical, hops)}\n`);
  const sum = (kind: Note['kind'], who: string): number =>
    median(
      runs.map((run) =>
        during(run, hops)
          .filter((hop) => hop.kind === kind && hop.who === who)
          .reduce((ms, hop) => ms + hop.ms, 0),
      ),
    );
  const count = (kind: Note['kind'], who: string): number =>
    median(runs.map((run) => during(run, hops).filter((hop) => hop.kind === kind && hop.who === who).length));
  return [
    row({ name: 'timeline: request → end stored, p50', figure: middle, unit: 'ms' }),
    row({ name: 'timeline: statements of the server', figure: count('statement', 'server'), unit: '' }),
    row({ name: 'timeline: time in statements of the server', figure: sum('statement', 'server'), unit: 'ms' }),
    row({ name: 'timeline: requests that the server answers', figure: count('request', 'server'), unit: '' }),
    row({ name: 'timeline: timers that run out in the runner', figure: count('timer', 'runner'), unit: '' }),
  ];
}

async function oneRun(backroom: Backroom, task: number): Promise<Run> {
  const askedAt = Number(process.hrtime.bigint()) / 1e6;
  const { id } = await backroom.openRun(task);
  const { status } = await backroom.ended(id, 1);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  return { askedAt, endedAt: Number(process.hrtime.bigint()) / 1e6 };
}

/** What the processes and their threads noted, in the order in which it began. */
function readHops(folder: string, names: ReadonlyMap<number, string>): Hop[] {
  return readdirSync(folder)
    .flatMap((file) => {
      const [pid, thread] = file.replace('.jsonl', '').split('-').map(Number);
      const who = names.get(pid ?? 0);
      if (who === undefined) return [];
      const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
      return lines.map((line): Hop => ({ ...(JSON.parse(line) as Note), who: thread === 0 ? who : `${who}, a thread` }));
    })
    .sort((a, b) => a.at - b.at);
}

/** What began while the run was open, and the requests that had waited for it. */
function during({ askedAt, endedAt }: Run, hops: readonly Hop[]): Hop[] {
  return hops.filter(
    ({ at, ms, kind }) => at < endedAt && (at >= askedAt || (kind !== 'timer' && at + ms > askedAt && at + ms <= endedAt)),
  );
}

function textOf(run: Run, hops: readonly Hop[]): string {
  const lines = during(run, hops).map(({ at, ms, who, kind, what }) => {
    const from = (at - run.askedAt).toFixed(2).padStart(8);
    return `${from}  ${ms === 0 ? '        ' : ms.toFixed(2).padStart(8)}  ${who.padEnd(8)} ${kind.padEnd(9)} ${what}`;
  });
  const end = (run.endedAt - run.askedAt).toFixed(2).padStart(8);
  return ['   at ms   took ms  where    what', ...lines, `${end}            the end is stored`].join('\n');
}
