import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AdminApi } from '../../../contract/calls.ts';
import { randomOf } from '../soak/random.ts';
import { type Check, checkBooks } from './books.ts';
import { keepRunning, keepWriting } from './clients.ts';
import { causeFaults, endFaults } from './faults.ts';
import { stockShop } from './goods.ts';
import { Ledger } from './ledger.ts';
import { planFaults } from './plan.ts';
import { openPatientClient } from './sending.ts';
import { OWNER_TOKEN, type Shop, type ShopOptions, startShop } from './shop.ts';
import { allEnded, openSmallRuns } from './small-runs.ts';

/**
 * `say` gets a line for each fault, when it happens. `beforeBooks`: is done to the shop before its books are checked. `stopping`: ends
 * the faults early. `answersBetween`: so many requests are answered between two faults, however slow the machine is. `smallRuns`: instead of long runs, this many short ones are opened, and the faults end when they have ended.
 */
export type ChaosOptions = ShopOptions & {
  minutes: number;
  onlyKills?: boolean;
  gapMs?: { from: number; below: number };
  answersBetween?: number;
  smallRuns?: number;
  say(line: string): void;
  stopping?: AbortSignal;
  beforeBooks?(shop: Shop): Promise<void>;
};
/** `folder`: where the logs and the data are, if a check failed, else null. */
export type ChaosReport = { checks: Check[]; folder: string | null; statuses: ReadonlyMap<number, number>; claims: number; runs: number };

/** So many that most wait for an answer while something is down, and the shop still has enough to do. */
const WRITERS = 16;
/** Beside many short runs. */
const FEW_WRITERS = 2;
const DOUBLE_CLAIMS_MS = 250;
/** How long the shop may take, without faults, to answer what is asked and to end the runs that are open. */
const CALM_MS = 300_000;
const END_MS = 60_000;

/** What is done in the shop under faults. `closing`: from then on nothing new is begun; `ending`: the faults are over, or are to be. */
export type Scene = { shop: Shop; api: AdminApi; ledger: Ledger; closing: AbortSignal; ending: AbortSignal; giveUp: AbortSignal };
/** `work`: what is to end before the books are checked. `over`: the faults end when it does. */
export type Play = {
  begin(scene: Scene): Promise<{ work: Promise<unknown>[]; over?: Promise<unknown> }>;
  books(scene: Scene): Promise<Check[]>;
};

/** Lets clients and runs work in a shop while it suffers faults; then lets all of it come to its end, and checks the books. */
export function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, smallRuns, beforeBooks } = options;
  return underFaults(options, {
    async begin({ shop, api, ledger, closing, ending }) {
      const goods = await stockShop(api);
      const setting = (name: string, n: number) => ({
        ...{ name: `${name}${n}`, api, ledger, goods, stopping: closing },
        random: randomOf(seed * 1000 + n),
      });
      const writing = Array.from({ length: smallRuns === undefined ? WRITERS : FEW_WRITERS }, (_, n) => keepWriting(setting('c', n)));
      if (smallRuns === undefined) {
        return { work: [...writing, ...Array.from({ length: shop.runners.length * 3 }, (_, n) => keepRunning(setting('r', n)))] };
      }
      const opening = openSmallRuns({ name: 'r', api, goods, ledger, stopping: ending }, smallRuns);
      return { work: [...writing, opening], over: opening.then(() => allEnded(shop.store, ending)) };
    },
    async books({ shop, ledger }) {
      await beforeBooks?.(shop);
      return checkBooks({ store: shop.store, filesDir: join(shop.dataDir, 'files'), ledger });
    },
  });
}

