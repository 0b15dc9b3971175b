import type { Product, ProductInput, ProductPatch } from '../../../contract/products.ts';
import { newPublicId } from '../../values/public-id.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound, type Refusal, refuseValue } from '../../verbs/problem.ts';
import { holdFiles } from '../files/domain.ts';
import { holdMedia } from '../media/domain.ts';
import { holdTaxRate } from '../tax-rates/domain.ts';
import { billingIntervalOf, hasIdleFiles } from './rules.ts';
import * as store from './store.ts';

type Defaulted =
  | 'description'
  | 'status'
  | 'kind'
  | 'tax_rate_id'
  | 'low_stock_threshold'
  | 'custom_fields'
  | 'is_subscription'
  | 'billing_interval_count'
  | 'cancellation_policy'
  | 'max_billing_cycles';

const DEFAULTS: Pick<Product, Defaulted> = {
  description: '',
  status: 'draft',
  kind: 'physical',
  tax_rate_id: null,
  low_stock_threshold: null,
  custom_fields: [],
  is_subscription: false,
  billing_interval_count: 1,
  cancellation_policy: 'immediate',
  max_billing_cycles: null,
};

const inMediaIds = (index: number): string => `/media_ids/${index}`;

export async function createProduct(ctx: Ctx, { slug, name, media_ids = [], file_ids = [], ...rest }: ProductInput): Promise<Product> {
  await holdTaxRate(ctx, rest.tax_rate_id);
  await holdMedia(ctx, media_ids, inMediaIds);
  await holdFiles(ctx, file_ids, '/file_ids');
  rest satisfies OnlyOf<typeof rest, Product>;
  const wanted = { slug, name, ...DEFAULTS, ...given(rest) };
  if (hasIdleFiles({ ...wanted, file_ids })) throw noFiles('/file_ids');
  const billing_interval = intervalOf(wanted.is_subscription, rest.billing_interval, null);
  const values = { public_id: newPublicId(ctx.random), ...wanted, billing_interval };
  const id = await store.insertProduct(ctx.db, values, ctx.now);
  if (id === null) throw slugTaken(slug);
  await store.replaceMedia(ctx.db, id, media_ids);
  await store.replaceFiles(ctx.db, id, file_ids);
  noteCreated(ctx, 'product', { id, ...values, media_ids, file_ids }, name);
  return readProduct(ctx, id);
}

export async function updateProduct(ctx: Ctx, id: number, patch: ProductPatch): Promise<Product> {
  await store.lockProducts(ctx, [id]);
  const product = await readProduct(ctx, id);
  await holdTaxRate(ctx, patch.tax_rate_id);
  await holdMedia(ctx, patch.media_ids ?? [], inMediaIds);
  await holdFiles(ctx, patch.file_ids ?? [], '/file_ids');
  const wanted = given(patch);
  if (hasIdleFiles({ ...product, ...wanted })) throw noFiles(patch.file_ids === undefined ? '/kind' : '/file_ids');
  const isSubscription = wanted.is_subscription ?? product.is_subscription;
  if (isSubscription) wanted.billing_interval = intervalOf(true, wanted.billing_interval, product.billing_interval);
  if (wanted.slug !== undefined && (await store.isSlugTaken(ctx.db, wanted.slug, id))) throw slugTaken(wanted.slug);
  const changes = changesBetween(product, wanted);
  if (Object.keys(changes).length > 0) {
    const { media_ids, file_ids, ...columns } = wanted;
    await store.updateProduct(ctx.db, id, columns, ctx.now);
    if (media_ids) await store.replaceMedia(ctx.db, id, media_ids);
    if (file_ids) await store.replaceFiles(ctx.db, id, file_ids);
  }
  noteChanged(ctx, 'product', id, changes);
  return readProduct(ctx, id);
}

/** Deletes a product, or archives it if it was ever ordered, because its orders refer to it (spec PD3). */
export async function deleteProduct(ctx: Ctx, id: number): Promise<undefined> {
  // Variants are locked before products, as in every sale.
  await store.lockVariants(ctx, idsOf(await readProduct(ctx, id)));
  await store.lockProducts(ctx, [id]);
  const product = await readProduct(ctx, id);
  if (await store.wasOrdered(ctx.db, { productId: id })) {
    const changes = changesBetween(product, { status: 'archived' });
    if (product.status !== 'archived') await store.updateProduct(ctx.db, id, { status: 'archived' }, ctx.now);
    noteChanged(ctx, 'product', id, changes);
    return;
  }
  await store.deleteVariants(ctx.db, idsOf(product));
  await store.deleteProducts(ctx.db, [id]);
  const { created_at: _, updated_at: __, ...values } = product;
  noteDeleted(ctx, 'product', values, product.name);
}

function idsOf({ variants }: Product): number[] {
  return variants.map(({ id }) => id);
}

async function readProduct(ctx: Ctx, id: number): Promise<Product> {
  const [product] = await store.selectProducts(ctx.db, [id]);
  if (!product) throw notFound('product', id);
  return product;
}

function intervalOf(...args: Parameters<typeof billingIntervalOf>): Product['billing_interval'] {
  const interval = billingIntervalOf(...args);
  if (interval === 'missing') throw refuseValue('required', '/billing_interval', 'a subscription must have one: day, week, month or year');
  return interval;
}

function noFiles(pointer: string): Refusal {
  return refuseValue('invalid_value', pointer, 'only a digital product can have files');
}

function slugTaken(slug: string): Refusal {
  return refuseValue('slug_taken', '/slug', `there is already a product with the slug "${slug}"`);
}
