import { parseArgs } from 'node:util';
import { endpointList } from '../../contract/index.ts';
import { type FuzzOptions, fuzz, partNames, textOf } from '../fuzz/fuzz.ts';
import { globalSetup, globalTeardown } from '../global-setup.ts';

const USAGE = `npm run fuzz -- [--sequences N] [--calls N] [--seed N] [--engine sqlite|postgres] [--part contract|model] [--path PATH]

Plays random sequences of calls, each to a real server with a store of its own, and checks every answer and what it did.
contract: any endpoints of the contract. model: pages, customers, goods, orders and tasks, followed by a model. Of a failure it
shows the shortest sequence, and the command that plays it again (--path). Default: 100 sequences of at most 60 calls of each part.`;

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '100' },
    calls: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    engine: { type: 'string', default: 'sqlite' },
    part: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [sequences, calls, seed] = [values.sequences, values.calls, values.seed].map(Number);
const parts = partNames.filter((name) => values.part === undefined || values.part === name);
const engine = (['sqlite', 'postgres'] as const).find((name) => name === values.engine);
const isWrong = !sequences || !calls || seed === undefined || !(sequences > 0 && calls > 0 && seed >= 0) || !engine || parts.length === 0;
if (values.help || isWrong) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}

await globalSetup();
try {
  for (const part of parts) {
    const isPassed = await play({ part, engine, seed, sequences, calls, path: values.path });
    if (!isPassed) process.exitCode = 1;
  }
} finally {
  await globalTeardown();
}
// The threads that the servers of this process shared would keep it alive.
process.exit();

async function play(options: FuzzOptions): Promise<boolean> {
  process.stdout.write(`${options.part} on ${options.engine}: seed ${options.seed}\n`);
  const beganAt = performance.now();
  const { sequences: played, tally, failure } = await fuzz(options);
  const counts = [...tally.values()];
  const sum = (name: 'calls' | 'accepted') => counts.reduce((total, count) => total + count[name], 0);
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  const reach = `${tally.size} of ${endpointList.length} endpoints`;
  process.stdout.write(`  ${played} sequences, ${sum('calls')} calls (${sum('accepted')} accepted) of ${reach}, ${seconds} s\n`);
  process.stdout.write(failure ? `✖ ${textOf(failure, options)}\n` : '✔ No rule was broken.\n');
  return failure === null;
}
