import { parseArgs } from 'node:util';
import type { Check } from './chaos/books.ts';
import { chaos } from './chaos/chaos.ts';
import { lineOf, planFaults } from './chaos/plan.ts';
import { chaosOfPrograms } from './chaos/programs/programs.ts';

const USAGE = `npm run chaos -- [--seed N] [--minutes N] [--engine sqlite|postgres] [--servers N] [--runners N] [--lease SECONDS] [--fleet RUNS] [--runs PROGRAMS] [--plan]

Starts a shop in a temporary folder and lets clients and tasks work in it, while servers, runners, workers, connections, the disk, clocks
and PostgreSQL fail in a sequence that the seed decides. Then everything starts again, the runs end, and the books are checked. The exit
code is 1 if a check failed; the folder with logs and data is then kept. --plan only prints the faults. --fleet: this many short runs on three
servers and four runners with PostgreSQL, while servers, runners, workers and connections are killed, until all runs have ended.
--runs: so many random programs with everything that runs can do, while the same is killed; each is taken back afterwards. Their seeds begin
with --seed, so "--seed 17 --runs 1" repeats the program of seed 17.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
    servers: { type: 'string' },
    runners: { type: 'string' },
    lease: { type: 'string', default: '4' },
    fleet: { type: 'string' },
    runs: { type: 'string' },
    plan: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const smallRuns = values.fleet === undefined ? undefined : Number(values.fleet);
const isFleet = smallRuns !== undefined;
const programs = values.runs === undefined ? undefined : Number(values.runs);
const engine = (['sqlite', 'postgres'] as const).find((name) => name === (isFleet ? 'postgres' : values.engine));
const numbers = {
  seed: Number(values.seed),
  // The faults of a fleet or of programs end when its runs have ended.
  minutes: isFleet || programs !== undefined ? 240 : Number(values.minutes),
  servers: Number(values.servers ?? (engine === 'postgres' ? 3 : 1)),
  runners: Number(values.runners ?? (isFleet ? 4 : 2)),
  leaseSeconds: Number(values.lease),
};
const { minutes, ...wholes } = numbers;
const areNumbers = Object.values(wholes).every((n) => Number.isInteger(n) && n >= 0) && wholes.servers > 0 && wholes.runners > 0;
if (
  values.help ||
  engine === undefined ||
  !(minutes > 0) ||
  !areNumbers ||
  wholes.leaseSeconds < 1 ||
  (isFleet && programs !== undefined) ||
  [smallRuns, programs].some((count) => count !== undefined && !(count > 0 && Number.isInteger(count)))
) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}
if (engine === 'sqlite' && wholes.servers > 1) {
  process.stderr.write('--servers must be 1 with --engine sqlite, which has one server\n');
  process.exit(2);
}

const options = { ...numbers, engine, onlyKills: isFleet || programs !== undefined, ...(isFleet && { smallRuns }) };
const plan = planFaults(options);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
if (values.plan) {
  for (const fault of plan) say(lineOf(fault));
} else {
  say(`seed ${numbers.seed}, ${minutes} min, ${engine}, ${numbers.servers} servers, ${numbers.runners} runners, ${plan.length} faults`);
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
  const { checks, folder, statuses, claims, runs } = await (programs === undefined
    ? chaos({ ...options, say, stopping: stopping.signal })
    : chaosOfPrograms({ ...options, say, stopping: stopping.signal }, programs));
  const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status === 0 ? 'none' : status}: ${count}`);
  say(`\nanswers  ${answers.join('  ')}\nruns     ${runs}, claimed ${claims} times\n`);
  for (const check of checks) for (const line of linesOf(check)) say(line);
  if (folder !== null) {
    process.exitCode = 1;
    say(`\nThe books of seed ${numbers.seed} are wrong. The faults: ${folder}/logs/faults.log`);
    say(`Logs and data: ${folder}`);
  }
}

function linesOf({ name, checked, faults }: Check): string[] {
  const SHOWN = 10;
  return [
    `${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name}${checked === null ? '' : ` (${checked})`}`,
    ...faults.slice(0, SHOWN).map((fault) => `         ${fault}`),
    ...(faults.length > SHOWN ? [`         and ${faults.length - SHOWN} more`] : []),
  ];
}
