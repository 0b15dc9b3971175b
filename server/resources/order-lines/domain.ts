import type { Ctx } from '../../context.ts';
import type { Price } from '../order-pricing/rules.ts';
import type { ForSale, Line, LineSums } from './rules.ts';
import * as store from './store.ts';

export type KnownLine = Line & LineSums & { id: number; position: number };

export function linesOf(ctx: Ctx, orderId: number): Promise<KnownLine[]> {
  return store.selectLines(ctx.db, orderId);
}

/** Variants as an order may take them, by id; those that do not exist are missing. */
export function forSale(ctx: Ctx, variantIds: readonly number[]): Promise<Map<number, ForSale>> {
  return store.selectForSale(ctx.db, [...new Set(variantIds)]);
}

/** Writes the lines of an order as they are to be, each with its part of the sums; lines with an id exist already. */
export async function saveLines(ctx: Ctx, orderId: number, lines: readonly (Line & { id: number | null })[], price: Price): Promise<void> {
  const before = new Map((await linesOf(ctx, orderId)).map((line) => [line.id, line]));
  let position = Math.max(-1, ...Array.from(before.values(), (line) => line.position));
  const rows = lines.map(({ id, custom_fields, ...line }, index) => {
    const known = id === null ? undefined : before.get(id);
    const sums = price.lines[index];
    if (!sums) throw new Error('a line without sums');
    position += known ? 0 : 1;
    const row = {
      order_id: orderId,
      ...line,
      ...sums,
      custom_fields: JSON.stringify(custom_fields),
      position: known?.position ?? position,
    };
    return { known, row };
  });
  const kept = new Set(rows.map(({ known }) => known?.id));
  await store.deleteLines(
    ctx.db,
    [...before.keys()].filter((id) => !kept.has(id)),
  );
  await store.updateLines(
    ctx.db,
    rows.flatMap(({ known, row }) => (known ? [{ id: known.id, ...row }] : [])),
  );
  await store.insertLines(
    ctx.db,
    rows.filter(({ known }) => !known).map(({ row }) => row),
  );
}
