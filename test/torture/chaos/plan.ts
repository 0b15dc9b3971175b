import type { Engine } from '../../../server/db/dialect.ts';
import { randomOf } from '../soak/random.ts';

/** What is done to the shop. A link is the way between clients or runners and the servers, or between the servers and PostgreSQL. */
export type FaultKind =
  | 'kill_server'
  | 'kill_runner'
  | 'kill_worker'
  | 'end_server'
  | 'end_runner'
  | 'pause_server'
  | 'pause_runner'
  | 'cut'
  | 'slow'
  | 'lose_answers'
  | 'full_disk'
  | 'step_clock'
  | 'kill_database'
  | 'kill_connection'
  | 'pause_database';

/**
 * `target`: `server 1`, `runner 2`, `clients`, `runners`, `database`, `disk`. `forMs`: how long it lasts, for a process that was ended how
 * long until it is started again. `amount`: ms for each piece of data (`slow`), per cent of the answers (`lose_answers`), seconds
 * (`step_clock`), the number of the worker or connection among those there are (`kill_worker`, `kill_connection`,
 * `pause_database`), else 0.
 */
export type Fault = { atMs: number; kind: FaultKind; target: string; forMs: number; amount: number };
/** `onlyKills`: servers, runners, workers and connections to PostgreSQL end, and nothing else fails. `gapMs`: between two faults. */
export type PlanOptions = {
  seed: number;
  minutes: number;
  engine: Engine;
  servers: number;
  runners: number;
  leaseSeconds: number;
  onlyKills?: boolean;
  gapMs?: { from: number; below: number };
};

const KILLS: ReadonlySet<FaultKind> = new Set(['kill_server', 'kill_runner', 'kill_worker', 'cut', 'kill_connection']);

/** The time before the first fault, in which clients and runs get under way. */
const FIRST_MS = 2000;
const GAP_MS = { from: 200, below: 2500 };

/** Lists the faults of a run in the order of their times: the same for the same options. No two faults have one target at a time. */
export function planFaults({
  seed,
  minutes,
  engine,
  servers,
  runners,
  leaseSeconds,
  onlyKills = false,
  gapMs = GAP_MS,
}: PlanOptions): Fault[] {
  const random = randomOf(seed);
  const between = (from: number, below: number): number => from + random.below(below - from);
  const oneOf = (what: string, count: number): string => `${what} ${1 + random.below(count)}`;
  /** Shorter than a lease, or longer. */
  const pause = (): number => (random.chance(0.5) ? between(200, leaseSeconds * 700) : between(leaseSeconds * 1200, leaseSeconds * 2500));
  const links = onlyKills
    ? [engine === 'postgres' ? 'database link' : 'runners']
    : engine === 'postgres'
      ? ['clients', 'runners', 'database link']
      : ['clients', 'runners'];
  const link = (): string => random.pick(links) ?? 'clients';
  const withTarget = (kind: FaultKind, target: string, forMs: number, amount = 0) => ({ kind, target, forMs, amount });
  const kinds: [weight: number, make: () => Omit<Fault, 'atMs'>][] = [
    [5, () => withTarget('kill_server', oneOf('server', servers), between(100, 3000))],
    [5, () => withTarget('kill_runner', oneOf('runner', runners), between(100, 3000))],
    [5, () => withTarget('kill_worker', oneOf('runner', runners), 0, random.below(1000))],
    [2, () => withTarget('end_server', oneOf('server', servers), between(100, 1500))],
    [2, () => withTarget('end_runner', oneOf('runner', runners), between(100, 1500))],
    [4, () => withTarget('pause_server', oneOf('server', servers), pause())],
    [4, () => withTarget('pause_runner', oneOf('runner', runners), pause())],
    [5, () => withTarget('cut', link(), random.chance(0.5) ? 0 : between(200, 4000))],
    [3, () => withTarget('slow', link(), between(1000, 6000), between(20, 400))],
    [4, () => withTarget('lose_answers', link(), between(500, 4000), between(10, 60))],
    [2, () => withTarget('full_disk', 'disk', between(500, 5000))],
    [2, () => withTarget('step_clock', oneOf('server', servers), between(1000, 8000), (random.chance(0.5) ? 1 : -1) * between(1, 20))],
    [1, () => withTarget('step_clock', oneOf('runner', runners), between(1000, 8000), (random.chance(0.5) ? 1 : -1) * between(1, 20))],
    ...(engine === 'postgres'
      ? ([
          [2, () => withTarget('kill_database', 'database', between(100, 3000))],
          [1, () => withTarget('kill_connection', 'database', 0, random.below(1000))],
          [2, () => withTarget('pause_database', 'database', pause(), random.below(1000))],
        ] satisfies [number, () => Omit<Fault, 'atMs'>][])
      : []),
  ];
  const weights = kinds.reduce((sum, [weight]) => sum + weight, 0);
  const endMs = minutes * 60_000;
  const busyUntil = new Map<string, number>();
  const faults: Fault[] = [];
  for (let atMs = FIRST_MS; atMs < endMs; atMs += between(gapMs.from, gapMs.below)) {
    let point = random.below(weights);
    const made = kinds.find(([weight]) => {
      point -= weight;
      return point < 0;
    })?.[1]();
    if (!made || (onlyKills && !KILLS.has(made.kind)) || (busyUntil.get(made.target) ?? 0) > atMs) continue;
    const forMs = Math.min(made.forMs, endMs - atMs);
    // What was ended also takes a moment to start.
    busyUntil.set(made.target, atMs + forMs + 1500);
    faults.push({ atMs, ...made, forMs });
  }
  return faults;
}

/** A fault as one line, such as `  12.3 s  pause_server  server 2  for 4.1 s`. */
export function lineOf({ atMs, kind, target, forMs, amount }: Fault): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const parts = [seconds(atMs).padStart(8), kind.padEnd(14), target.padEnd(13), ...(forMs > 0 ? [`for ${seconds(forMs)}`] : [])];
  const amounts: Partial<Record<FaultKind, string>> = {
    slow: `${amount} ms for each piece of data`,
    lose_answers: `${amount} % of them`,
    step_clock: `by ${amount} s`,
    kill_connection: `connection ${amount}`,
    kill_worker: `worker ${amount}`,
    pause_database: `connection ${amount}`,
  };
  return [...parts, amounts[kind] ?? ''].join('  ').trimEnd();
}
