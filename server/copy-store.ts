import { setImmediate } from 'node:timers/promises';
import { migrate, schemaGap } from './db/migrate.ts';
import { type At, readsOf, type Store } from './db/open.ts';
import { resumeOrderUpkeep } from './db/order-upkeep.ts';
import { readEra } from './db/postgres/change-era.ts';
import { StoreRefusal } from './db/refusal.ts';
import { makeIndexesAgain } from './db/set-aside.ts';
import { type Compared, compareCounters, compareTable } from './db/store-copy/compare.ts';
import { lastIds } from './db/store-copy/counters.ts';
import {
  beginProgress,
  enterPhase,
  hasProgress,
  moveProgress,
  type Progress,
  readProgress,
  refuseUnfinishedCopy,
} from './db/store-copy/progress.ts';
import { countRows, keyOf, openPages } from './db/store-copy/rows.ts';
import { readTables, type Table } from './db/store-copy/tables.ts';
import { findTables, prepareTarget, restoreTarget } from './db/store-copy/target.ts';
import { openRowWriter, type RowWriter } from './db/store-copy/write-rows.ts';

export type Copying = {
  /** `share`: how much of the step is done, from 0 to 1. */
  onProgress: (step: string, share: number) => void;
  /** Stops the copy behind the present batch or index; the same call continues it. */
  signal: AbortSignal;
};

/** `rows`: how many rows are in the target, `of` all that will be. */
export type CopyOutcome = { outcome: 'copied' | 'stopped'; rows: number; of: number };

/**
 * Copies a store into an empty database of the other engine, or continues a copy of the same source that was stopped or killed. `source` is
 * quiet (`withQuietSource`); `target` is opened for bulk writes without checks. Each batch of rows is one transaction with the copy's
 * progress. The target is no store yet: whoever has compared it ends the copy (`endCopy`). Throws a `StoreRefusal` if the source or the
 * target cannot be used.
 */
export async function copyStore(source: At, target: Store & { url: string }, copying: Copying): Promise<CopyOutcome> {
  await requireNewestSchema(source, 'source');
  const all = await readTables(source);
  const tables = all.filter(({ sums }) => sums === null);
  const begun = await beginOrContinue(source, target, tables);
  const of = Object.values(begun.source.counts).reduce((sum, count) => sum + count, 0);
  const { onProgress, signal } = copying;

  let progress = begun;
  if (progress.phase === 'schema') {
    onProgress('schema', 0);
    await migrate(target, { leaveAside: true, copying: true });
    requireSameTables(all, await readTables(readsOf(target)));
    progress = await prepareTarget(target, tables, progress);
  }
  if (progress.phase === 'rows') {
    const writer = openRowWriter(target.url, target);
    progress = await copyRows(source, writer, tables, progress, { ...copying, of }).finally(writer.close);
    if (signal.aborted) return { outcome: 'stopped', rows: progress.rows, of };
    progress = await enterPhase(target, progress, 'restoring');
  }
  if (progress.phase === 'restoring') {
    await makeIndexesAgain(target, { onNext: (name, share) => onProgress(`index ${name}`, share), signal });
    if (signal.aborted) return { outcome: 'stopped', rows: progress.rows, of };
    onProgress('counts and search', 0);
    await resumeOrderUpkeep(target);
    onProgress('references and ids', 0);
    progress = await restoreTarget(target, tables, progress, await lastIds(source, tables));
  }
  return { outcome: 'copied', rows: progress.rows, of };
}

