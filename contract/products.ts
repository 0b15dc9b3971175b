import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { IDS_MAX } from './orders.ts';
import { PageSlug } from './pages.ts';
import { changingPageOf, changingQuery, timeSorts, updatedSince } from './paging.ts';
import { ProductIds, ProductImage } from './product-images.ts';
import { BillingInterval, CancellationPolicy, MaxBillingCycles } from './subscriptions.ts';
import { Cents, CentsInput, fold, Id, idSet, listOf, Name, Search, SortOrder, Timestamp, text, wordsIn } from './values.ts';

export const productStatuses = ['draft', 'active', 'archived'] as const;
export const ProductStatus = z.enum(productStatuses).meta({ id: 'ProductStatus' });
export type ProductStatus = z.infer<typeof ProductStatus>;

export const productKinds = ['physical', 'digital'] as const;

/** Largest absolute value of a stock, and of a change of it. */
export const STOCK_MAX = 1_000_000_000;

export const Variant = z
  .object({
    id: Id,
    product_id: Id,
    sku: z.string(),
    label: z.string(),
    price_cents: Cents,
    compare_at_price_cents: Cents.nullable(),
    track_stock: z.boolean(),
    stock: z.int(),
    allow_backorder: z.boolean(),
    weight_grams: z.int(),
    position: z.int(),
    active: z.boolean(),
  })
  .meta({ id: 'Variant' });
export type Variant = z.infer<typeof Variant>;

/** A variant with what somebody who picks it for an order needs to know. */
export const FoundVariant = Variant.pick({
  id: true,
  product_id: true,
  sku: true,
  label: true,
  price_cents: true,
  stock: true,
  track_stock: true,
  allow_backorder: true,
  active: true,
})
  .extend({ product_name: z.string(), product_status: ProductStatus })
  .meta({ id: 'FoundVariant' });
export type FoundVariant = z.infer<typeof FoundVariant>;

