import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderEditPayload, PhoneOrderPayload } from '../../contract/order-edits.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeFile, makeProduct, makeVariant } from '../helpers/builders.ts';
import { ordersAt, phoneOrder, previewed } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { makeDiscountGroup, makeTaxRate } from '../helpers/terms.ts';

onBothStores('editing the lines of an order', (app) => {
  const { stockOf, create } = ordersAt(app);
  const preview = (id: number, edit: OrderEditPayload) => app().client.orders.preview_edit(id, edit);
  const edit = (id: number, payload: OrderEditPayload) => app().client.orders.edit(id, payload);

  /** Makes an order of one line, 2 × 1000, of a new variant. */
  async function simpleOrder(values: Partial<PhoneOrderPayload> = {}, stock = 50) {
    const variant = await makeVariant(app(), { stock, price_cents: 1000 });
    const order = await create(phoneOrder([{ variant_id: variant.id, quantity: 2 }], values));
    const [line] = order.items;
    if (!line) throw new Error('an order without lines');
    return { order, line, variant };
  }

  test('ED4: missing stock is a warning in the preview and refused by the edit, unless stock_override is sent', async () => {
    const product = await makeProduct(app(), { name: 'Rare' });
    const variant = await makeVariant(app(), { product_id: product.id, stock: 3 });
    const order = await create(phoneOrder([{ variant_id: variant.id, quantity: 2 }]));
    const items = [{ id: order.items[0]?.id, quantity: 5 }];
    const warnings = [{ product_id: product.id, variant_id: variant.id, product_name: 'Rare', requested: 3, available: 1 }];
    assert.deepEqual((await preview(order.id, { items })).stock_warnings, warnings);
    const error = await refused(edit(order.id, { items }), 409, 'insufficient_stock');
    assert.deepEqual(error.problem?.['stock_warnings'], warnings);
    assert.deepEqual([await stockOf(variant.id), (await app().client.orders.get(order.id)).total], [1, order.total]);
    assert.equal((await edit(order.id, { items, stock_override: true })).edit.stock_override_used, true);
    assert.equal(await stockOf(variant.id), -2);
    const fewer = await edit(order.id, { items: [{ id: order.items[0]?.id, quantity: 1 }], stock_override: true });
    assert.equal(fewer.edit.stock_override_used, false, 'the override was not needed');
    assert.equal(await stockOf(variant.id), 2);
  });

  test('C2, ED5: an edit changes listed lines, adds new ones and keeps the others; mode replace removes the others', async () => {
    const [a, b, c] = [
      await makeVariant(app(), { price_cents: 100 }),
      await makeVariant(app(), { price_cents: 200 }),
      await makeVariant(app(), { price_cents: 300 }),
    ];
    const order = await create(phoneOrder([a, b].map(({ id }) => ({ variant_id: id, quantity: 1 }))));
    const [first, second] = order.items;
    const lines = async () => (await app().client.orders.get(order.id)).items.map(({ variant_id, quantity }) => [variant_id, quantity]);
    const merged = await edit(order.id, {
      items: [
        { id: first?.id, quantity: 4 },
        { id: null, product_id: c.product_id, variant_id: c.id, quantity: 2 },
      ],
    });
    assert.deepEqual(await lines(), [
      [a.id, 4],
      [b.id, 1],
      [c.id, 2],
    ]);
    assert.deepEqual(
      merged.items.slice(0, 2).map(({ id }) => id),
      [first?.id, second?.id],
      'lines keep their ids',
    );
    assert.match(merged.edit.summary, new RegExp(`^#${first?.id} quantity 1→4; added 2 × `));
    assert.equal(merged.total, 4 * 100 + 200 + 2 * 300);
    await edit(order.id, { items: [{ id: second?.id, quantity: 0 }] });
    assert.deepEqual(await lines(), [
      [a.id, 4],
      [c.id, 2],
    ]);
    await edit(order.id, { items_mode: 'replace' });
    await edit(order.id, { items: [], items_mode: 'merge' });
    assert.deepEqual(await lines(), [
      [a.id, 4],
      [c.id, 2],
    ]);
    await edit(order.id, { items: [{ id: first?.id }, { variant_id: b.id, quantity: 3 }], items_mode: 'replace' });
    assert.deepEqual(await lines(), [
      [a.id, 4],
      [b.id, 3],
    ]);
    assert.deepEqual([await stockOf(a.id), await stockOf(b.id), await stockOf(c.id)], [96, 97, 100]);
  });

  test('ED5, ED6: a line may change to another variant and keeps its price', async () => {
    const { order, line, variant } = await simpleOrder();
    const other = await makeVariant(app(), { label: 'Large', price_cents: 5000, stock: 9 });
    const {
      items,
      edit: record,
      total,
    } = await edit(order.id, { items: [{ id: line.id, variant_id: other.id, product_id: other.product_id }] });
    assert.deepEqual(
      items.map((item) => [
        item.id,
        item.product_id,
        item.variant_id,
        item.product_sku,
        item.variant_label,
        item.unit_price,
        item.quantity,
      ]),
      [[line.id, other.product_id, other.id, other.sku, 'Large', 1000, 2]],
    );
    assert.deepEqual([record.summary, total], [`#${line.id} variant ${variant.sku}→${other.sku}`, order.total]);
    assert.deepEqual([await stockOf(variant.id), await stockOf(other.id)], [50, 7]);
  });

  test('ED6: a changed catalogue price does not change a line; a new line has the price of the customer’s group', async () => {
    const group = await makeDiscountGroup(app(), 1000);
    const customer = await makeCustomer(app(), { is_b2b: true, discount_group_id: group.id });
    const { order, line, variant } = await simpleOrder({ customer: { name: 'Shop', email: customer.email, phone: '' } });
    assert.equal(line.unit_price, 900);
    await app().client.products.update_variant(variant.id, { price_cents: 3005 });
    const same = await edit(order.id, { items: [{ id: line.id, quantity: 3, unit_price_override_cents: null }] });
    assert.equal(same.items[0]?.unit_price, 900);
    const items = [
      { id: line.id, unit_price_override_cents: 850 },
      { id: null, variant_id: variant.id, quantity: 1 },
      { id: null, variant_id: variant.id, quantity: 1, unit_price_override_cents: 0 },
    ];
    const made = await edit(order.id, { items });
    assert.deepEqual(
      made.items.map(({ unit_price }) => unit_price),
      [850, 2705, 0],
    );
  });

  test('ED14: before shipping an edit takes and returns stock; after shipping it only takes', async () => {
    const { order, line, variant } = await simpleOrder();
    const to = (quantity: number) => edit(order.id, { items: [{ id: line.id, quantity }], warn_acknowledged: true });
    await to(6);
    assert.equal(await stockOf(variant.id), 44);
    await to(1);
    assert.equal(await stockOf(variant.id), 49);
    await app().client.orders.update_status(order.id, { status: 'shipped' });
    await to(4);
    assert.equal(await stockOf(variant.id), 46);
    await to(2);
    assert.equal(await stockOf(variant.id), 46);
    const movements = await app().client.products.list_stock_movements(variant.id);
    assert.deepEqual(
      movements.map(({ delta, reason }) => [delta, reason]),
      [
        [-3, 'order edited'],
        [5, 'order edited'],
        [-4, 'order edited'],
        [-2, 'order placed'],
        [50, 'initial stock'],
      ],
    );
  });

  test('PH3, ED5: custom fields of a line are replaced as sent; a required field must be filled', async () => {
    const custom_fields = [{ field_name: 'Engraving', required: true }];
    const product = await makeProduct(app(), { custom_fields });
    const variant = await makeVariant(app(), { product_id: product.id });
    const engraved = (field_value: string) => [{ field_name: 'Engraving', field_value }];
    const { order } = await simpleOrder();
    await refused(edit(order.id, { items: [{ variant_id: variant.id, quantity: 1 }] }), 422, 'required');
    const { items } = await edit(order.id, { items: [{ variant_id: variant.id, quantity: 1, custom_field_values: engraved('A') }] });
    const id = items[1]?.id;
    assert.deepEqual((await edit(order.id, { items: [{ id, quantity: 2 }] })).items[1]?.custom_fields, engraved('A'));
    const changed = await edit(order.id, { items: [{ id, custom_field_values: engraved('B') }] });
    assert.deepEqual([changed.items[1]?.custom_fields, changed.edit.summary], [engraved('B'), `#${id} custom fields`]);
    await refused(edit(order.id, { items: [{ id, custom_field_values: [] }] }), 422, 'required');
  });

  test('O15: an edit of a delivered order adds and removes download links with its lines', async () => {
    const { client } = app();
    const digital = async () => {
      const product = await makeProduct(app(), { kind: 'digital' });
      await makeFile(app(), { product_id: product.id });
      return makeVariant(app(), { product_id: product.id, track_stock: false });
    };
    const [a, b, c] = [await digital(), await digital(), await digital()];
    const order = await create(phoneOrder([a, b].map(({ id }) => ({ variant_id: id, quantity: 1 }))));
    await client.orders.update_status(order.id, { status: 'delivered' });
    const products = async () => (await client.orders.get(order.id)).downloads.map(({ product_id }) => product_id).sort();
    assert.deepEqual(await products(), [a.product_id, b.product_id].sort());
    const [first, second] = order.items;
    await edit(order.id, {
      items: [
        { id: first?.id, variant_id: c.id },
        { id: second?.id, quantity: 0 },
      ],
      warn_acknowledged: true,
    });
    assert.deepEqual(await products(), [c.product_id]);
  });

  test('the preview has the lines before and after the edit, each with the sums that the edit then stores', async () => {
    const { order, line } = await simpleOrder();
    const taxed = await makeProduct(app(), { tax_rate_id: (await makeTaxRate(app(), { rate_bps: 1000 })).id });
    const variant = await makeVariant(app(), { product_id: taxed.id, price_cents: 333 });
    const payload = {
      items: [
        { id: line.id, quantity: 1 },
        { variant_id: variant.id, quantity: 3 },
      ],
      discount_amount_cents: 500,
    };
    const said = await preview(order.id, payload);
    assert.deepEqual(said.lines_before, order.items.map(previewed));
    assert.deepEqual(said.lines_after[1], {
      id: null,
      product_id: taxed.id,
      variant_id: variant.id,
      product_name: taxed.name,
      variant_label: variant.label,
      quantity: 3,
      unit_price: 333,
      subtotal: 999,
      tax_amount: 75, // 10 % of 999 less its part of the discount, which is 250
    });
    const made = await edit(order.id, payload);
    assert.deepEqual(
      said.lines_after.map(({ id: _, ...shown }) => shown),
      made.items.map(previewed).map(({ id: _, ...shown }) => shown),
    );
    assert.deepEqual(
      said.lines_after.map(({ id }) => id),
      [line.id, null],
    );
    const untouched = await preview(order.id, { internal_notes: 'seen' });
    assert.deepEqual(untouched.lines_after, made.items.map(previewed), 'an edit of the notes alone leaves all lines as they are');
  });
});
