import { changesBetween } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { type ForSale, type Line, type LineSums, noSums } from './rules.ts';
import * as store from './store.ts';

export type StoredLine = Line & LineSums & { id: number; position: number };

export function linesOf(ctx: Ctx, orderId: number): Promise<StoredLine[]> {
  return store.selectLines(ctx.db, orderId);
}

/** Finds variants as an order to a country may take them, by their ids; variants that do not exist are missing from the map. */
export function forSale(ctx: Ctx, variantIds: readonly number[], country: string): Promise<Map<number, ForSale>> {
  return store.selectForSale(ctx.db, [...new Set(variantIds)], country);
}

/** Stores the lines of an order, each with its part of the sums; returns whether any line changed. */
export async function saveLines(
  ctx: Ctx,
  orderId: number,
  before: readonly StoredLine[],
  after: readonly (Line & { id: number | null })[],
  sums: readonly LineSums[],
): Promise<boolean> {
  const known = new Map(before.map((line) => [line.id, line]));
  let last = Math.max(-1, ...before.map(({ position }) => position));
  const rows = after.map(({ id, ...line }, index) => {
    const { subtotal, discount_amount, tax_amount } = sums[index] ?? noSums();
    const stored = id === null ? undefined : known.get(id);
    last += stored ? 0 : 1;
    return { id, row: { ...line, subtotal, discount_amount, tax_amount, position: stored?.position ?? last } };
  });
  const kept = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const added = rows.filter(({ id }) => id === null).map(({ row }) => row);
  const changed = rows.flatMap(({ id, row }) => {
    const stored = id === null ? undefined : known.get(id);
    return stored && Object.keys(changesBetween(stored, row)).length > 0 ? [{ id: stored.id, ...row }] : [];
  });
  await store.deleteLines(ctx.db, gone);
  await store.updateLines(ctx.db, orderId, changed);
  await store.insertLines(ctx.db, orderId, added);
  return gone.length + changed.length + added.length > 0;
}

/** Clears the texts that buyers have entered in custom fields, such as a name to be engraved. */
export async function forgetCustomFields(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  await store.clearCustomFields(ctx, orderIds);
}
