import { parseArgs } from 'node:util';
import { type FuzzReport, fuzzContract } from '../test/fuzz/fuzz.ts';
import { globalSetup, globalTeardown } from '../test/global-setup.ts';
import { stopPostgres } from '../test/helpers/stores.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    sequences: { type: 'string', default: '100' },
    calls: { type: 'string', default: '60' },
    engine: { type: 'string', default: 'sqlite' },
    path: { type: 'string' },
  },
});
await globalSetup();
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
console.log('seed', seed);
const t = performance.now();
const report: FuzzReport = await fuzzContract({
  engine: values.engine as 'sqlite',
  seed,
  sequences: Number(values.sequences),
  calls: Number(values.calls),
  path: values.path,
});
console.log(((performance.now() - t) / 1000).toFixed(1), 's', report.sequences);
let c = 0,
  a = 0;
for (const v of report.tally.values()) {
  c += v.calls;
  a += v.accepted;
}
console.log(c, a, report.tally.size);
console.log(
  'never accepted',
  [...report.tally]
    .filter(([, v]) => v.accepted === 0)
    .map(([k, v]) => `${k} ${v.calls}`)
    .join(', '),
);
if (report.failure) {
  console.log(report.failure.message);
  console.log(report.failure.path);
  console.log(report.failure.calls.join('\n'));
}
await stopPostgres();
await globalTeardown();
process.exit(0);
