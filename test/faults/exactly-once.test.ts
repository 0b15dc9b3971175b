import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  busiestWorker,
  type ClaimInForce,
  claimsInForce,
  createTask,
  killIfAlive,
  type Machines,
  type RunnerMachine,
  startMachines,
  until,
} from '../helpers/machines.ts';
import { chooseSeed, type Random, seeded } from '../helpers/seeded.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const KILLS = 20;
/** Some kills come too late to hit a run, which is known only when all runs have ended. More kills then replace these. */
const ROUNDS = 4;
const CUSTOMERS_A_RUN = 200;
const OPEN_RUNS = 6;
const RUNS_AT_MOST = 80;
const RUNNERS = 2;
/** The longest wait before a kill. */
const PAUSE_MS = 400;
const CUT_RATE = 0.01;

/** A script with reads before its loop, concurrent reads and writes in the loop, and a checkpoint every 10 customers. */
const SOURCE = `
const { from, to } = parameters;
await admin_api.get('/customers?limit=3');
const start = await once('start', () => ({ from }));
let next = last_checkpoint ? last_checkpoint.next : start.from;
while (next < to) {
  for (const half of [0, 5]) {
    const five = [0, 1, 2, 3, 4].map((n) => next + half + n);
    await Promise.all(five.map(async (id) => {
      const { body } = await admin_api.get('/customers/' + id);
      await Promise.all([
        admin_api.post('/customers/' + id + '/notes', { body: 'Welcome, ' + body.name + ' ' + Math.floor(id / 10) }),
        admin_api.post('/customers/' + id + '/credits/adjust', { delta: 1 + id % 97, note: 'welcome' }),
      ]);
      result('credited', 'customer ' + id);
    }));
    await sleep(60);
  }
  next += 10;
  await checkpoint({ next });
  progress(next - from, to - from);
}
export default () => ({ next });
`;

const kinds = ['worker', 'runner', 'server'] as const;
type Kind = (typeof kinds)[number];
/** One kill, with the claims that runners worked on at that moment. */
type Kill = { kind: Kind; claims: ClaimInForce[] };

describe('kill -9 of worker, runner and server, and connections cut before the request and before the answer', {
  concurrency: true,
}, () => {
  after(stopPostgres);
  for (const engine of engines) {
    const seed = chooseSeed();
    test(`each effect exactly once [${engine}], SEED=${seed}`, { timeout: 420_000 }, async (t) => {
      const machines = await startMachines(engine);
      try {
        await run(machines, seeded(seed), (text) => t.diagnostic(`${engine}: ${text}`));
      } finally {
        await machines.close();
      }
    });
  }
});

