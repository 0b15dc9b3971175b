import { parseArgs } from 'node:util';
import { measureAgents } from './agents.ts';
import { withBackroom } from './backroom.ts';
import { measureBursts } from './burst.ts';
import { measureCallCost } from './call-cost.ts';
import { measureConsole } from './console.ts';
import { measureCustomers } from './customers.ts';
import { measureDashboard } from './dashboard.ts';
import { measureDryRuns } from './dry-runs.ts';
import { measureFirstLine } from './first-line.ts';
import { measureFleet } from './fleet.ts';
import { measureGroups } from './groups.ts';
import { measureClaimsGrowth } from './growth-claims.ts';
import { measureDryRunsGrowth } from './growth-dry-runs.ts';
import { measureLogsGrowth } from './growth-logs.ts';
import { measureOrdersGrowth } from './growth-orders.ts';
import { measureStreamsGrowth } from './growth-streams.ts';
import { measureIdle } from './idle.ts';
import { measureInstall } from './install.ts';
import { refuseUnknown } from './known-names.ts';
import { measureLogFlood } from './log-flood.ts';
import { measureNeighbours } from './neighbours.ts';
import { measureOrders } from './orders.ts';
import { commitLine, middleOf, type Row, tableOf } from './report.ts';
import { measureRequestPath } from './request-path.ts';
import { measureRunCpu } from './run-cpu.ts';
import { measureTimeline } from './timeline.ts';
import { measureUnattended } from './unattended.ts';
import { measureUndo } from './undo.ts';
import { measureWaits } from './waits.ts';

/**
 * `npm run bench -- [--json] [--times N] [--orders N] [--largest N] [NAME…]`: measures the named sections, or all, each on a server of its own; `growth`
 * names all sections that draw curves. The exit code is 1 where a target is missed. `--orders`: the number of orders for the sections
 * `orders`, `customers` and `dashboard`. `--largest`: curves end at this size. `--times`: measures each section so often, and prints each row
 * of the run whose ratio is in the middle.
 */
const sections: Record<string, () => Promise<Row[]>> = {
  timeline: measureTimeline,
  idle: measureIdle,
  'first-line': () => withBackroom(measureFirstLine),
  burst: measureBursts,
  'run-cpu': () => withBackroom(measureRunCpu),
  'call-cost': () => withBackroom(measureCallCost),
  agents: () => withBackroom(measureAgents),
  'log-flood': () => withBackroom(measureLogFlood),
  neighbours: measureNeighbours,
  'request-path': measureRequestPath,
  unattended: () => withBackroom(measureUnattended),
  waits: () => withBackroom(measureWaits),
  undo: () => withBackroom(measureUndo),
  orders: () => measureOrders(Number(values.orders)),
  customers: () => measureCustomers(Number(values.orders)),
  dashboard: () => measureDashboard(Number(values.orders)),
  'dry-runs': () => withBackroom(measureDryRuns),
  groups: measureGroups,
  fleet: measureFleet,
  console: measureConsole,
  install: measureInstall,
  'growth-orders': () => measureOrdersGrowth(Number(values.largest)),
  'growth-claims': () => measureClaimsGrowth(Number(values.largest)),
  'growth-streams': () => withBackroom((backroom) => measureStreamsGrowth(backroom, Number(values.largest))),
  'growth-logs': () => withBackroom((backroom) => measureLogsGrowth(backroom, Number(values.largest))),
  'growth-dry-runs': () => withBackroom((backroom) => measureDryRunsGrowth(backroom, Number(values.largest))),
};

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    times: { type: 'string', default: '1' },
    orders: { type: 'string', default: '1000000' },
    largest: { type: 'string', default: '1000000' },
  },
  allowPositionals: true,
});
const isMeant = (name: string): boolean =>
  positionals.length === 0 || positionals.includes(name) || (positionals.includes('growth') && name.startsWith('growth-'));
refuseUnknown('section', positionals, [...Object.keys(sections), 'growth']);

for (const option of ['orders', 'largest', 'times'] as const) {
  if (/^[1-9]\d{0,7}$/.test(values[option])) continue;
  process.stderr.write(`--${option} is "${values[option]}": a number from 1 to 99999999 is expected.\n`);
  process.exit(2);
}

// The exit of this process kills what it has started (ops/processes.ts, test/helpers/postgres.ts).
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(sections)) {
    if (!isMeant(name)) continue;
    const runs: Row[][] = [];
    for (let n = 1; n <= Number(values.times); n++) {
      process.stderr.write(`measuring ${name}${values.times === '1' ? '' : `, ${n} of ${values.times}`} …\n`);
      runs.push(await measure());
    }
    rows.push(...middleOf(runs));
  }
} finally {
  // Where a section fails, the results of the sections before it are printed too.
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : `\n${commitLine()}\n\n${tableOf(rows)}\n`);
}
if (rows.some(({ ok }) => ok === false)) process.exitCode = 1;
