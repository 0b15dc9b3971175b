import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { refuseUnknown } from './known-names.ts';
import { type ApiPeer, measureApi, questions } from './peers/api-peer.ts';
import { startBackroomApi, startRawApi, startVendure } from './peers/api-peers.ts';
import { startBackroomRuns } from './peers/backroom-runs.ts';
import { installed } from './peers/install.ts';
import { startBareIsolates, startPreludeIsolates } from './peers/isolates.ts';
import { startN8n } from './peers/n8n.ts';
import { lendPostgres } from './peers/postgres.ts';
import { startQueue } from './peers/queues.ts';
import { startRedis } from './peers/redis.ts';
import { type Contender, inRounds, type Measured } from './peers/rounds.ts';
import { kinds, measureRuns, type RunPeer } from './peers/run-peer.ts';
import { commitLine, median, type Row, row, tableOf } from './report.ts';

/**
 * `npm run bench:peers -- [--json] [--rounds N] [--runs N] [NAME…]`: measures Backroom beside the named other systems, or beside all, by
 * turns. Each ratio is that of a system to Backroom on SQLite (docs/benchmarks.md). A system that cannot be measured ends nothing.
 */
const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    runs: { type: 'string', default: '200' },
  },
  allowPositionals: true,
});

// Outside of everything else, so that nothing is left when this process ends.
const folder = await mkdtemp(join(tmpdir(), 'backroom-bench-peers-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.on('exit', () => {
  // PostgreSQL takes a moment to end, and uses its files until then.
  for (let tries = 0; tries < 50 && existsSync(folder); tries++) {
    if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    rmSync(folder, { recursive: true, force: true });
  }
});

const postgres = lendPostgres(folder);
const isolates = ['--no-node-snapshot'];

const BASELINE = 'backroom';
const runPeers: Contender<RunPeer>[] = [
  { name: BASELINE, start: () => startBackroomRuns() },
  { name: 'backroom-postgres', start: async () => startBackroomRuns(await postgres('backroom')) },
  { name: 'bare-isolates', start: startBareIsolates },
  { name: 'prelude-isolates', start: startPreludeIsolates },
  {
    name: 'graphile-worker',
    start: async () => startQueue('peers/queue-graphile.ts', [await installed('queues'), await postgres('graphile'), 'function'], isolates),
  },
  {
    name: 'graphile-worker-isolates',
    start: async () => startQueue('peers/queue-graphile.ts', [await installed('queues'), await postgres('isolates'), 'isolate'], isolates),
  },
  { name: 'pg-boss', start: async () => startQueue('peers/queue-pg-boss.ts', [await installed('queues'), await postgres('boss')]) },
  { name: 'bullmq', start: async () => startQueue('peers/queue-bullmq.ts', [await installed('queues'), String(await startRedis(folder))]) },
  { name: 'n8n', start: () => startN8n(folder) },
];
const apiPeers: Contender<ApiPeer>[] = [
  { name: BASELINE, start: startBackroomApi },
  { name: 'raw-sqlite', start: () => startRawApi(folder) },
  { name: 'vendure', start: () => startVendure(folder) },
];

refuseUnknown('system', positionals, [...new Set([...runPeers, ...apiPeers].map(({ name }) => name))]);
const [rounds, runs] = [Number(values.rounds), Number(values.runs)];
if (!(rounds >= 1 && runs >= 1)) {
  process.stderr.write('Expected: [--rounds N] [--runs N], each at least 1.\n');
  process.exit(2);
}

const rows: Row[] = [];
const missing: string[] = [];

/** The contenders that were asked for, and Backroom; none if no other one was. */
function chosen<Peer>(contenders: readonly Contender<Peer>[]): Contender<Peer>[] {
  const asked = contenders.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return asked.length === 0 ? [] : contenders.filter((one) => one.name === BASELINE || asked.includes(one));
}

function report<Figures>(measured: readonly Measured<Figures>[], name: string, unit: string, figureOf: (figures: Figures) => number): void {
  const figures = measured.flatMap((one) => ('rounds' in one ? [{ name: one.name, figure: median(one.rounds.map(figureOf)) }] : []));
  const baseline = figures.find((one) => one.name === BASELINE)?.figure;
  for (const one of figures) {
    rows.push(row({ name: `${name}: ${one.name}`, figure: one.figure, unit, ...(baseline !== undefined && { baseline }) }));
  }
}

const runsMeasured = await inRounds(chosen(runPeers), rounds, async (peer) => ({
  trivial: await measureRuns(peer, 'trivial', runs),
  line: await measureRuns(peer, 'line', runs),
}));
for (const kind of kinds) {
  report(runsMeasured, `${kind} run, burst of ${runs}`, 'runs/s', (figures) => figures[kind].rate);
  report(runsMeasured, `${kind} run, open → end: p50`, 'ms', (figures) => figures[kind].latencyMs);
}
const apiMeasured = await inRounds(chosen(apiPeers), rounds, async (peer) => ({
  list: await measureApi(peer, 'list'),
  order: await measureApi(peer, 'order'),
  note: await measureApi(peer, 'note'),
}));
for (const question of questions) {
  report(apiMeasured, `${question}, one connection: p50`, 'ms', (figures) => figures[question].ms);
  report(apiMeasured, `${question}, eight connections`, 'requests/s', (figures) => figures[question].rate);
}
for (const one of [...runsMeasured, ...apiMeasured]) if ('missing' in one) missing.push(`${one.name}: not measured: ${one.missing}`);

process.stdout.write(
  values.json ? `${JSON.stringify({ rows, missing }, null, 2)}\n` : `\n${commitLine()}\n\n${tableOf(rows)}\n${missing.join('\n')}\n`,
);
// What a failed peer left open must not keep this process.
process.exit();
