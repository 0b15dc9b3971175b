import { sql } from 'kysely';
import { buildMissingApp } from '../ops/missing-builds.ts';
import { childrenOf, statFields } from '../runner/isolation/proc.ts';
import { stockShop } from '../test/torture/chaos/goods.ts';
import { Ledger } from '../test/torture/chaos/ledger.ts';
import { openPatientClient } from '../test/torture/chaos/sending.ts';
import { OWNER_TOKEN, type Shop, startShop } from '../test/torture/chaos/shop.ts';
import { allEnded, openSmallRuns } from '../test/torture/chaos/small-runs.ts';
import { median, type Row, row } from './report.ts';

const RUNS = 200;
/** So many that V8 has compiled the code of each of the processes; the first runs of each cost twice as much. */
const WARM_RUNS = 600;
const ROUNDS = 3;
const FASTER = 1.6;
const SMALL = { servers: 1, runners: 1 };
const FLEET = { servers: 3, runners: 4 };

type Round = { runsPerSecond: number; cpuMs: number; commits: number; walBytes: number };

/**
 * Measures short runs, of which every other one has one effect, on three servers and four runners with one PostgreSQL, without any kill.
 * The baseline is one server and one runner with another PostgreSQL. `npm run chaos -- --fleet 2000` checks the books with kills.
 */
export async function measureFleet(): Promise<Row[]> {
  await buildMissingApp((line) => void process.stderr.write(`${line}\n`));
  const one = await measureShop(SMALL);
  const many = await measureShop(FLEET);
  const of = (rounds: readonly Round[], what: keyof Round): number => median(rounds.map((round) => round[what]));
  const named = (what: string): string => `${FLEET.servers} servers, ${FLEET.runners} runners, ${RUNS} short runs: ${what}`;
  const compared = (what: keyof Round) => ({ figure: of(many, what), baseline: of(one, what) });
  // On two processors, which one server and one runner can fill, more machines cannot be faster; then they must not cost much more.
  const isFaster = of(many, 'runsPerSecond') >= FASTER * of(one, 'runsPerSecond');
  return [
    row({
      name: named('CPU of servers, runners and PostgreSQL'),
      ...compared('cpuMs'),
      unit: 'ms a run',
      ...(!isFaster && { ratioBound: { most: 1.2 } }),
    }),
    row({ name: named('rate'), ...compared('runsPerSecond'), unit: 'runs/s', ...(isFaster && { ratioBound: { least: FASTER } }) }),
    row({ name: named('transactions in PostgreSQL, reads too'), ...compared('commits'), unit: 'a run' }),
    row({ name: named('log of PostgreSQL (WAL) without full pages'), ...compared('walBytes'), unit: 'bytes a run' }),
  ];
}

async function measureShop(machines: typeof SMALL): Promise<Round[]> {
  const shop = await startShop({ engine: 'postgres', leaseSeconds: 30, seed: 1, ...machines });
  const ledger = new Ledger();
  const stopping = new AbortController().signal;
  const client = openPatientClient(shop.url, OWNER_TOKEN, ledger, stopping);
  try {
    const goods = await stockShop(client.api);
    const work = async (name: string, count: number): Promise<void> => {
      await openSmallRuns({ name, api: client.api, goods, ledger, stopping }, count);
      await allEnded(shop.store, stopping);
    };
    await work('warm', WARM_RUNS);
    const rounds: Round[] = [];
    for (let n = 0; n < ROUNDS; n += 1) rounds.push(await measureRound(shop, () => work(`r${n}`, RUNS)));
    if (ledger.faults.length > 0) throw new Error(ledger.faults.join('\n'));
    return rounds;
  } finally {
    await client.close();
    await shop.close({ keep: false });
  }
}

async function measureRound(shop: Shop, work: () => Promise<void>): Promise<Round> {
  const before = await stateOf(shop);
  await work();
  const after = await stateOf(shop);
  return {
    runsPerSecond: (RUNS * 1000) / (after.atMs - before.atMs),
    cpuMs: (after.cpuMs - before.cpuMs) / RUNS,
    commits: (after.commits - before.commits) / RUNS,
    walBytes: (after.walBytes - before.walBytes) / RUNS,
  };
}

async function stateOf({ servers, runners, cluster, store }: Shop) {
  const pids = [...servers, ...runners].flatMap((machine) => machine.pid() ?? []);
  if (cluster) pids.push(await cluster.pid());
  const { rows } = await sql<{ commits: number; wal: number }>`
    SELECT xact_commit AS commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS wal
    FROM pg_stat_database WHERE datname = current_database()`.execute(store.reader);
  const [{ commits, wal } = { commits: 0, wal: 0 }] = rows;
  return { atMs: performance.now(), cpuMs: pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0), commits, walBytes: Number(wal) };
}

/** The places of the times of a process, and of its ended children, in `stat`. */
const TIMES = { from: 11, to: 15 };
/** Linux counts them in hundredths of a second. */
const TICK_MS = 10;

/** The processor time that a process and all its descendants, ended ones too, have used. */
function cpuMsOf(pid: number): number {
  const ticks = (statFields(pid) ?? []).slice(TIMES.from, TIMES.to).reduce((sum, field) => sum + Number(field), 0);
  return childrenOf(pid).reduce((sum, child) => sum + cpuMsOf(child), ticks * TICK_MS);
}