/** Starts a shop in which the play is played while it suffers the faults of the seed. */
export async function underFaults(options: Omit<ChaosOptions, 'smallRuns' | 'beforeBooks'>, play: Play): Promise<ChaosReport> {
  const { say, answersBetween = 0, stopping = new AbortController().signal } = options;
  const shop = await startShop(options);
  const said = createWriteStream(join(shop.folder, 'logs', 'faults.log'));
  let isGood = false;
  try {
    const ledger = new Ledger();
    const giveUp = new AbortController();
    const client = openPatientClient(shop.url, OWNER_TOKEN, ledger, giveUp.signal);
    const closing = new AbortController();
    const enough = new AbortController();
    const ending = AbortSignal.any([stopping, enough.signal]);
    const scene = { shop, api: client.api, ledger, closing: closing.signal, ending, giveUp: giveUp.signal };
    const { work, over } = await play.begin(scene);
    const doubles = watchClaims(shop, closing.signal);
    void over?.then(() => enough.abort());
    let caused = 0;
    const undone = await causeFaults(
      shop,
      planFaults(options),
      (line) => {
        caused += 1;
        said.write(`${line}\n`);
        say(line);
      },
      ending,
      answersSince(ledger, answersBetween),
    );
    say('no more faults: everything starts again, and the runs end');
    closing.abort();
    await endFaults(shop);
    const timer = setTimeout(() => giveUp.abort(), CALM_MS);
    await Promise.all(work);
    const open = await drain(shop, giveUp.signal);
    clearTimeout(timer);
    await client.close();
    ledger.faults.push(...(await doubles));
    const processes = await endAll(shop);
    const checks = [
      { name: 'every fault could be caused', checked: caused, faults: undone },
      { name: 'no run is stuck, and no event waits', checked: null, faults: open },
      processes,
      ...(await play.books(scene)),
    ];
    isGood = checks.every(({ faults }) => faults.length === 0);
    const counts = await sql<{ claims: number; runs: number }>`
      SELECT (SELECT count(*) FROM run_claims) AS claims, (SELECT count(*) FROM runs) AS runs`.execute(shop.store.reader);
    const { claims = 0, runs = 0 } = counts.rows[0] ?? {};
    return { checks, folder: isGood ? null : shop.folder, statuses: ledger.statuses, claims: Number(claims), runs: Number(runs) };
  } catch (error) {
    throw new Error(`the shop did not come to its end; logs and data: ${shop.folder}`, { cause: error });
  } finally {
    await shop.close({ keep: !isGood });
  }
}

/** Tells whether so many requests were answered since it last told so. */
function answersSince({ statuses }: Ledger, count: number): () => boolean {
  let from = 0;
  return () => {
    const answered = statuses.get(200) ?? 0;
    if (answered - from < count) return false;
    from = answered;
    return true;
  };
}

/** Looks often for runs that two claims drive at a time. */
async function watchClaims({ store }: Shop, stopping: AbortSignal): Promise<string[]> {
  const seen = new Set<string>();
  while (!stopping.aborted) {
    const found = await sql<{ run_id: number }>`
      SELECT run_id FROM run_claims WHERE ended_at IS NULL GROUP BY run_id HAVING count(*) > 1`
      .execute(store.reader)
      // PostgreSQL may be down.
      .catch(() => ({ rows: [] }));
    for (const { run_id } of found.rows) seen.add(`run ${run_id} was claimed twice at once`);
    await delay(DOUBLE_CLAIMS_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
  return [...seen];
}

/** Waits until no run is open and no event waits for its trigger; returns what is left when it gives up. */
async function drain({ store }: Shop, giveUp: AbortSignal): Promise<string[]> {
  for (;;) {
    const { rows } = await sql<{ what: string }>`
      SELECT 'run ' || id || ' is still open, attempt ' || attempt || ', driven by ' || coalesce(claimed_by, 'nobody') AS what
      FROM runs WHERE status = 'running'
      UNION ALL SELECT 'event ' || event_id || ' waits for trigger ' || trigger_id FROM trigger_deliveries`.execute(store.reader);
    if (rows.length === 0 || giveUp.aborted) return rows.map(({ what }) => what);
    await delay(100);
  }
}

/** Asks all parts to end, the runners first. */
async function endAll({ servers, runners, family }: Shop): Promise<Check> {
  const machines = [...runners, ...servers];
  family.look(machines.flatMap((machine) => machine.pid() ?? []));
  const faults = machines.flatMap(({ unasked }) => unasked);
  for (const machine of machines) {
    const late = new AbortController();
    const ended = await Promise.race([
      machine.stop('SIGTERM'),
      delay(END_MS, 'late' as const, { signal: late.signal }).catch(() => 'late' as const),
    ]);
    late.abort();
    if (ended !== 0) faults.push(`${machine.name} ended with ${ended ?? 'a signal'} when it was asked to end`);
  }
  // A worker whose runner was killed ends by itself, soon.
  const until = performance.now() + END_MS;
  while (family.alive().length > 0 && performance.now() < until) await delay(50);
  const leaked = family.alive().map((pid) => `process ${pid} is still alive`);
  return { name: 'every part ends when it is asked to, and no process is left', checked: machines.length, faults: [...faults, ...leaked] };
}