async function run(machines: Machines, random: Random, say: (text: string) => void): Promise<void> {
  const { client, store, proxy } = machines;
  const first = await fillWithCustomers(store, RUNS_AT_MOST * CUSTOMERS_A_RUN);
  const taskId = await createTask(client, SOURCE, { on_interrupt: 'resume', max_attempts: 1000 });
  proxy.decide(() => {
    const draw = random.next();
    return draw < CUT_RATE ? 'cut_before' : draw < 2 * CUT_RATE ? 'cut_after' : 'pass';
  });
  const runs: number[] = [];
  const openRun = async (): Promise<void> => {
    assert.ok(runs.length < RUNS_AT_MOST, 'all runs ended before enough kills had hit one');
    const from = first + runs.length * CUSTOMERS_A_RUN;
    const { run_id } = await client.ai_tasks.start_run(taskId, { parameters: { from, to: from + CUSTOMERS_A_RUN } });
    runs.push(run_id);
  };
  const topUp = async (): Promise<void> => {
    const open = await store.reader.selectFrom('runs').select('id').where('status', '=', 'running').execute();
    for (let n = open.length; n < OPEN_RUNS; n += 1) await openRun();
  };

  await topUp();
  const runners = Array.from({ length: RUNNERS }, () => machines.startRunner());
  const started = performance.now();
  const kills: Kill[] = [];
  const missing = async (kind: Kind): Promise<Kind[]> =>
    Array<Kind>(Math.max(0, KILLS - (await countHits(machines, kills, kind)))).fill(kind);
  /** Kills these kinds in random order. */
  const killAll = async (wanted: readonly Kind[]): Promise<void> => {
    for (const kind of shuffled(wanted, random)) {
      if (kind !== 'server') await topUp();
      await delay(random.below(PAUSE_MS));
      kills.push(await killOne(machines, runners, kind, random));
    }
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [workers, daemons, servers] = await Promise.all([missing('worker'), missing('runner'), missing('server')]);
    if (workers.length + daemons.length + servers.length === 0) break;
    if (round > 0) await topUp();
    // These kills come at the same time, so that a worker also dies while there is no server.
    await Promise.all([killAll([...workers, ...daemons]), killAll(servers)]);
    await until('all runs have ended', async () => !(await hasOpenRun(machines)));
  }
  const hits = await Promise.all(kinds.map(async (kind) => `${await countHits(machines, kills, kind)} ${kind}`));
  say(
    `${kills.length} kills, hits: ${hits.join(', ')}; ${runs.length} runs in ${Math.round(performance.now() - started)} ms; ${JSON.stringify(proxy.cuts)}`,
  );
  for (const kind of kinds) assert.ok((await countHits(machines, kills, kind)) >= KILLS, `too few kills of a ${kind} hit`);
  assert.ok(proxy.cuts.cut_after >= KILLS && proxy.cuts.cut_before >= KILLS, 'the proxy cut too little');
  await checkRuns(machines, taskId, runs, first);
  await checkShop(machines, first, runs.length * CUSTOMERS_A_RUN);
}

async function killOne(machines: Machines, runners: RunnerMachine[], kind: Kind, random: Random): Promise<Kill> {
  if (kind === 'server') {
    await until('runs are under way', async () => machines.proxy.inFlight() > 0 && (await claimsInForce(machines.store)).length > 0);
    const claims = await claimsInForce(machines.store);
    await machines.server().stop('SIGKILL');
    await machines.startServer();
    return { kind, claims };
  }
  for (;;) {
    const claimed = await until('a runner works on a run', async () => {
      const claims = await claimsInForce(machines.store);
      return claims.length > 0 && claims;
    });
    const name = random.pick(claimed).runner_name;
    const at = runners.findIndex((runner) => runner.name === name);
    const victim = runners[at];
    // This claim belongs to a runner that was killed before, and its lease has not lapsed yet.
    if (!victim) {
      await delay(10);
      continue;
    }
    const pid = kind === 'worker' ? await busiestWorker(victim) : victim.pid;
    if (pid === undefined) continue;
    const claims = (await claimsInForce(machines.store)).filter((claim) => claim.runner_name === name);
    if (kind === 'runner') {
      process.kill(pid, 'SIGKILL');
      runners[at] = machines.startRunner();
    }
    // A worker that was just being started is busy too, but has no run that could be hit.
    else if (!killIfAlive(pid) || !(await hasEndedSoon(machines, claims))) continue;
    return { kind, claims };
  }
}

/** The runner reports the end of a lost worker at once, or as soon as there is a server again. */
async function hasEndedSoon({ store }: Machines, claims: readonly ClaimInForce[]): Promise<boolean> {
  const SOON_MS = 2000;
  const ids = claims.map(({ id }) => id);
  const look = (): Promise<{ id: number } | undefined> =>
    store.reader.selectFrom('run_claims').select('id').where('id', 'in', ids).where('ended_at', 'is not', null).executeTakeFirst();
  if (ids.length === 0) return false;
  return until('a claim has ended', look, SOON_MS).then(
    () => true,
    () => false,
  );
}

