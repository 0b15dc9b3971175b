import { sql } from 'kysely';
import { z } from 'zod';
import { Product, type ProductStatus, type StockMovement, type Variant } from '../../../contract/products.ts';
import type { At, Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { insertInto, updateVersioned } from '../../db/queries/statement.ts';
import { takenIn } from '../../db/queries/unique-values.ts';
import { sortValues } from '../../db/schema/products.ts';
import type { Row } from '../../db/tables.ts';

export type StockMove = { variant_id: number; delta: number };

/** Products with their variants, images and files; the order of the rows is not defined. */
export async function selectProducts(db: Db, ids: readonly number[]): Promise<Product[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('products').selectAll().where('id', 'in', ids).execute();
  const variants = await selectVariantsOf(db, ids);
  const media = await selectAttached(db, 'product_media', 'media_id', ids);
  const files = await selectAttached(db, 'product_files', 'file_id', ids);
  return rows.map((row) =>
    toProduct(row, {
      variants: variants.filter(({ product_id }) => product_id === row.id),
      media_ids: media.get(row.id) ?? [],
      file_ids: files.get(row.id) ?? [],
    }),
  );
}

/** The ids of the products' images or files, by position. */
async function selectAttached(
  db: Db,
  table: 'product_media' | 'product_files',
  column: 'media_id' | 'file_id',
  productIds: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ product_id: number; id: number }>`
    SELECT product_id, ${sql.ref(column)} AS id FROM ${sql.table(table)}
    WHERE product_id IN (${sql.join(productIds)}) ORDER BY product_id, position`.execute(db);
  const byProduct = new Map<number, number[]>();
  for (const { product_id, id } of rows) byProduct.set(product_id, [...(byProduct.get(product_id) ?? []), id]);
  return byProduct;
}

export async function replaceMedia(db: Db, productId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('product_media').where('product_id', '=', productId).execute();
  const rows = ids.map((media_id, position) => ({ product_id: productId, media_id, position }));
  if (rows.length > 0) await db.insertInto('product_media').values(rows).execute();
}

export async function replaceFiles(db: Db, productId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('product_files').where('product_id', '=', productId).execute();
  const rows = ids.map((file_id, position) => ({ product_id: productId, file_id, position }));
  if (rows.length > 0) await db.insertInto('product_files').values(rows).execute();
}