/** Copies the rows behind the progress and returns the new one, whose phase is still `rows` if the signal has stopped the copy. */
async function copyRows(
  source: At,
  writer: RowWriter,
  tables: readonly Table[],
  begun: Progress,
  { onProgress, signal, of }: Copying & { of: number },
): Promise<Progress> {
  const { at } = begun;
  let progress = begun;
  for (const table of tables) {
    if (at && table.name < at.table) continue;
    const pages = await openPages(source, table);
    let page = await pages(at?.table === table.name ? at.key : null);
    for (let last = page.at(-1); last; last = page.at(-1)) {
      const [rows, key, before] = [page, keyOf(table, last), progress];
      const after: Progress = { ...before, at: { table: table.name, key }, rows: before.rows + rows.length };
      const written = writer.write(table, rows, (tx) => moveProgress(tx, before, after));
      // The next page is read while this one is written.
      [page] = await Promise.all([pages(key), written]);
      progress = after;
      onProgress('copying rows', progress.rows / of);
      // SQLite runs synchronously, so without this pause no signal could ever arrive.
      await setImmediate();
      if (signal.aborted) return progress;
    }
  }
  return progress;
}

/** Compares two whole stores, one table after the other, then what gives ids to new records. */
export async function* compareStores(source: At, target: At, onProgress: Copying['onProgress']): AsyncGenerator<Compared> {
  await requireNewestSchema(source, 'source');
  await requireNewestSchema(target, 'target');
  const tables = await readTables(source);
  const counts = await countAll(
    source,
    tables.filter(({ sums }) => sums === null),
  );
  const of = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const table of tables) {
    yield await compareTable(source, target, table, (rows) => {
      if (table.sums === null) seen += rows;
      onProgress('comparing rows', seen / Math.max(of, 1));
    });
  }
  yield await compareCounters(source, target, tables);
}

/** Throws unless the database is a whole store with the schema of this program. */
async function requireNewestSchema({ db, dialect }: At, which: 'source' | 'target'): Promise<void> {
  const gap = await schemaGap({ reader: db, dialect });
  if (gap === null) throw new StoreRefusal(`the ${which} has no store in it: nothing was ever migrated there`);
  const { missing, unknown } = gap;
  if (unknown.length > 0)
    throw new StoreRefusal(`a newer program has changed the schema of the ${which} (${unknown.join(', ')}): use that program`);
  if (missing.length > 0)
    throw new StoreRefusal(
      `the ${which} has an older schema (${missing.join(', ')} is missing): run backroom db migrate with DATABASE_URL naming it, then repeat this command`,
    );
}

async function beginOrContinue(source: At, target: Store, tables: readonly Table[]): Promise<Progress> {
  await refuseUnfinishedCopy(source);
  const present = { engine: source.dialect.engine, era: await readEra(source.db), counts: await countAll(source, tables) };
  if (!(await hasProgress(readsOf(target)))) {
    const found = await findTables(target);
    if (found.length > 0)
      throw new StoreRefusal(
        `the target is not empty, ${found.includes('migrations') ? 'it has a store already (--verify compares it)' : `it has ${found.slice(0, 5).join(', ')}`}: name an empty database`,
      );
    const progress: Progress = { source: present, phase: 'schema', at: null, rows: 0, aside: [] };
    await beginProgress(target, progress);
    return progress;
  }
  const progress = await readProgress(target);
  const { engine, era, counts } = progress.source;
  if (engine !== present.engine || era !== present.era)
    throw new StoreRefusal('the target is an unfinished copy of another store: continue that copy, or name an empty database');
  const changed = Object.keys(present.counts).find((name) => present.counts[name] !== counts[name]);
  if (changed !== undefined)
    throw new StoreRefusal(
      `the source has changed since this copy began (${changed} had ${counts[changed] ?? 0} rows, now ${present.counts[changed]}): empty the target and copy again`,
    );
  return progress;
}

async function countAll(at: At, tables: readonly Table[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table.name] = await countRows(at, table);
  return counts;
}

/** Both engines have the same tables and columns by construction; a migration that breaks this must not lose data here. */
function requireSameTables(source: readonly Table[], target: readonly Table[]): void {
  const describe = (tables: readonly Table[]) =>
    tables.map(({ name, key, columns }) => `${name} (${key.join()}): ${columns.map((column) => `${column.name} ${column.type}`).sort()}`);
  const [one, other] = [describe(source), describe(target)];
  const different = one.find((text) => !other.includes(text)) ?? other.find((text) => !one.includes(text));
  if (different !== undefined) throw new Error(`source and target have different tables: ${different}`);
}
