import { sql } from 'kysely';
import pino from 'pino';
import { z } from 'zod';
import { checkStore } from '../../../server/check-store.ts';
import type { Db, Store } from '../../../server/db/open.ts';
import { diskFiles } from '../../../server/providers/files/disk.ts';
import { checkOrphans, presentPrefix } from '../../../server/resources/storage/checks.ts';
import { sweepOrphans } from '../../../server/resources/storage/domain.ts';
import type { Ledger, Written, WrittenKind } from './ledger.ts';

/** `checked`: how many things were looked at; null where that is not known. */
export type Check = { name: string; checked: number | null; faults: readonly string[] };
export type Books = { store: Store; filesDir: string; ledger: Ledger };

/** Checks what must be true of the shop when nobody writes any more and no run is open. */
export async function checkBooks({ store, filesDir, ledger }: Books): Promise<Check[]> {
  const db = store.reader;
  return [
    { name: 'no client was told what may not be', checked: ledger.written.length, faults: ledger.faults },
    worked(ledger),
    answered(ledger),
    await writesAreThere(db, ledger),
    await runsAreThere(db, ledger),
    await effectsAreThere(db),
    await ordersAreTold(db, ledger),
    ...(await checkRest(store, filesDir)),
  ];
}

/** What must be true whatever was done in the shop. */
export async function checkRest(store: Store, filesDir: string): Promise<Check[]> {
  const db = store.reader;
  return [
    await runsHaveEnded(db),
    await claimsHaveEnded(db),
    await nothingIsLeft(db),
    ...(await filesAreKept(store, filesDir)),
    ...(await storeIsSound(store, filesDir)),
  ];
}

function check<T>(name: string, list: Iterable<T>, faultOf: (one: T) => string | null): Check {
  const all = [...list];
  return { name, checked: all.length, faults: all.flatMap((one) => faultOf(one) ?? []) };
}

/** Without this, a shop in which nothing happened would have good books. */
function worked({ written }: Ledger): Check {
  const done = written.filter(({ state }) => state === 'acknowledged');
  return {
    name: 'the shop has done writes and opened runs',
    checked: done.length,
    faults: [
      ...(done.some(({ kind }) => kind !== 'run') ? [] : ['no write was acknowledged']),
      ...(done.some(({ kind }) => kind === 'run') ? [] : ['no run was opened']),
    ],
  };
}

function answered({ written }: Ledger): Check {
  return check('every request was answered in the end', written, ({ kind, mark, state }) =>
    state === 'sent' ? `${kind} ${mark} was never answered` : null,
  );
}

/** Selects the marks of each kind. Marks of clients begin with `c`, those of runs with `r`. */
const marks: Record<Exclude<WrittenKind, 'run'>, (db: Db) => Promise<{ mark: string | null }[]>> = {
  order: (db) => db.selectFrom('orders').select('customer_name as mark').execute(),
  note: (db) => db.selectFrom('customer_notes').select('body as mark').execute(),
  stock: (db) => db.selectFrom('stock_movements').select('reason as mark').execute(),
  credit: (db) => db.selectFrom('credit_transactions').select('note as mark').execute(),
  // Orders, too, make customers; these have a phone.
  customer: (db) => db.selectFrom('customers').select('name as mark').where('phone', 'is not', null).where('phone', '<>', '').execute(),
  file: (db) => db.selectFrom('customer_files').select('name as mark').execute(),
};

async function writesAreThere(db: Db, ledger: Ledger): Promise<Check> {
  const faults: string[] = [];
  let checked = 0;
  for (const [kind, select] of Object.entries(marks)) {
    const found = countsOf((await select(db)).flatMap(({ mark }) => (mark !== null && /^c\d+-\d+$/.test(mark) ? [mark] : [])));
    const written = ledger.written.filter((one) => one.kind === kind);
    checked += written.length;
    faults.push(...written.flatMap((one) => faultOfWrite(one, found.get(one.mark) ?? 0) ?? []));
    const known = new Set(written.map(({ mark }) => mark));
    faults.push(...[...found.keys()].filter((mark) => !known.has(mark)).map((mark) => `${kind} ${mark} exists, but nobody wrote it`));
  }
  return { name: 'every acknowledged write is there exactly once, and no refused one', checked, faults };
}