export async function selectVariantsOf(db: Db, productIds: readonly number[]): Promise<Variant[]> {
  const rows = await db
    .selectFrom('variants')
    .selectAll()
    .where('product_id', 'in', productIds)
    .orderBy('product_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(toVariant);
}

export async function selectVariant(db: Db, id: number): Promise<Variant | null> {
  const row = await db.selectFrom('variants').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toVariant(row) : null;
}

export async function selectVariants(db: Db, ids: readonly number[]): Promise<Variant[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('variants').selectAll().where('id', 'in', ids).execute();
  return rows.map(toVariant);
}

/** Locks variants in the order of their ids, so that two writes never deadlock. */
export async function lockVariants({ db, dialect }: At, ids: readonly number[]): Promise<Variant[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('variants').selectAll().where('id', 'in', ids).orderBy('id').modifyEnd(dialect.forUpdate).execute();
  return rows.map(toVariant);
}

/** Locks products in the order of their ids; a write that also locks variants does that first. */
export function lockProducts({ db, dialect }: At, ids: readonly number[]) {
  return db
    .selectFrom('products')
    .select(['id', 'name', 'low_stock_threshold'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

type ProductValues = Omit<Product, 'id' | 'variants' | 'media_ids' | 'file_ids' | 'created_at' | 'updated_at'>;

/** Returns null if the slug is taken. */
export async function insertProduct(db: Db, product: ProductValues, now: string): Promise<number | null> {
  const [row] = await insertProductRow(db, { ...toColumns(product, ['name']), created_at: now, updated_at: now }, 'slug');
  return row?.id ?? null;
}

const insertProductRow = insertInto('products', sql<{ id: number }>`id`);

export const isSlugTaken = takenIn('products', 'slug');

export function updateProduct(db: Db, id: number, changes: Partial<ProductValues>, now: string): Promise<void> {
  return setProductColumns(db, id, { ...toColumns(changes, ['name']), updated_at: now });
}

const setProductColumns = updateVersioned('products');

export async function deleteProducts(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('products').where('id', 'in', ids).execute();
}

export async function updateStatuses(db: Db, ids: readonly number[], status: ProductStatus, now: string): Promise<void> {
  if (ids.length === 0) return;
  const raised = { updated_at: now, row_version: sql<number>`row_version + 1` };
  await db
    .updateTable('products')
    .set({ status, ...raised })
    .where('id', 'in', ids)
    .execute();
}

export async function updatePrices(db: Db, prices: readonly { id: number; price_cents: number }[]): Promise<void> {
  if (prices.length === 0) return;
  const cases = prices.map(({ id, price_cents }) => sql`WHEN ${id} THEN CAST(${price_cents} AS bigint)`);
  await db
    .updateTable('variants')
    .set({ price_cents: sql<number>`CASE id ${sql.join(cases, sql` `)} END`, row_version: sql<number>`row_version + 1` })
    .where(
      'id',
      'in',
      prices.map(({ id }) => id),
    )
    .execute();
}

/** Returns null if the SKU is taken. */
export async function insertVariant(db: Db, variant: Omit<Variant, 'id'>): Promise<Variant | null> {
  const [row] = await insertVariantRow(db, toColumns(variant, foldedTexts), 'sku');
  return row ? toVariant(row) : null;
}

/** The texts by which variants are found. */
const foldedTexts = ['sku', 'label'] as const;

const insertVariantRow = insertInto('variants', sql<Row<'variants'>>`*`);

export const isSkuTaken = takenIn('variants', 'sku');

export function updateVariant(db: Db, id: number, changes: Partial<Variant>): Promise<void> {
  return setVariantColumns(db, id, toColumns(changes, foldedTexts));
}

const setVariantColumns = updateVersioned('variants');

/** Deletes variants with their stock movements. */
export async function deleteVariants(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('stock_movements').where('variant_id', 'in', ids).execute();
  await db.deleteFrom('variants').where('id', 'in', ids).execute();
}

/** Whether any order (in any status) or subscription refers to the product or variant. */
export async function wasOrdered(db: Db, what: { productId: number } | { variantId: number }): Promise<boolean> {
  const [column, id] = 'productId' in what ? (['product_id', what.productId] as const) : (['variant_id', what.variantId] as const);
  const item = await db.selectFrom('order_items').select('id').where(column, '=', id).limit(1).executeTakeFirst();
  if (item) return true;
  return (await db.selectFrom('subscriptions').select('id').where(column, '=', id).limit(1).executeTakeFirst()) !== undefined;
}

/** Those of the products that an order (in any status) or a subscription refers to. */
export async function selectOrdered(db: Db, productIds: readonly number[]): Promise<number[]> {
  if (productIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM products WHERE id IN (${sql.join(productIds)})
    AND (EXISTS (SELECT 1 FROM order_items AS i WHERE i.product_id = products.id)
      OR EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.product_id = products.id))`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Adds to the stock of variants. `isEdit` marks a manual change. Movements by orders do not raise the row version, so that an
 * admin's edit does not conflict with a sale.
 */
export async function addStock(db: Db, moves: readonly StockMove[], isEdit: boolean): Promise<void> {
  const cases = moves.map(({ variant_id, delta }) => sql`WHEN ${variant_id} THEN CAST(${delta} AS bigint)`);
  await db
    .updateTable('variants')
    .set({
      stock: sql<number>`stock + CASE id ${sql.join(cases, sql` `)} END`,
      ...(isEdit ? { row_version: sql<number>`row_version + 1` } : {}),
    })
    .where(
      'id',
      'in',
      moves.map(({ variant_id }) => variant_id),
    )
    .execute();
}

export async function insertMovements(db: Db, movements: readonly Omit<StockMovement, 'id'>[]): Promise<void> {
  await db.insertInto('stock_movements').values(movements).execute();
}

const sorted = { sort_price: sql.raw<number>(sortValues.sort_price), sort_stock: sql.raw<number>(sortValues.sort_stock) };

/**
 * Notes that products have changed by what was done to their variants, which are written before. The products are locked: what others
 * write to their variants meanwhile would be missed.
 */
export async function touchProducts(db: Db, ids: readonly number[], now: string): Promise<void> {
  if (ids.length === 0) return;
  const raised = { updated_at: now, row_version: sql<number>`row_version + 1` };
  await db
    .updateTable('products')
    .set({ ...raised, ...sorted })
    .where('id', 'in', ids)
    .execute();
}

/** Without another sign of a change. */
export async function updateSorted(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.updateTable('products').set(sorted).where('id', 'in', ids).execute();
}

/** Like `touchProducts`, but for a movement by an order: the row version stays. */
export async function updateProductTimes(db: Db, ids: readonly number[], now: string): Promise<void> {
  await db
    .updateTable('products')
    .set({ updated_at: now, ...sorted })
    .where('id', 'in', ids)
    .execute();
}

/** The fields of a product that movements by orders change. */
export function selectStocks(db: Db, productId: number): Promise<{ updated_at: string; stock: number | null }[]> {
  return db
    .selectFrom('products')
    .leftJoin('variants', 'variants.product_id', 'products.id')
    .select(['products.updated_at', 'variants.stock'])
    .where('products.id', '=', productId)
    .orderBy('variants.position')
    .orderBy('variants.id')
    .execute();
}

/** The stock of each product: the sum of its tracked variants (spec DA3). */
export function sumTrackedStock(db: Db, productIds: readonly number[]) {
  return db
    .selectFrom('variants')
    .select(['product_id', sql<number>`CAST(sum(stock) AS bigint)`.as('stock')])
    .where('product_id', 'in', productIds)
    .where('track_stock', '=', 1)
    .groupBy('product_id')
    .execute();
}

export function selectMovements(
  db: Db,
  variantId: number,
  page: { beforeId: number | undefined; limit: number },
): Promise<StockMovement[]> {
  const movements = db.selectFrom('stock_movements').selectAll().where('variant_id', '=', variantId);
  const asked = page.beforeId === undefined ? movements : movements.where('id', '<', page.beforeId);
  return asked.orderBy('id', 'desc').limit(page.limit).execute();
}

/** What an order has moved since its last movement with that reason, by variant; everything if there is none. */
export function sumMovementsOfOrder(db: Db, orderId: number, variantIds: readonly number[], afterReason: string): Promise<StockMove[]> {
  return db
    .selectFrom('stock_movements')
    .select(['variant_id', sql<number>`CAST(sum(delta) AS bigint)`.as('delta')])
    .where('variant_id', 'in', variantIds)
    .where('order_id', '=', orderId)
    .where('id', '>', (eb) =>
      eb
        .selectFrom('stock_movements as last')
        .select(sql<number>`coalesce(max(last.id), 0)`.as('id'))
        .where('last.order_id', '=', orderId)
        .where('last.reason', '=', afterReason),
    )
    .groupBy('variant_id')
    .execute();
}

function toVariant({ row_version: _, sku_folded: __, label_folded: ___, ...row }: Row<'variants'>): Variant {
  return { ...row, track_stock: row.track_stock === 1, allow_backorder: row.allow_backorder === 1, active: row.active === 1 };
}

/** Columns that the database stores as plain text, with the schemas of their values. */
const Stored = Product.pick({ status: true, kind: true, billing_interval: true, cancellation_policy: true }).extend({
  custom_fields: z.string().transform((json) => Product.shape.custom_fields.parse(JSON.parse(json))),
});

function toProduct(
  { name_folded: _, row_version: __, changed_in: ___, sort_price: ____, sort_stock: _____, ...row }: Row<'products'>,
  parts: Pick<Product, 'variants' | 'media_ids' | 'file_ids'>,
): Product {
  return { ...row, ...Stored.parse(row), is_subscription: row.is_subscription === 1, ...parts };
}
