import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startListeningServer } from '../../ops/processes.ts';
import { isPostgresUrl, openStore } from '../../server/db/open.ts';
import { type SoakReport, soak } from './soak/soak.ts';

const USAGE = `npm run soak -- [--seconds N] [--clients N] [--seed N]

Many clients create, edit, pay, cancel and reopen orders of the same goods at once; then stock, totals, payments, vouchers,
mails and lists are checked. The server is started on a new SQLite file, or on the database of DATABASE_URL.`;

const TOKEN = 'Token-of-the-soak-command-0123456789abcdef';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '32' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [seconds, clients, seed] = [values.seconds, values.clients, values.seed].map(Number);
if (values.help || !seconds || !clients || seed === undefined || !(seconds > 0 && clients > 0 && seed >= 0)) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}

const folder = await mkdtemp(join(tmpdir(), 'backroom-soak-'));
const databaseUrl = process.env['DATABASE_URL'];
const token = process.env['BACKROOM_TOKEN'] ?? TOKEN;
const server = await startListeningServer({
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl,
  BOOTSTRAP_ADMIN_TOKEN: token,
  RATE_LIMIT: '0',
});
const file = databaseUrl?.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : join(folder, 'backroom.db');
const store = openStore({ url: databaseUrl !== undefined && isPostgresUrl(databaseUrl) ? databaseUrl : file, poolSize: 2 });
const stop = (): void => {
  void server.stop().finally(() => process.exit(1));
};
process.once('SIGINT', stop).once('SIGTERM', stop);
try {
  const report = await soak({ url: server.url, token, store, clients, seconds, seed });
  process.stdout.write(`${tableOf(report)}\n`);
  process.exitCode = report.ledger.faults.length === 0 && report.checks.every(({ faults }) => faults.length === 0) ? 0 : 1;
} finally {
  await store.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

function tableOf({ ledger, checks, requests, seconds: took }: SoakReport): string {
  const at = (times: readonly number[], share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  const rows = [...ledger.actions].map(([action, { statuses, times }]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    return [action, String(times.length), at(sorted, 0.5), at(sorted, 0.95), at(sorted, 1), answers.join('  ')];
  });
  const table = [['action', 'requests', 'p50 ms', 'p95 ms', 'max ms', 'answers'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 || column === 5 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const SHOWN = 10;
  const judged = [
    { name: 'no refusal except those that other clients can cause', checked: requests, faults: ledger.faults },
    ...checks,
  ].flatMap(({ name, checked, faults }) => [
    `${faults.length === 0 ? '✔' : '✖'} ${name} (${checked})`,
    ...faults.slice(0, SHOWN).map((fault) => `    ${fault}`),
    ...(faults.length > SHOWN ? [`    and ${faults.length - SHOWN} more`] : []),
  ]);
  const rate = `${requests} requests in ${took.toFixed(1)} s, ${Math.round(requests / took)} a second; ${ledger.orders.length} orders`;
  return [...lines, '', rate, '', ...judged].join('\n');
}