export const Product = z
  .object({
    id: Id,
    public_id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    status: ProductStatus,
    kind: z.enum(productKinds),
    tax_rate_id: Id.nullable(),
    low_stock_threshold: z.int().nullable(),
    custom_fields: z.array(z.object({ field_name: z.string(), required: z.boolean() })),
    media_ids: z.array(Id),
    file_ids: z.array(Id),
    is_subscription: z.boolean(),
    billing_interval: BillingInterval.nullable(),
    billing_interval_count: z.int(),
    cancellation_policy: CancellationPolicy,
    max_billing_cycles: MaxBillingCycles,
    variants: z.array(Variant),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof Product>;

const CustomField = z.object({ field_name: Name, required: z.boolean().default(false) });

const productFields = {
  description: text({ max: 100_000 }),
  status: ProductStatus,
  kind: z.enum(productKinds),
  /** null: the default tax rate of the shop. */
  tax_rate_id: Id.nullable(),
  /** null: the threshold of the shop's settings. */
  low_stock_threshold: z.int().min(0).max(STOCK_MAX).nullable(),
  /** Fields that a buyer fills in when ordering the product. */
  custom_fields: listOf(CustomField, 100, ({ field_name }) => fold(field_name)),
  /** Images of the product, in the order in which they are shown. */
  media_ids: idSet(1000),
  /** Files that a buyer of a digital product can download. */
  file_ids: idSet(1000),
  is_subscription: z.boolean(),
  /** Required for a subscription; there the default is `month`. */
  billing_interval: BillingInterval.nullable(),
  billing_interval_count: z.int().min(1).max(365),
  cancellation_policy: CancellationPolicy,
  max_billing_cycles: z.int().min(1).nullable().meta({ description: MaxBillingCycles.meta()?.description }),
};

/** Product slugs follow the same grammar as page slugs. */
const ProductSlug = PageSlug;

export const ProductInput = z
  .object({ slug: ProductSlug, name: Name, ...z.object(productFields).partial().shape })
  .meta({ id: 'ProductInput' });
export type ProductInput = z.infer<typeof ProductInput>;
export const ProductPatch = z
  .object({ slug: ProductSlug, name: Name, ...productFields })
  .partial()
  .meta({ id: 'ProductPatch' });
export type ProductPatch = z.infer<typeof ProductPatch>;

const Sku = text({ min: 1, max: 100, trim: true });

const variantFields = {
  label: text({ trim: true }),
  compare_at_price_cents: CentsInput.nullable(),
  /** Default: true, except for digital products and subscriptions. */
  track_stock: z.boolean(),
  allow_backorder: z.boolean(),
  weight_grams: z.int().min(0).max(1_000_000_000),
  /** Omitted on creation: after the last one. */
  position: SortOrder,
  active: z.boolean(),
};

const Stock = z.int().min(-STOCK_MAX).max(STOCK_MAX);

export const VariantInput = z
  .object({ sku: Sku, price_cents: CentsInput, ...z.object({ ...variantFields, stock: Stock }).partial().shape })
  .meta({ id: 'VariantInput' });
export type VariantInput = z.infer<typeof VariantInput>;
export const VariantPatch = z
  .object({
    sku: Sku,
    price_cents: CentsInput,
    ...variantFields,
    /** Only the present stock is accepted here; `POST /variants/{id}/stock` changes it. */
    stock: z.int(),
  })
  .partial()
  .meta({ id: 'VariantPatch' });
export type VariantPatch = z.infer<typeof VariantPatch>;

export const StockMovement = z
  .object({
    id: Id,
    variant_id: Id,
    delta: z.int(),
    reason: z.string(),
    order_id: Id.nullable(),
    actor: z.string(),
    at: Timestamp,
  })
  .meta({ id: 'StockMovement' });
export type StockMovement = z.infer<typeof StockMovement>;

/**
 * A relative change (`delta` and `reason`), or a compare-and-set (`stock` and `expected_stock`). Tracked stock without
 * `allow_backorder` falls below 0 only with `force`.
 */
export const StockChange = z
  .object({
    delta: z.int().min(-STOCK_MAX).max(STOCK_MAX).optional(),
    stock: z.int().min(-STOCK_MAX).max(STOCK_MAX).optional(),
    expected_stock: z.int().min(-STOCK_MAX).max(STOCK_MAX).optional(),
    reason: text({ min: 1, trim: true }).optional(),
    force: z
      .boolean()
      .optional()
      .meta({ description: 'true: lowers the stock below 0, too, although the variant is tracked and does not allow backorders' }),
  })
  .superRefine((change, ctx) => {
    const refuse = (key: string, code: string, message: string): void => {
      ctx.addIssue({ code: 'custom', path: [key], message, params: { code } });
    };
    if (change.delta === undefined) {
      if (change.stock === undefined) return refuse('delta', 'required', 'send delta with reason, or stock with expected_stock');
      if (change.expected_stock === undefined) refuse('expected_stock', 'required', 'required together with stock');
      return;
    }
    if (change.stock !== undefined) return refuse('stock', 'invalid_value', 'cannot be used together with delta');
    if (change.expected_stock !== undefined) return refuse('expected_stock', 'invalid_value', 'can only be used together with stock');
    if (change.delta === 0) refuse('delta', 'zero_delta', 'must not be 0');
    if (change.reason === undefined) refuse('reason', 'required', 'required together with delta');
  })
  .meta({ id: 'StockChange' });
export type StockChange = z.infer<typeof StockChange>;

/**
 * `price`: the lowest of a variant; upwards, products without one come first. `stock`: what is counted; upwards, products that count none come
 * last. Downwards it is the other way round.
 */
export const productSorts = ['name', '-name', 'price', '-price', 'stock', '-stock', ...timeSorts] as const;

const listFilters = {
  search: Search.optional().meta({ description: 'Text in the name of the product or in the SKU of one of its variants' }),
  q: wordsIn('the name, in the SKU of one of the variants, or be the id or the beginning of the public id'),
  status: ProductStatus.optional(),
  kind: z.enum(productKinds).optional().meta({ description: 'Only products of this kind' }),
  low_stock: z.boolean().default(false).meta({
    description: 'true: only products that are not archived and have some tracked stock, at most their threshold or that of the settings',
  }),
  out_of_stock: z
    .boolean()
    .default(false)
    .meta({ description: 'true: only products that are not archived, track their stock and have none left' }),
};

export const productsEndpoints = endpointsOf(
  {
    id: 'products.list',
    method: 'GET',
    path: '/products',
    summary: 'List products',
    permission: 'admin_api.products.read',
    query: changingQuery(listFilters, productSorts),
    response: changingPageOf(Product),
  },
  {
    id: 'products.list_ids',
    method: 'GET',
    path: '/products/ids',
    summary: `List the ids of all products that match, at most ${IDS_MAX.toLocaleString('en')}, in the order of the list`,
    permission: 'admin_api.products.read',
    query: z.object({ ...listFilters, updated_since: updatedSince, sort: z.enum(productSorts).default('-created_at') }),
    response: z.object({ ids: z.array(Id), total: z.int() }),
    refusals: ['too_many_matches'],
  },
  {
    id: 'products.list_images',
    method: 'GET',
    path: '/products/images',
    summary: 'List the first image of each of these products; a product without one is left out',
    permission: 'admin_api.products.read',
    query: z.object({ ids: ProductIds }),
    response: z.array(ProductImage),
  },
  {
    id: 'products.get',
    method: 'GET',
    path: '/products/{id}',
    summary: 'Get a product with its variants',
    permission: 'admin_api.products.read',
    record: 'product',
    response: Product,
  },
  {
    id: 'products.create',
    method: 'POST',
    path: '/products',
    undo: 'restore',
    summary: 'Create a product; add its variants with separate requests',
    permission: 'admin_api.products.write',
    body: ProductInput,
    status: 201,
    response: Product,
    location: '/products/{id}',
    refusals: ['slug_invalid', 'slug_taken', 'tax_rate_not_found', 'media_not_found', 'file_not_found', 'required', 'duplicate'],
  },
  {
    id: 'products.update',
    method: 'PATCH',
    path: '/products/{id}',
    undo: 'restore',
    summary: 'Change a product; omitted fields keep their values',
    permission: 'admin_api.products.write',
    record: 'product',
    body: ProductPatch,
    response: Product,
    refusals: [
      'slug_invalid',
      'slug_taken',
      'tax_rate_not_found',
      'media_not_found',
      'file_not_found',
      'required',
      'duplicate',
      'precondition_failed',
    ],
  },
  {
    id: 'products.delete',
    method: 'DELETE',
    path: '/products/{id}',
    undo: 'restore',
    summary: 'Delete a product with its variants; a product that was ever ordered is archived instead',
    permission: 'admin_api.products.write',
    record: 'product',
    status: 204,
    refusals: ['precondition_failed'],
  },
  {
    id: 'products.create_variant',
    method: 'POST',
    path: '/products/{id}/variants',
    undo: 'restore',
    summary: 'Add a variant; its initial stock becomes its first stock movement',
    permission: 'admin_api.products.write',
    record: 'product',
    body: VariantInput,
    status: 201,
    response: Variant,
    location: '/variants/{id}',
    refusals: ['duplicate', 'out_of_range'],
  },
  {
    id: 'products.list_variants',
    method: 'GET',
    path: '/products/{id}/variants',
    summary: 'List the variants of a product, by position',
    permission: 'admin_api.products.read',
    record: 'product',
    response: z.array(Variant),
  },
  {
    id: 'products.search_variants',
    method: 'GET',
    path: '/variants',
    summary: 'Find variants of any product, by product name and position; a variant with exactly this SKU comes first',
    permission: 'admin_api.products.read',
    query: z.object({
      search: Search.optional().meta({
        description: 'Each word must be in the name of the product, the label or the SKU; without it, all variants are found',
      }),
      on_sale: z
        .boolean()
        .default(false)
        .meta({ description: 'true: only variants that an order can take, which are active and of a product that is not archived' }),
      limit: z.int().min(1).max(100).default(20),
    }),
    response: z.array(FoundVariant),
  },
  {
    id: 'products.get_variant',
    method: 'GET',
    path: '/variants/{id}',
    summary: 'Get a variant',
    permission: 'admin_api.products.read',
    record: 'variant',
    response: Variant,
  },
  {
    id: 'products.update_variant',
    method: 'PATCH',
    path: '/variants/{id}',
    undo: 'restore',
    summary: 'Change a variant; omitted fields keep their values',
    permission: 'admin_api.products.write',
    record: 'variant',
    body: VariantPatch,
    response: Variant,
    refusals: ['duplicate', 'invalid_value', 'precondition_failed'],
  },
  {
    id: 'products.delete_variant',
    method: 'DELETE',
    path: '/variants/{id}',
    undo: 'restore',
    summary: 'Delete a variant that was never ordered, and its stock movements',
    permission: 'admin_api.products.write',
    record: 'variant',
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
  {
    id: 'products.change_stock',
    method: 'POST',
    path: '/variants/{id}/stock',
    undo: 'counter_entry',
    summary: 'Change the stock by a delta, or set it if its present value is the expected one; below 0 only with force',
    permission: 'admin_api.products.write',
    record: 'variant',
    body: StockChange,
    response: Variant,
    refusals: ['stock_stale', 'insufficient_stock', 'zero_delta', 'required'],
  },
  {
    id: 'products.list_stock_movements',
    method: 'GET',
    path: '/variants/{id}/stock-movements',
    summary: 'List the changes of the stock of a variant, newest first',
    permission: 'admin_api.products.read',
    record: 'variant',
    query: z.object({
      before_id: z.int().optional().meta({ description: 'Only movements with a lower id' }),
      limit: z.int().min(1).max(200).default(50),
    }),
    response: z.array(StockMovement),
  },
);
