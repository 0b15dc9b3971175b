import { sql } from 'kysely';
import { z } from 'zod';
import { OrderItem } from '../../../contract/orders.ts';
import { Product } from '../../../contract/products.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import type { NewRow } from '../../db/tables.ts';
import type { ForSale, Line, LineSums } from './rules.ts';

/** So many rows keep a statement far below the number of bound values that both engines allow. */
const ROWS_AT_ONCE = 500;

/**
 * Finds variants as an order may take them, by their ids. The tax rate is the product's own, else the shop's default, else 0;
 * if the country has a rate of the same name, that rate counts instead.
 */
export async function selectForSale(db: Db, variantIds: readonly number[], country: string): Promise<Map<number, ForSale>> {
  if (variantIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('variants as v')
    .innerJoin('products as p', 'p.id', 'v.product_id')
    .leftJoin('tax_rates as own', 'own.id', 'p.tax_rate_id')
    .leftJoin('tax_rates as general', (join) => join.on(sql`general.is_default`, '=', sql.lit(1)).on('p.tax_rate_id', 'is', null))
    .select(['v.id as variant_id', 'v.product_id', 'p.name as product_name', 'v.sku as product_sku', 'v.label as variant_label'])
    .select(['v.price_cents', 'v.active', 'p.status', 'p.custom_fields'])
    .select(
      sql<number>`coalesce(CASE WHEN coalesce(own.country, general.country) = ${country} THEN coalesce(own.rate_bps, general.rate_bps) END, (
        SELECT t.rate_bps FROM tax_rates t WHERE t.id = (
          SELECT min(u.id) FROM tax_rates u WHERE u.country = ${country} AND u.name_folded = coalesce(own.name_folded, general.name_folded)
        )
      ), own.rate_bps, general.rate_bps, 0)`.as('tax_rate'),
    )
    .where('v.id', 'in', variantIds)
    .execute();
  return new Map(
    rows.map(({ active, status, custom_fields, ...row }) => [
      row.variant_id,
      { ...row, isOnSale: active === 1 && status !== 'archived', custom_fields: FieldsJson.parse(custom_fields) },
    ]),
  );
}

/** The lines of an order with their parts of the sums, by position. */
export async function selectLines(db: Db, orderId: number): Promise<(Line & LineSums & { id: number; position: number })[]> {
  const rows = await db.selectFrom('order_items').selectAll().where('order_id', '=', orderId).orderBy('position').orderBy('id').execute();
  return rows.map(({ order_id: _, ...row }) => ({ ...row, custom_fields: ValuesJson.parse(row.custom_fields) }));
}

type LineRow = Line & LineSums & { position: number };

export async function insertLines(db: Db, orderId: number, lines: readonly LineRow[]): Promise<void> {
  for (const some of chunks(lines)) {
    await db
      .insertInto('order_items')
      .values(some.map((line) => toRow(orderId, line)))
      .execute();
  }
}

/** Updates existing lines, many in one statement. */
export async function updateLines(db: Db, orderId: number, lines: readonly (LineRow & { id: number })[]): Promise<void> {
  for (const some of chunks(lines)) {
    await db
      .insertInto('order_items')
      .values(some.map(({ id, ...line }) => ({ id, ...toRow(orderId, line) })))
      .onConflict((conflict) => conflict.column('id').doUpdateSet(rewritten))
      .execute();
  }
}

/** Picks the columns, because the object may have further members. */
function toRow(order_id: number, line: LineRow): NewRow<'order_items'> {
  return {
    order_id,
    product_id: line.product_id,
    variant_id: line.variant_id,
    product_name: line.product_name,
    product_sku: line.product_sku,
    variant_label: line.variant_label,
    unit_price: line.unit_price,
    quantity: line.quantity,
    subtotal: line.subtotal,
    discount_amount: line.discount_amount,
    tax_rate: line.tax_rate,
    tax_amount: line.tax_amount,
    custom_fields: JSON.stringify(line.custom_fields),
    position: line.position,
  };
}

const rewritten = {
  product_id: sql.ref<number>('excluded.product_id'),
  variant_id: sql.ref<number>('excluded.variant_id'),
  product_name: sql.ref<string>('excluded.product_name'),
  product_sku: sql.ref<string>('excluded.product_sku'),
  variant_label: sql.ref<string>('excluded.variant_label'),
  unit_price: sql.ref<number>('excluded.unit_price'),
  quantity: sql.ref<number>('excluded.quantity'),
  subtotal: sql.ref<number>('excluded.subtotal'),
  discount_amount: sql.ref<number>('excluded.discount_amount'),
  tax_rate: sql.ref<number>('excluded.tax_rate'),
  tax_amount: sql.ref<number>('excluded.tax_amount'),
  custom_fields: sql.ref<string>('excluded.custom_fields'),
};

export async function deleteLines(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('order_items').where('id', 'in', ids).execute();
}

function chunks<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, n) => rows.slice(n * ROWS_AT_ONCE, (n + 1) * ROWS_AT_ONCE));
}

const FieldsJson = z.string().transform((json) => Product.shape.custom_fields.parse(JSON.parse(json)));
const ValuesJson = z.string().transform((json) => OrderItem.shape.custom_fields.parse(JSON.parse(json)));

export async function clearCustomFields({ db, dialect }: At, orderIds: readonly number[]): Promise<void> {
  await sql`UPDATE order_items SET ${blanked('order_items')}
    WHERE order_id IN ${idRows(dialect, orderIds)} AND custom_fields <> '[]'`.execute(db);
}
