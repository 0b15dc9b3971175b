import { sql } from 'kysely';
import { z } from 'zod';
import { OrderItem } from '../../../contract/orders.ts';
import { Product } from '../../../contract/products.ts';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { ForSale, Line, LineSums } from './rules.ts';

/** Columns of one statement stay far below what either engine binds. */
const ROWS_AT_ONCE = 500;

/** Variants as an order may take them, by their ids. A rate of its own, else the shop's default, else none. */
export async function selectForSale(db: Db, variantIds: readonly number[]): Promise<Map<number, ForSale>> {
  if (variantIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('variants as v')
    .innerJoin('products as p', 'p.id', 'v.product_id')
    .leftJoin('tax_rates as own', 'own.id', 'p.tax_rate_id')
    .leftJoin('tax_rates as general', (join) => join.on('general.is_default', '=', 1).on('p.tax_rate_id', 'is', null))
    .select(['v.id as variant_id', 'v.product_id', 'p.name as product_name', 'v.sku as product_sku', 'v.label as variant_label'])
    .select(['v.price_cents', 'v.active', 'p.status', 'p.custom_fields'])
    .select(sql<number>`coalesce(own.rate_bps, general.rate_bps, 0)`.as('tax_rate'))
    .where('v.id', 'in', variantIds)
    .execute();
  return new Map(
    rows.map(({ active, status, custom_fields, ...row }) => [
      row.variant_id,
      { ...row, isOnSale: active === 1 && status !== 'archived', custom_fields: FieldsJson.parse(custom_fields) },
    ]),
  );
}

/** The lines of an order with what they make of its sums, in their order. */
export async function selectLines(db: Db, orderId: number): Promise<(Line & LineSums & { id: number; position: number })[]> {
  const rows = await db.selectFrom('order_items').selectAll().where('order_id', '=', orderId).orderBy('position').orderBy('id').execute();
  return rows.map(({ order_id: _, ...row }) => ({ ...row, custom_fields: ValuesJson.parse(row.custom_fields) }));
}

export async function insertLines(db: Db, rows: readonly NewRow<'order_items'>[]): Promise<void> {
  for (const some of chunks(rows)) await db.insertInto('order_items').values(some).execute();
}

/** Rewrites lines that exist, in one statement for many. */
export async function updateLines(db: Db, rows: readonly (NewRow<'order_items'> & { id: number })[]): Promise<void> {
  const columns = (row: NewRow<'order_items'>) => Object.keys(row).filter((name) => name !== 'id');
  for (const some of chunks(rows)) {
    const [first] = some;
    if (!first) return;
    await db
      .insertInto('order_items')
      .values(some)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(Object.fromEntries(columns(first).map((name) => [name, sql.ref(`excluded.${name}`)]))),
      )
      .execute();
  }
}

export async function deleteLines(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('order_items').where('id', 'in', ids).execute();
}

function chunks<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, n) => rows.slice(n * ROWS_AT_ONCE, (n + 1) * ROWS_AT_ONCE));
}

const FieldsJson = z.string().transform((json) => Product.shape.custom_fields.parse(JSON.parse(json)));
const ValuesJson = z.string().transform((json) => OrderItem.shape.custom_fields.parse(JSON.parse(json)));

export type LineRow = Row<'order_items'>;
