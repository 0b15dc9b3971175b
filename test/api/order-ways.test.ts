import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { OrderEditPayload, PhoneOrderPayload, PreviewLine } from '../../contract/order-edits.ts';
import type { OrderDetail } from '../../contract/orders.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { ghent, phoneOrder, previewed } from '../helpers/phone-orders.ts';
import { makeShippingMethod, makeTaxRate, makeVoucher } from '../helpers/terms.ts';

/** However an order came to its lines and discounts, it costs the same. One store is enough, because these are computations. */

let app: TestApp;
const variants: number[] = [];
const vouchers: string[] = [];
let method = 0;

before(async () => {
  app = await startApp('sqlite');
  await makeTaxRate(app, { rate_bps: 2700, is_default: true });
  const reduced = await makeTaxRate(app, { rate_bps: 550 });
  for (const [index, price_cents] of [1, 99, 333, 1999, 123_457].entries()) {
    const product = await makeProduct(app, { tax_rate_id: index % 2 ? reduced.id : null });
    variants.push((await makeVariant(app, { product_id: product.id, price_cents, track_stock: false })).id);
  }
  for (const terms of [{ percent_bps: 1250 }, { kind: 'fixed', amount_cents: 777 }, { kind: 'free_shipping' }] as const) {
    vouchers.push((await makeVoucher(app, terms)).code);
  }
  method = (await makeShippingMethod(app, { price_cents: 595 })).id;
});
after(() => app.close());

type Wanted = { lines: { variant: number; quantity: number; price: number }[]; voucher: number | null; discount: number; shipping: number };

const wanted: fc.Arbitrary<Wanted> = fc.record({
  lines: fc.uniqueArray(
    fc.record({ variant: fc.nat({ max: 4 }), quantity: fc.integer({ min: 1, max: 40 }), price: fc.nat({ max: 5000 }) }),
    {
      selector: ({ variant }) => variant,
      minLength: 1,
      maxLength: 5,
    },
  ),
  voucher: fc.option(fc.nat({ max: 2 })),
  discount: fc.nat({ max: 20_000 }),
  shipping: fc.nat({ max: 2000 }),
});

/** The amounts of an order as text, for comparison. */
function cost({ items, subtotal, discount_amount, tax_amount, shipping_cost, total, voucher_code }: OrderDetail) {
  const lines = items.map((item) => [item.variant_id, item.quantity, item.unit_price, item.subtotal, item.tax_rate, item.tax_amount]);
  return JSON.stringify({ lines, subtotal, discount_amount, tax_amount, shipping_cost, total, voucher_code });
}

test('O9, ED1: an order costs the same whatever the order of its edits, and each edit makes what its preview showed', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(wanted, fc.boolean(), fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), async (want, inclusive, keys) => {
      await app.client.settings.update({ prices_include_tax: inclusive });
      const ways = await Promise.all([byOneEdit(want), bySteps(want, keys), bySteps(want, keys.toReversed())]);
      const [first, ...others] = ways.map(cost);
      for (const other of others) assert.equal(other, first);
      for (const { subtotal, discount_amount, shipping_cost, tax_amount, total } of ways) {
        assert.equal(total, subtotal - discount_amount + shipping_cost + (inclusive ? 0 : tax_amount));
      }
    }),
    { numRuns: 12 },
  );
});

test('PH7: a phone order is stored with exactly the amounts of its preview', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(wanted, fc.boolean(), async (want, inclusive) => {
      await app.client.settings.update({ prices_include_tax: inclusive });
      const payload = base(want, { voucher_code: codeOf(want), discount: { kind: 'percent', percent_bps: want.discount % 10_001 } });
      const { lines, ...said } = await app.client.orders.preview(payload);
      const made = await app.client.orders.get((await app.client.orders.create(payload)).id);
      const stored = {
        subtotal_cents: made.subtotal,
        discount_cents: made.discount_amount,
        shipping_cents: made.shipping_cost,
        tax_cents: made.tax_amount,
        total_cents: made.total,
        resulting_status: made.status,
        resulting_payment_status: made.payment_status,
        prices_include_tax: made.prices_include_tax,
      };
      assert.equal(JSON.stringify(said), JSON.stringify(stored));
      assert.deepEqual(
        lines,
        made.items.map((item) => ({ ...previewed(item), id: null })),
      );
    }),
    { numRuns: 12 },
  );
});

const codeOf = ({ voucher }: Wanted): string | null => (voucher === null ? null : (vouchers[voucher] ?? null));

function base({ lines }: Wanted, values: Partial<PhoneOrderPayload> = {}): PhoneOrderPayload {
  const items = lines.map(({ variant, quantity }) => ({ variant_id: variants[variant] ?? 0, quantity }));
  return phoneOrder(items, { shipping: { kind: 'configured', method_id: method }, shipping_address: ghent, ...values });
}

async function byOneEdit(want: Wanted): Promise<OrderDetail> {
  const { id } = await app.client.orders.create(
    base(want, { voucher_code: codeOf(want), discount: { kind: 'fixed', amount_cents: want.discount } }),
  );
  const { items } = await app.client.orders.get(id);
  return edited(id, {
    items: items.map((item, index) => ({ id: item.id, unit_price_override_cents: want.lines[index]?.price })),
    shipping: { cost_cents: want.shipping },
  });
}

/** Starts with other quantities, voucher and discount, then makes each change as one edit, in an order that depends on `keys`. */
async function bySteps(want: Wanted, keys: readonly number[]): Promise<OrderDetail> {
  const other = { ...want, lines: want.lines.map((line) => ({ ...line, quantity: 3 })) };
  const { id } = await app.client.orders.create(base(other, { voucher_code: vouchers[keys[0] ? 0 : 1] ?? null }));
  const { items } = await app.client.orders.get(id);
  const steps: OrderEditPayload[] = [
    ...items.flatMap(({ id: item }, index) => {
      const line = want.lines[index];
      return [{ items: [{ id: item, quantity: line?.quantity }] }, { items: [{ id: item, unit_price_override_cents: line?.price }] }];
    }),
    { voucher_code: codeOf(want) },
    { discount_amount_cents: want.discount },
    { shipping: { cost_cents: want.shipping } },
  ];
  const order = steps.map((_, index) => index).sort((a, b) => ((keys[a % 9] ?? 0) % 97) - ((keys[b % 9] ?? 0) % 97) || a - b);
  let made = await edited(id, { discount_amount_cents: 99_999 });
  for (const index of order) made = await edited(id, steps[index] ?? {});
  return made;
}

async function edited(id: number, payload: OrderEditPayload): Promise<OrderDetail> {
  const said = await app.client.orders.preview_edit(id, payload);
  const { edit, ...made } = await app.client.orders.edit(id, payload);
  const { subtotal, tax_amount: tax, shipping_cost: shipping, discount_amount: discount, total } = made;
  assert.equal(JSON.stringify({ subtotal, tax, shipping, discount, total }), JSON.stringify(said.totals_after));
  assert.deepEqual([edit.summary, edit.payment_delta_cents], [said.summary, said.payment_delta_cents]);
  assert.equal(made.balance_due_cents, said.balance_due_cents);
  const sumsOf = (lines: readonly PreviewLine[]) => lines.map(({ id: _, ...sums }) => sums);
  assert.deepEqual(sumsOf(said.lines_after), sumsOf(made.items.map(previewed)));
  return made;
}