function faultOfWrite({ kind, mark, state }: Written, count: number): string | null {
  if (state === 'sent') return count > 1 ? `${kind} ${mark} is there ${count} times` : null;
  const expected = state === 'acknowledged' ? 1 : 0;
  return count === expected ? null : `${kind} ${mark} was ${state}, and is there ${count} times`;
}

function countsOf(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

const Parameters = z.object({ mark: z.string(), count: z.int().optional() });

/** The runs with a mark, of the clients and of runs that started others. */
async function markedRuns(db: Db) {
  const rows = await db.selectFrom('runs').select(['id', 'status', 'end_reason', 'error_message', 'lineage_id', 'parameters']).execute();
  return rows.flatMap((row) => {
    const parsed = Parameters.safeParse(JSON.parse(row.parameters));
    return parsed.success ? [{ ...row, mark: parsed.data.mark, count: parsed.data.count ?? null }] : [];
  });
}

async function runsAreThere(db: Db, ledger: Ledger): Promise<Check> {
  const found = countsOf((await markedRuns(db)).map(({ mark }) => mark));
  const asked = ledger.of('run');
  // Each run without a number of steps of its own starts two others.
  const leading = (await markedRuns(db)).filter(({ count, status }) => count === null && status === 'success');
  const expected = [
    ...asked.filter(({ state }) => state === 'acknowledged').map(({ mark }) => mark),
    ...leading.flatMap(({ mark }) => [`${mark}.1`, `${mark}.2`]),
  ];
  return check(
    'every run that was started, by a client or by a run, was opened exactly once',
    new Set([...found.keys(), ...expected]),
    (mark) => {
      const count = found.get(mark) ?? 0;
      return count === 1 ? null : `run ${mark} was opened ${count} times`;
    },
  );
}

async function effectsAreThere(db: Db): Promise<Check> {
  const texts = [...(await marks.note(db)), ...(await marks.stock(db)), ...(await marks.credit(db))].flatMap(({ mark }) => mark ?? []);
  const made = new Map<string, number[]>();
  for (const text of texts) {
    const [, mark, n] = /^(r.*)\/(\d+)$/.exec(text) ?? [];
    if (mark !== undefined) made.set(mark, [...(made.get(mark) ?? []), Number(n)]);
  }
  const runs = (await markedRuns(db)).filter(({ count }) => count !== null);
  const written = countsOf((await db.selectFrom('artifacts').select('lineage_id').execute()).map(({ lineage_id }) => lineage_id));
  const told = countsOf(
    (await db.selectFrom('run_effects').select('lineage_id').where('is_first', '=', 1).execute()).map(({ lineage_id }) => lineage_id),
  );
  const { name, checked, faults } = check(
    'every effect of a run happened exactly once, and is told of',
    runs,
    ({ id, mark, count, status, lineage_id }) => {
      const numbers = (made.get(mark) ?? []).toSorted((a, b) => a - b);
      made.delete(mark);
      const doubled = numbers.filter((n, i) => n === numbers[i - 1]);
      if (doubled.length > 0) return `run ${id} (${mark}): the effects ${doubled.join(', ')} happened more than once`;
      const missing = Array.from({ length: count ?? 0 }, (_, i) => i + 1).filter((n) => !numbers.includes(n));
      if (status === 'success' && missing.length > 0)
        return `run ${id} (${mark}): the effects ${missing.join(', ')} of ${count} are missing`;
      const files = written.get(lineage_id) ?? 0;
      // The task with at most one effect writes no file.
      const wanted = (count ?? 0) > 1 ? 1 : 0;
      if (files > wanted || (status === 'success' && files < wanted))
        return `run ${id} (${mark}): has written ${files} files instead of ${wanted}`;
      const toldOf = told.get(lineage_id) ?? 0;
      const expected = status === 'success' ? (count ?? 0) : numbers.length;
      return toldOf === expected ? null : `run ${id} (${mark}): ${toldOf} effects are told of instead of ${expected}`;
    },
  );
  return { name, checked, faults: [...faults, ...[...made.keys()].map((mark) => `run ${mark} has effects, but does not exist`)] };
}

async function ordersAreTold(db: Db, ledger: Ledger): Promise<Check> {
  const found = countsOf((await marks.note(db)).flatMap(({ mark }) => (mark?.startsWith('order ') ? [mark] : [])));
  const orders = await db.selectFrom('orders').select('id').execute();
  const expected = new Set(orders.map(({ id }) => `order ${id}`));
  const acknowledged = ledger.of('order').filter(({ state }) => state === 'acknowledged');
  for (const { id } of acknowledged) expected.add(`order ${id}`);
  return check('every order has started one run by the trigger', new Set([...expected, ...found.keys()]), (text) =>
    expected.has(text) && found.get(text) === 1 ? null : `${text}: ${found.get(text) ?? 0} runs have told of it`,
  );
}

async function runsHaveEnded(db: Db): Promise<Check> {
  const rows = await db.selectFrom('runs').select(['id', 'status', 'end_reason', 'error_message', 'attempt']).execute();
  return check('every run has ended with success', rows, ({ id, status, end_reason, error_message, attempt }) =>
    status === 'success' ? null : `run ${id}: ${status}, ${end_reason ?? 'no end'}, attempt ${attempt}: ${error_message ?? ''}`,
  );
}

async function claimsHaveEnded(db: Db): Promise<Check> {
  const rows = await db.selectFrom('run_claims').select(['id', 'run_id', 'ended_at']).execute();
  return check('no claim is left', rows, ({ id, run_id, ended_at }) =>
    ended_at === null ? `claim ${id} of run ${run_id} has not ended` : null,
  );
}

/** Selects what must be empty: leases, and what waits to be done. */
async function nothingIsLeft(db: Db): Promise<Check> {
  const { rows } = await sql<{ what: string; n: number }>`
    SELECT 'leases' AS what, count(*) AS n FROM leases
    UNION ALL SELECT 'leases of mails', count(*) FROM mails WHERE lease IS NOT NULL
    UNION ALL SELECT 'leases of webhook deliveries', count(*) FROM webhook_deliveries WHERE lease IS NOT NULL
    UNION ALL SELECT 'events that wait for a trigger', count(*) FROM trigger_deliveries
    UNION ALL SELECT 'starts that were gathered', count(*) FROM gathered_starts
    UNION ALL SELECT 'signals that nobody has taken', count(*) FROM run_signals
    UNION ALL SELECT 'questions and waits without an end', count(*) FROM run_prompts WHERE answered_at IS NULL
    UNION ALL SELECT 'waits that have ended untold', count(*) FROM run_prompts WHERE wakes = 1
    UNION ALL SELECT 'calls that were begun', count(*) FROM started_calls`.execute(db);
  return check('no lease is left, and nothing waits', rows, ({ what, n }) => (Number(n) === 0 ? null : `${what}: ${n}`));
}

const LATER_MS = 4 * 3_600_000;

/** Uploads that were cut off leave files, which the hourly sweep removes; here it comes early. */
async function filesAreKept(store: Store, filesDir: string): Promise<Check[]> {
  const prefix = await presentPrefix(store);
  if (prefix === null) return [];
  const files = diskFiles(filesDir, prefix);
  const later = Date.now() + LATER_MS;
  const before = await checkOrphans(store, files, later);
  await sweepOrphans(store, files, pino({ level: 'silent' }), later);
  const { count, faults } = await checkOrphans(store, files, later);
  return [
    {
      name: `no orphaned file is left after the sweep, which found ${before.count}`,
      checked: before.count,
      faults: count > 0 ? faults : [],
    },
  ];
}

/** What `backroom db check` checks. */
async function storeIsSound(store: Store, filesDir: string): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const { name, count, faults } of checkStore(store, { filesDir, filesS3: null })) {
    checks.push({ name, checked: null, faults: count > 0 ? faults : [] });
  }
  return checks;
}