/** Counts the kills that hit a run. For a worker or runner, a later attempt shows it; for a server, the runs that were under way. */
async function countHits({ store }: Machines, kills: readonly Kill[], kind: Kind): Promise<number> {
  if (kind === 'server') return kills.filter((kill) => kill.kind === 'server' && kill.claims.length > 0).length;
  const runs = await store.reader.selectFrom('runs').select(['id', 'attempt', 'claim_id']).execute();
  const attempts = new Map(runs.map((run) => [run.id, run.attempt]));
  const lost = await store.reader.selectFrom('run_claims').select('id').where('ended_at', 'is not', null).execute();
  const ended = new Set(lost.map(({ id }) => id));
  // The claim has not ended yet. When all runs have ended, there is no such claim.
  const pending = (claim: ClaimInForce): boolean => !ended.has(claim.id);
  const counted = new Set<number>();
  let hits = 0;
  for (const kill of kills) {
    if (kill.kind !== kind) continue;
    // One claim can be lost only once.
    const felt = kill.claims.find(
      (claim) => !counted.has(claim.id) && (pending(claim) || (attempts.get(claim.run_id) ?? 0) > claim.attempt),
    );
    if (felt) hits += 1;
    if (felt) counted.add(felt.id);
  }
  return hits;
}

async function hasOpenRun({ store }: Machines): Promise<boolean> {
  return (await store.reader.selectFrom('runs').select('id').where('status', '=', 'running').limit(1).execute()).length > 0;
}

async function checkRuns({ client, store }: Machines, taskId: number, runs: readonly number[], first: number): Promise<void> {
  for (const [index, runId] of runs.entries()) {
    const from = first + index * CUSTOMERS_A_RUN;
    const run = await client.ai_tasks.get_run(taskId, runId);
    assert.equal(run.status, 'success', `run ${runId}: ${run.end_reason} ${run.error_message}\n${run.log.slice(-2000)}`);
    assert.deepEqual(run.result, { next: from + CUSTOMERS_A_RUN });
    const results = run.log.split('\n').filter((line) => line.startsWith('{"kind":"result"'));
    assert.equal(results.length, CUSTOMERS_A_RUN);
    assert.equal(new Set(results).size, CUSTOMERS_A_RUN);
    const effects = await client.ai_tasks.list_effects(taskId, runId, { limit: 1000 });
    const paths = effects.map(({ path }) => path).sort();
    const expected = Array.from({ length: CUSTOMERS_A_RUN }, (_, n) => [
      `/customers/${from + n}/credits/adjust`,
      `/customers/${from + n}/notes`,
    ])
      .flat()
      .sort();
    assert.deepEqual(paths, expected, `the effects of run ${runId}`);
    const lineage = await store.reader
      .selectFrom('runs')
      .innerJoin('lineages', 'lineages.id', 'runs.lineage_id')
      .select('lineages.epoch')
      .where('runs.id', '=', runId)
      .executeTakeFirstOrThrow();
    assert.equal(lineage.epoch, CUSTOMERS_A_RUN / 10);
  }
}

async function checkShop({ store }: Machines, first: number, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => first + n);
  const notes = await store.reader.selectFrom('customer_notes').select(['customer_id', 'body']).orderBy('customer_id').execute();
  assert.deepEqual(
    notes,
    ids.map((id) => ({ customer_id: id, body: `Welcome, Customer ${id - first + 1} ${Math.floor(id / 10)}` })),
  );
  const ledger = await store.reader
    .selectFrom('credit_transactions')
    .select(['customer_id', 'delta_credits'])
    .orderBy('customer_id')
    .execute();
  assert.deepEqual(
    ledger,
    ids.map((id) => ({ customer_id: id, delta_credits: 1 + (id % 97) })),
  );
  const buckets = await store.reader
    .selectFrom('credit_buckets')
    .select(['customer_id', 'remaining_credits'])
    .orderBy('customer_id')
    .execute();
  assert.deepEqual(
    buckets,
    ids.map((id) => ({ customer_id: id, remaining_credits: 1 + (id % 97) })),
  );
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
