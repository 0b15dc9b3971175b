import type { AdminApi } from '../../../contract/calls.ts';

/** The goods that all clients order. They are few, so that the clients compete for them. */
export type Goods = {
  /** A random mark in the names of everything that the soak makes, which tells it from the rest of the shop. */
  mark: string;
  variants: readonly { id: number; productId: number; backorder: boolean }[];
  vouchers: readonly string[];
  shippingMethodId: number;
};

const VARIANTS = 12;
/** So few pieces that they run out. */
const STOCK = 150;
const VOUCHER_USES = 40;

export async function stockShop(api: AdminApi, mark: string): Promise<Goods> {
  const reduced = await api.tax_rates.create({ name: `Reduced ${mark}`, rate_bps: 1000 });
  const full = await api.tax_rates.create({ name: `Full ${mark}`, rate_bps: 2000 });
  const variants: { id: number; productId: number; backorder: boolean }[] = [];
  for (let n = 0; n < VARIANTS; n++) {
    const product = await api.products.create({
      slug: `soak-${mark}-${n}`,
      name: `Soak ${n} ${mark}`,
      status: 'active',
      tax_rate_id: n % 2 ? reduced.id : full.id,
    });
    const backorder = n % 6 === 5;
    const variant = await api.products.create_variant(product.id, {
      sku: `SOAK-${mark}-${n}`,
      price_cents: 333 + 97 * n,
      stock: STOCK,
      allow_backorder: backorder,
    });
    variants.push({ id: variant.id, productId: product.id, backorder });
  }
  const vouchers = [
    await api.vouchers.create({ code: `P-${mark}`, kind: 'percent', percent_bps: 1250, usage_limit: VOUCHER_USES }),
    await api.vouchers.create({ code: `F-${mark}`, kind: 'fixed', amount_cents: 501, usage_limit: VOUCHER_USES }),
    await api.vouchers.create({ code: `S-${mark}`, kind: 'free_shipping', per_customer_limit: 3 }),
  ];
  const method = await api.shipping_methods.create({
    name: `Parcel ${mark}`,
    price_cents: 599,
    free_over_cents: 5000,
    tax_rate_id: reduced.id,
  });
  return { mark, variants, vouchers: vouchers.map(({ code }) => code), shippingMethodId: method.id };
}
