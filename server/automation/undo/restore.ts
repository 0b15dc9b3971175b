import type { UndoConflict, UndoReason, UndoState } from '../../../contract/undo.ts';
import { brokenConstraint } from '../../db/faults.ts';
import { foldedAnew } from '../../db/folded-columns.ts';
import { findRow, insertRow, type RowValues } from '../../db/queries/one-row.ts';
import { savepoint } from '../../db/queries/savepoint.ts';
import { capturing } from '../../db/row-capture.ts';
import { type RowImage, rowImages } from '../../db/row-images.ts';
import { type Statement, watched } from '../../db/watched.ts';
import { refresh } from '../../resources/entitlements/domain.ts';
import { resortProducts } from '../../resources/products/domain.ts';
import type { Ctx } from '../../verbs/context.ts';
import { counterEntry } from './counter-entries.ts';
import { type DoneWrite, isOfRecord, type Judged, judge, keyOf, nameOf } from './judging.ts';
import * as store from './store.ts';

/** What came of an attempt to put back the rows of one write. `isDone`: they are as before now; `images`: what was changed by it. */
export type Restored = {
  isDone: boolean;
  state: UndoState;
  choosable: boolean;
  reason: string | null;
  reason_code: UndoReason | null;
  conflicts: UndoConflict[];
  images: readonly RowImage[];
};

const GONE_WITH_IT = 'Records that were made since would be deleted with what this write made.';
const REFERRED_TO = 'A record that was made since refers to what this write made, or what it refers to is gone.';
const TAKEN = 'Another record has a value by now that only one may have.';

/** Thrown to undo an attempt behind its savepoint. */
class Parted extends Error {
  readonly restored: Restored;
  constructor(restored: Restored) {
    super('undone');
    this.restored = restored;
  }
}

/**
 * Puts back the rows that a write changed, the last one first; the transaction then has them as before. Where they were changed since,
 * nothing is done unless `chosen`. `runId`: the run that does it; null while a plan is made. `taken`: gets the statements that did it.
 */
export async function restoreRows(
  ctx: Ctx,
  write: DoneWrite,
  { chosen, runId, taken }: { chosen: boolean; runId: number | null; taken?: Statement[] },
): Promise<Restored> {
  const images = (write.images ?? []).filter(({ told }) => !told).toReversed();
  const made = new Set(images.filter(({ before }) => before === null).map(keyOf));
  const judged: { image: RowImage; now: RowValues | null; found: Judged }[] = [];
  for (const image of images) {
    const now = await findRow(ctx.db, image, { locked: true });
    judged.push({ image, now, found: judge(image, now, made) });
  }
  const conflicts = judged.flatMap(({ found }) => found.conflicts);
  const choosable = judged.every(({ found }) => found.choosable);
  const done = { isDone: false, choosable, reason: null, reason_code: null, conflicts, images: [] };
  if (judged.every(({ found }) => found.isBefore)) return { ...done, state: 'already_as_before' };
  if (conflicts.length > 0 && !(chosen && choosable)) return { ...done, state: 'conflict' };
  try {
    return await savepoint(ctx.db, async () => {
      const steps: Statement[] = [];
      const db = taken ? watched(ctx.db, { after: (query, result) => void (result && isChange(query) && steps.push(query)) }) : ctx.db;
      const { changes } = await capturing(ctx, () => putBack({ ...ctx, db }, judged, { runId, undone: write.runId }));
      const changed = rowImages(changes);
      const foreign = changed.filter((image) => isOfRecord(image) && !images.some((one) => keyOf(one) === keyOf(image)));
      if (foreign.length > 0 && !chosen) {
        const others = foreign.map((image) => ({ record: nameOf(image), field: null, before: null, run: null, now: null }));
        const why = { reason: GONE_WITH_IT, reason_code: 'made_since' as const };
        throw new Parted({ ...done, ...why, state: 'conflict', choosable: true, conflicts: others });
      }
      for (const step of steps) taken?.push(step);
      return { ...done, isDone: true, state: conflicts.length > 0 ? 'conflict' : 'ready', images: changed };
    });
  } catch (error) {
    if (error instanceof Parted) return error.restored;
    const constraint = brokenConstraint(error);
    if (constraint === null) throw error;
    const why = constraint === 'unique' ? ([TAKEN, 'value_taken'] as const) : ([REFERRED_TO, 'referred_to'] as const);
    return { ...done, state: 'conflict', choosable: false, reason: why[0], reason_code: why[1] };
  }
}

