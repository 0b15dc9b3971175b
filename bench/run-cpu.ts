import { z } from 'zod';
import { childrenOf, cpuTicks } from '../runner/isolation/proc.ts';
import type { Backroom } from './backroom.ts';
import { startChild } from './child.ts';
import { familyOf } from './process-memory.ts';
import { median, type Row, row } from './report.ts';

/** So few that no worker reaches the number of runs after which it is replaced: its CPU time could no longer be read. */
const RUNS = 80;
const TIMES = 3;
const MS_PER_TICK = 10;
const SOURCE = `log('first line');`;

type CpuMs = { server: number; runner: number; workers: number };

/** Measures the CPU time of a run with one line of log, in all processes. The baseline is an isolate with its context, and nothing more. */
export async function measureRunCpu(backroom: Backroom): Promise<Row[]> {
  const bare: number[] = [];
  const taken: CpuMs[] = [];
  for (let i = 0; i < TIMES; i++) {
    const child = startChild('bare-isolates.ts', [RUNS], ['--no-node-snapshot']);
    bare.push(z.number().parse(await child.next()));
    const task = await backroom.createTask(SOURCE);
    await backroom.openRun(task);
    await backroom.allEnded(task);
    await backroom.standbyFull();
    const before = cpuOf(backroom);
    await Promise.all(Array.from({ length: RUNS }, () => backroom.openRun(task)));
    await backroom.allEnded(task);
    const after = cpuOf(backroom);
    taken.push({
      server: (after.server - before.server) / RUNS,
      runner: (after.runner - before.runner) / RUNS,
      workers: (after.workers - before.workers) / RUNS,
    });
  }
  const rowOf = (name: string, figure: (cpu: CpuMs) => number, most?: number): Row =>
    row({
      name: `CPU time of a run with one line of log: ${name}`,
      figure: median(taken.map(figure)),
      unit: 'ms',
      baseline: median(bare),
      ...(most !== undefined && { ratioBound: { most } }),
    });
  return [
    rowOf('server', ({ server }) => server),
    rowOf('runner', ({ runner }) => runner),
    rowOf('workers', ({ workers }) => workers),
    rowOf('all', ({ server, runner, workers }) => server + runner + workers, 6),
  ];
}

function cpuOf({ serverPid, runnerPid }: Backroom): CpuMs {
  const workers = childrenOf(runnerPid).flatMap(familyOf);
  return { server: cpuMs(serverPid), runner: cpuMs(runnerPid), workers: workers.reduce((sum, pid) => sum + cpuMs(pid), 0) };
}

function cpuMs(pid: number): number {
  return (cpuTicks(pid) ?? 0) * MS_PER_TICK;
}
