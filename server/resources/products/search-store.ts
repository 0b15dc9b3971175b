import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type FoundVariant, type Product, ProductStatus } from '../../../contract/products.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { At, Db } from '../../db/open.ts';
import { type Changes, changesOf } from '../../db/queries/change-cursors.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { isKept, isLow, isOut } from '../../db/queries/tracked-stock.ts';
import { beginsPublicId } from '../../db/queries/words.ts';
import type { Database } from '../../db/tables.ts';
import type { Word } from '../../values/words.ts';
import { selectProducts } from './store.ts';

export type ProductFilter = {
  /** Text in the name or in the SKU of a variant. */
  searchFolded: string;
  /** Words that must all stand in the name or in a SKU, or be the id or the beginning of the public id. */
  words: readonly Word[];
  status: string | undefined;
  kind: string | undefined;
  /** The threshold of products without one of their own; null: the filter does not count. */
  lowBelow: number | null;
  isOut: boolean;
  updatedSince: string | undefined;
};

export function products(at: At, filter: ProductFilter): List<Product> {
  return listOf(matching(at, filter), (ids) => selectProducts(at.db, ids));
}

export function productChanges(at: At, filter: ProductFilter): Changes<Product> {
  return changesOf(at, matching(at, filter), (ids) => selectProducts(at.db, ids));
}

function matching({ db, dialect }: At, filter: ProductFilter): SelectQueryBuilder<Database, 'products', object> {
  const { searchFolded, status, kind, lowBelow, isOut: out, updatedSince } = filter;
  let query = db.selectFrom('products');
  if (status !== undefined) query = query.where('status', '=', status);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
  if (searchFolded !== '') query = query.where(inTexts(dialect, searchFolded));
  for (const { text, id, prefix } of filter.words) {
    const places = [
      inTexts(dialect, text),
      ...(id === null ? [] : [sql`${dialect.withoutIndex(sql.ref('products.id'))} = ${id}`]),
      ...(prefix === null ? [] : [beginsPublicId(prefix)]),
    ];
    query = query.where(sql<boolean>`(${sql.join(places, sql` OR `)})`);
  }
  if (lowBelow !== null) {
    const own = sql.ref('low_stock_threshold');
    query = query.where(isKept(sql.ref('status'))).where(isLow({ stock: tracked, own, threshold: sql`${lowBelow}` }));
  }
  if (out) query = query.where(isKept(sql.ref('status'))).where(isOut(tracked));
  return query;
}

function inTexts(dialect: Dialect, text: string): RawBuilder<boolean> {
  const inSku = dialect.contains(sql.ref('variants.sku_folded'), text);
  return sql`(${dialect.contains(sql.ref('name_folded'), text)}
    OR EXISTS (SELECT 1 FROM variants WHERE variants.product_id = products.id AND ${inSku}))`;
}

/** The tracked stock of a product, as the dashboard counts it; null: none of its variants is tracked. */
const tracked = sql`(SELECT sum(variants.stock) FROM variants WHERE variants.product_id = products.id AND variants.track_stock = 1)`;

export type VariantSearch = { onSale: boolean; limit: number };

/** The ids of the variants with this SKU, which differ in case at most. */
export async function selectIdsBySku(db: Db, skuFolded: string, { onSale, limit }: VariantSearch): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT v.id FROM variants AS v JOIN products AS p ON p.id = v.product_id
    WHERE v.sku_folded = ${skuFolded} ${ifOnSale(onSale)} ORDER BY v.id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * The ids of the variants that have each of the words in their SKU, their label or the name of their product, by product name and position.
 * The products are read in this order, and reading stops when the limit is reached.
 */
export async function selectIdsByWords({ db, dialect }: At, words: readonly string[], { onSale, limit }: VariantSearch): Promise<number[]> {
  const texts = ['p.name_folded', 'v.label_folded', 'v.sku_folded'].map((name) => sql.ref<string>(name));
  const conditions = words.map(
    (word) =>
      sql` AND (${sql.join(
        texts.map((text) => dialect.contains(text, word)),
        sql` OR `,
      )})`,
  );
  // SQLite joins in the order of a CROSS JOIN.
  const { rows } = await sql<{ id: number }>`
    SELECT v.id FROM products AS p ${dialect.indexedBy('products_by_name')}
    CROSS JOIN variants AS v ${dialect.indexedBy('variants_by_product')}
    WHERE v.product_id = p.id ${ifOnSale(onSale)}${sql.join(conditions, sql``)}
    ORDER BY p.name_folded, p.id, v.position, v.id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

function ifOnSale(onSale: boolean) {
  return onSale ? sql`AND v.active = 1 AND p.status <> 'archived'` : sql``;
}

/** The order of the rows is not defined. */
export async function selectFoundVariants(db: Db, ids: readonly number[]): Promise<FoundVariant[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('variants as v')
    .innerJoin('products as p', 'p.id', 'v.product_id')
    .select(['v.id', 'v.product_id', 'p.name as product_name', 'p.status as product_status', 'v.sku', 'v.label'])
    .select(['v.price_cents', 'v.stock', 'v.track_stock', 'v.allow_backorder', 'v.active'])
    .where('v.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    ...row,
    product_status: ProductStatus.parse(row.product_status),
    track_stock: row.track_stock === 1,
    allow_backorder: row.allow_backorder === 1,
    active: row.active === 1,
  }));
}