function isChange({ sql }: Statement): boolean {
  return !/^\s*(select|savepoint|release|rollback)\b/i.test(sql);
}

type By = { runId: number | null; undone: number };

async function putBack(ctx: Ctx, rows: readonly { image: RowImage; now: RowValues | null; found: Judged }[], by: By): Promise<void> {
  let left = rows;
  while (left.length > 0) {
    const waiting: (typeof rows)[number][] = [];
    for (const row of left) if (!(await tryStep(ctx, row, by, left.length === 1))) waiting.push(row);
    // If nothing could be put back, the first one tells by its error what it lacks.
    const [first] = waiting;
    if (first && waiting.length === left.length) {
      await takeStep(ctx, first, by);
      waiting.shift();
    }
    left = waiting;
  }
  await refresh(ctx, pairsOf(rows));
  await resortProducts(ctx, [...productsOf(rows)]);
}

/**
 * Puts one row back; returns false if it has to wait for another one. PostgreSQL notes the rows that go along with a deleted one after it, so
 * they would come back before it.
 */
async function tryStep(ctx: Ctx, row: Rows[number], by: By, isLast: boolean): Promise<boolean> {
  if (ctx.dialect.engine === 'sqlite' || isLast) {
    await takeStep(ctx, row, by);
    return true;
  }
  try {
    await savepoint(ctx.db, () => takeStep(ctx, row, by));
    return true;
  } catch (error) {
    if (brokenConstraint(error) !== 'other') throw error;
    return false;
  }
}

async function takeStep(ctx: Ctx, { image: { table, key }, found: { step } }: Rows[number], by: By): Promise<void> {
  if (step.kind === 'insert') await insertRow(ctx.db, table, madeAgain(table, step.row, ctx.now));
  else if (step.kind === 'delete') await store.deleteRow(ctx.db, { table, key });
  else if (step.kind === 'counter') await counterEntry(ctx, table, step.row, by.undone);
  else if (step.kind === 'update') await store.changeRow(ctx.db, { table, key }, { ...step, now: ctx.now, runId: by.runId });
}

/** A row that is made again is a new state of its record. */
function madeAgain(table: string, row: RowValues, now: string): RowValues {
  const { row_version: version, updated_at: updated, ...rest } = row;
  return {
    ...rest,
    // The row may be from before they had their present form.
    ...foldedAnew(table, row, Object.keys(row)),
    ...(version !== undefined && { row_version: Number(version) + 1 }),
    ...(updated !== undefined && { updated_at: now }),
  };
}

type Rows = Parameters<typeof putBack>[1];

/** Whose access to which groups has changed. */
function pairsOf(rows: Rows): { group_id: number; customer_id: number }[] {
  return rows.flatMap(({ image: { table, before, after }, now }) => {
    if (table !== 'entitlements') return [];
    return [before, after, now].flatMap((row) =>
      row?.['group_id'] != null && row['customer_id'] != null
        ? [{ group_id: Number(row['group_id']), customer_id: Number(row['customer_id']) }]
        : [],
    );
  });
}

function productsOf(rows: Rows): Set<number> {
  const ids = new Set<number>();
  for (const { image, now } of rows) {
    if (image.table === 'products') ids.add(Number(image.key['id']));
    if (image.table !== 'variants') continue;
    for (const row of [now, image.before, image.after]) if (row?.['product_id'] != null) ids.add(Number(row['product_id']));
  }
  return ids;
}
