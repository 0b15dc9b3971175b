import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { BULK_MAX } from './orders.ts';
import { ProductStatus, STOCK_MAX } from './products.ts';
import { CentsInput, Id, listOf, text } from './values.ts';

/** Largest number of variants in one bulk write. */
export const VARIANTS_MAX = 1000;

/** As `CentsInput`, in both directions. */
const PRICE_MAX = 1_000_000_000_000;

const Code = (why: string) => z.string().exactOptional().meta({ description: why });
const Ids = listOf(Id, BULK_MAX);
const Stock = z.int().min(-STOCK_MAX).max(STOCK_MAX);

/** What is to be done with products: the status and the deletion are of the product, price and stock of each of its variants. */
export const ProductBulkChange = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('status'), status: ProductStatus }),
    z.object({ kind: z.literal('delete') }),
    z.object({ kind: z.literal('price_set'), price_cents: CentsInput }),
    z.object({ kind: z.literal('price_amount'), delta_cents: z.int().min(-PRICE_MAX).max(PRICE_MAX) }),
    z.object({
      kind: z.literal('price_percent'),
      percent_bps: z.int().min(-10_000).max(100_000).meta({ description: 'Basis points: -1000 takes 10 % off' }),
      round_to_cents: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(1)
        .meta({ description: 'The new price is the nearest multiple of this many minor units; halfway, the higher one' }),
    }),
    z.object({ kind: z.literal('stock_set'), stock: Stock }),
    z.object({ kind: z.literal('stock_add'), delta: Stock }),
  ])
  .meta({ id: 'ProductBulkChange' });
export type ProductBulkChange = z.infer<typeof ProductBulkChange>;

export const BulkVariant = z
  .object({
    id: Id,
    sku: z.string(),
    label: z.string(),
    before: z.int().meta({ description: 'Price in minor units, or pieces' }),
    after: z.int().nullable().meta({ description: 'null: it stays as it is, for `code`' }),
    code: Code(
      'Why the variant would not be changed: out_of_range; insufficient_stock (below 0 although it allows no backorders); not_counted (its stock is not tracked)',
    ),
  })
  .meta({ id: 'BulkVariant' });
export type BulkVariant = z.infer<typeof BulkVariant>;

export const BulkProduct = z
  .object({
    id: Id,
    name: z.string().nullable().meta({ description: 'null: there is no such product' }),
    status: ProductStatus.nullable().meta({ description: 'The status now; null: there is no such product' }),
    status_after: ProductStatus.nullable().meta({ description: 'The status then; null: the product would be gone' }),
    variants: z.array(BulkVariant).meta({ description: 'Of a change of price or stock: the variants, by position' }),
    code: Code('Why nothing of the product would be changed: not_found, or no_variants'),
  })
  .meta({ id: 'BulkProduct' });
export type BulkProduct = z.infer<typeof BulkProduct>;

/** As `StockChange`: a relative change, or a compare-and-set. */
const StockStep = z
  .object({
    id: Id,
    delta: Stock.optional(),
    stock: Stock.optional(),
    expected_stock: z.int().optional().meta({ description: 'Only if this is the stock now; otherwise code `stock_stale`' }),
  })
  .superRefine(({ delta, stock, expected_stock: expected }, ctx) => {
    const [key, code, message] =
      delta === undefined
        ? stock === undefined
          ? (['delta', 'required', 'send delta, or stock with expected_stock'] as const)
          : (['expected_stock', 'required', 'required together with stock'] as const)
        : (['delta', 'invalid_value', 'cannot be used together with stock and expected_stock'] as const);
    const isOne = delta === undefined ? stock !== undefined && expected !== undefined : stock === undefined && expected === undefined;
    if (!isOne) ctx.addIssue({ code: 'custom', path: [key], message, params: { code } });
  });

