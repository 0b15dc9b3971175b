import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Backroom, withBackroom } from './backroom.ts';
import { startChild } from './child.ts';
import { quantile, type Row, row } from './report.ts';

/** Scripts that attack the machine; each is ended by its limit of CPU time, wall time or memory. */
const BOMBS: Record<string, string> = {
  BigInt: 'let n = 3n; for (;;) n = n ** 3n;',
  'typed array': 'for (;;) new Uint8Array(5e7).map((x) => x ^ 1).sort().reverse().indexOf(5);',
  'regular expression': "/(x+x+)+y/.test('x'.repeat(40));",
  allocation: 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));',
  strings: "'x'.repeat(2 ** 28).split('');",
};
const ATTACK_LIMITS = { cpu_seconds: 2, wall_seconds: 4 };
const ROUNDS = 4;
const QUIET_MS = 2000;
const SETTLE_MS = 300;
const NEIGHBOUR = `
for (;;) await admin_api.get('/orders?per_page=5&page=' + (1 + Math.floor(Math.random() * 50)));`;

/** Measures the time between calls of a run, alternately alone and while the runner's other slot runs an attack. */
export async function measureNeighbours(): Promise<Row[]> {
  let forwarder: ReturnType<typeof startChild> | undefined;
  const forward = async (serverUrl: string): Promise<string> => {
    forwarder = startChild('forwarder.ts', [new URL(serverUrl).port]);
    return `http://127.0.0.1:${await forwarder.next()}`;
  };
  try {
    return await withBackroom(
      (backroom) => {
        if (!forwarder) throw new Error('the forwarder between runner and server was not started');
        return measure(backroom, forwarder);
      },
      { addressFor: forward },
    );
  } finally {
    forwarder?.finish();
  }
}

async function measure(backroom: Backroom, forwarder: ReturnType<typeof startChild>): Promise<Row[]> {
  const { client } = backroom;
  const neighbour = await backroom.createTask(NEIGHBOUR, ['admin_api.orders.read']);
  await client.ai_tasks.update(neighbour, { settings: { limits: { host_calls: 1_000_000, cpu_seconds: 3600, wall_seconds: 3600 } } });
  const bombs = new Map<string, number>();
  for (const [name, source] of Object.entries(BOMBS)) {
    const task = await backroom.createTask(source);
    await client.ai_tasks.update(task, { settings: { limits: ATTACK_LIMITS } });
    bombs.set(name, task);
  }
  const run = await backroom.openRun(neighbour);
  await delay(QUIET_MS);
  await read(forwarder);
  const quiet: number[] = [];
  const attacked = new Map([...bombs.keys()].map((name) => [name, [] as number[]]));
  let slowestEndMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, task] of bombs) {
      await delay(QUIET_MS / BOMBS_PER_ROUND);
      quiet.push(...(await read(forwarder)));
      const { id } = await backroom.openRun(task);
      const { finishedAtMs, status } = await backroom.ended(id);
      if (status === 'success') throw new Error(`the attack by ${name} ended in success, so it was none`);
      const { claimed_at: claimedAt } = await client.ai_tasks.get_run(task, id);
      slowestEndMs = Math.max(slowestEndMs, finishedAtMs - Date.parse(claimedAt ?? ''));
      attacked.get(name)?.push(...(await read(forwarder)));
      await delay(SETTLE_MS);
      await read(forwarder);
    }
  }
  await client.ai_tasks.cancel_run(neighbour, run.id);
  const baseline = quantile(quiet, 0.99);
  const p99 = (name: string, times: readonly number[]): Row =>
    row({
      name: `a neighbour's call during ${name}: p99 of ${times.length}`,
      figure: quantile(times, 0.99),
      unit: 'ms',
      baseline,
      ratioBound: { most: 2 },
    });
  return [
    ...[...attacked].map(([name, times]) => p99(`an attack by ${name}`, times)),
    p99('all of these', [...attacked.values()].flat()),
    row({
      name: 'an attack limited to 4 s, from its claim to its end: longest',
      figure: slowestEndMs,
      unit: 'ms',
      figureBound: { most: ATTACK_LIMITS.wall_seconds * 1000 + 1000 },
    }),
  ];
}

const BOMBS_PER_ROUND = Object.keys(BOMBS).length;

/** The times from each call to the next one since `read` was last called, in ms. */
async function read(forwarder: ReturnType<typeof startChild>): Promise<number[]> {
  forwarder.ask();
  const times = z.array(z.number()).parse(await forwarder.next());
  return times.slice(1).map((at, i) => at - (times[i] ?? at));
}