const each = `at most ${BULK_MAX}; each succeeds or fails on its own`;
const eachVariant = `at most ${VARIANTS_MAX.toLocaleString('en')}; each succeeds or fails on its own`;

export const productBulkEndpoints = endpointsOf(
  {
    id: 'products.preview_bulk',
    method: 'POST',
    path: '/products/bulk/preview',
    summary: `Preview a change of at most ${BULK_MAX} products and their variants: values before and after; nothing is written`,
    permission: 'admin_api.products.read',
    body: z.object({ ids: Ids, change: ProductBulkChange }),
    writes: false,
    response: z.object({ products: z.array(BulkProduct) }),
    refusals: ['duplicate'],
  },
  {
    id: 'products.bulk_status',
    method: 'POST',
    path: '/products/bulk-status',
    undo: 'restore',
    summary: `Set the status of many products, ${each}`,
    permission: 'admin_api.products.write',
    body: z.object({
      ids: Ids,
      status: ProductStatus,
      from_status: ProductStatus.optional().meta({
        description: 'Only products that have this status now are changed; of another, code `status_changed`',
      }),
    }),
    response: z.object({
      results: z.array(
        z
          .object({
            id: Id,
            status: ProductStatus.nullable().meta({ description: 'The status now; null: there is no such product' }),
            code: Code('Why the product was not changed: not_found or status_changed'),
          })
          .meta({ id: 'BulkProductStatus' }),
      ),
    }),
    refusals: ['invalid_enum', 'duplicate'],
  },
  {
    id: 'products.bulk_delete',
    method: 'POST',
    path: '/products/bulk-delete',
    undo: 'restore',
    summary: `Delete many products with their variants, ${each}; a product that was ever ordered is archived instead`,
    permission: 'admin_api.products.write',
    body: z.object({ ids: Ids }),
    response: z.object({
      results: z.array(
        z
          .object({
            id: Id,
            outcome: z.enum(['deleted', 'archived']).nullable().meta({ description: 'null: there is no such product' }),
            code: Code('not_found'),
          })
          .meta({ id: 'BulkProductDeletion' }),
      ),
    }),
    refusals: ['duplicate'],
  },
  {
    id: 'products.bulk_prices',
    method: 'POST',
    path: '/variants/bulk-prices',
    undo: 'restore',
    summary: `Set the prices of many variants, ${eachVariant}`,
    permission: 'admin_api.products.write',
    body: z.object({
      prices: listOf(
        z.object({
          id: Id,
          price_cents: CentsInput,
          expected_price_cents: z.int().optional().meta({ description: 'Only if this is the price now; otherwise code `price_changed`' }),
        }),
        VARIANTS_MAX,
        ({ id }) => id,
      ),
    }),
    response: z.object({
      results: z.array(
        z
          .object({
            id: Id,
            price_cents: z.int().nullable().meta({ description: 'The price now; null: there is no such variant' }),
            code: Code('Why the variant was not changed: not_found or price_changed'),
          })
          .meta({ id: 'BulkPrice' }),
      ),
    }),
    refusals: ['duplicate'],
  },
  {
    id: 'products.bulk_stock',
    method: 'POST',
    path: '/variants/bulk-stock',
    undo: 'counter_entry',
    summary: `Change the stock of many variants, ${eachVariant}; as for one variant, below 0 only with force`,
    permission: 'admin_api.products.write',
    body: z.object({
      changes: listOf(StockStep, VARIANTS_MAX, ({ id }) => id),
      reason: text({ min: 1, trim: true }),
      force: z.boolean().default(false),
    }),
    response: z.object({
      results: z.array(
        z
          .object({
            id: Id,
            stock: z.int().nullable().meta({ description: 'The stock now; null: there is no such variant' }),
            code: Code('Why the variant was not changed: not_found, stock_stale, insufficient_stock or out_of_range'),
          })
          .meta({ id: 'BulkStock' }),
      ),
    }),
    refusals: ['duplicate', 'required'],
  },
);
