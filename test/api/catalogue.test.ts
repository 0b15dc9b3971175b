import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { field } from '../helpers/runs.ts';

onBothStores('catalogue', (app) => {
  test('TX1: from the first tax rate on exactly one is the default, also after simultaneous changes', async () => {
    const { tax_rates: rates } = app().client;
    const defaults = async () => (await rates.list({ per_page: 100 })).data.filter(({ is_default }) => is_default).map(({ id }) => id);
    const first = await rates.create({ name: 'Normal', rate_bps: 2000, country: 'AT' });
    assert.deepEqual(first, { id: first.id, name: 'Normal', rate_bps: 2000, country: 'AT', is_default: true });
    const second = await rates.create({ name: 'Reduced', rate_bps: 1000 });
    assert.equal(second.is_default, false);
    assert.deepEqual(await defaults(), [first.id]);
    const third = await rates.create({ name: 'Zero', is_default: true });
    assert.deepEqual(await defaults(), [third.id]);
    await rates.update(second.id, { is_default: true });
    assert.deepEqual(await defaults(), [second.id]);
    const error = await refused(rates.update(second.id, { is_default: false }), 422, 'invalid_value');
    assert.equal(error.errors[0]?.pointer, '/is_default');
    await refused(rates.delete(second.id), 409, 'in_use');
    await Promise.all([first, second, third].map(({ id }) => rates.update(id, { is_default: true })));
    assert.equal((await defaults()).length, 1, 'after simultaneous changes');
    const made = await Promise.all([1, 2, 3].map((n) => rates.create({ name: `Race ${n}`, is_default: true })));
    assert.equal(made.length, 3);
    assert.equal((await defaults()).length, 1, 'after simultaneous creations');
  });

  test('TX1: a tax rate that a product has cannot be deleted', async () => {
    const { tax_rates: rates, products } = app().client;
    const rate = await rates.create({ name: 'Books', rate_bps: 500 });
    const product = await products.create({ slug: 'book', name: 'Book', tax_rate_id: rate.id });
    const error = await refused(rates.delete(rate.id), 409, 'in_use');
    assert.match(error.detail, /product \d+ "Book"/);
    await products.update(product.id, { tax_rate_id: null });
    await rates.delete(rate.id);
    await refused(rates.get(rate.id), 404, 'not_found');
    await refused(products.update(product.id, { tax_rate_id: rate.id }), 422, 'tax_rate_not_found');
  });

  test('R2: a tax rate is from 0 to 100 %, its country has two letters', async () => {
    const { tax_rates: rates } = app().client;
    await refused(rates.create({ name: 'Much', rate_bps: 10_001 }), 422, 'out_of_range');
    await refused(rates.create({ name: 'Less', rate_bps: -1 }), 422, 'out_of_range');
    await refused(rates.create({ name: 'Where', country: 'Austria' }), 422, 'invalid_value');
    const { id } = await rates.create({ name: 'Anywhere', country: 'DE' });
    assert.equal((await rates.update(id, { country: null })).country, null);
    await refused(rates.update(999_999, { name: 'x' }), 404, 'not_found');
  });

  test('DG1: discount groups are created, found by case-folded name, changed and deleted', async () => {
    const { discount_groups: groups } = app().client;
    const retail = await groups.create({ name: '  Wiederverkäufer ' });
    assert.deepEqual([retail.name, retail.percent_bps, retail.member_count], ['Wiederverkäufer', 0, 0]);
    const club = await groups.create({ name: 'Club', percent_bps: 1000 });
    const page = await groups.list();
    assert.deepEqual(page.data, [club, retail], 'by name');
    assert.deepEqual([page.total, page.page, page.next_cursor], [2, 1, null]);
    assert.deepEqual((await groups.list({ search: 'VERKÄUFER' })).data, [retail]);
    const changed = await groups.update(retail.id, { percent_bps: 2500 });
    assert.deepEqual([changed.name, changed.percent_bps], ['Wiederverkäufer', 2500]);
    assert.deepEqual(await groups.get(retail.id), changed);
    await refused(groups.create({ name: 'Greedy', percent_bps: 10_001 }), 422, 'out_of_range');
    await refused(groups.create({ name: ' ' }), 422, 'blank');
  });

  test('DG1: deleting a discount group removes its members from it and raises their versions', async () => {
    const { discount_groups: groups, customers } = app().client;
    const group = await groups.create({ name: 'Short-lived', percent_bps: 500 });
    const members = [
      await makeCustomer(app(), { is_b2b: true, discount_group_id: group.id }),
      await makeCustomer(app(), { discount_group_id: group.id }),
    ];
    const stranger = await makeCustomer(app());
    assert.equal((await groups.get(group.id)).member_count, 2);
    await groups.delete(group.id);
    await refused(groups.get(group.id), 404, 'not_found');
    await refused(groups.delete(group.id), 404, 'not_found');
    for (const { id } of members) assert.equal((await customers.get(id)).discount_group_id, null);
    const versionOf = async (id: number) => (await app().request({ path: `/admin/api/customers/${id}` })).headers['etag']?.split('.')[0];
    assert.equal(await versionOf(members[0]?.id ?? 0), `"customer-${members[0]?.id}-3`, 'created, put into the group, removed from it');
    assert.equal(await versionOf(stranger.id), `"customer-${stranger.id}-1`);
  });

  test('CU8: a customer is put into an existing discount group, which lowers prices for businesses alone', async () => {
    const { discount_groups: groups, customers, orders } = app().client;
    const group = await groups.create({ name: 'Trade', percent_bps: 1000 });
    const customer = await makeCustomer(app());
    const variant = await makeVariant(app(), { price_cents: 1005 });
    const subtotal = async () => {
      const { email } = customer;
      const order = phoneOrder([{ variant_id: variant.id, quantity: 2 }], { customer: { name: 'Trader', email, phone: '' } });
      return (await orders.preview(order)).subtotal_cents;
    };
    await customers.update_b2b(customer.id, { is_b2b: false, discount_group_id: group.id });
    assert.deepEqual([(await groups.get(group.id)).member_count, await subtotal()], [1, 2010]);
    await customers.update_b2b(customer.id, { is_b2b: true, discount_group_id: group.id });
    assert.equal(await subtotal(), 2 * 905, '904.5 for each, rounded half up');
    const error = await refused(
      customers.update_b2b(customer.id, { is_b2b: true, discount_group_id: 999_999 }),
      422,
      'discount_group_not_found',
    );
    assert.equal(error.errors[0]?.pointer, '/discount_group_id');
    await customers.update_b2b(customer.id, { is_b2b: true });
    const { is_b2b, discount_group_id } = await customers.get(customer.id);
    assert.deepEqual([is_b2b, discount_group_id], [true, null], 'an omitted group clears it');
    await refused(customers.update_b2b(999_999, { is_b2b: true }), 404, 'not_found');
  });

  test('PL1: pickup locations keep their order; one that an order names cannot be deleted', async () => {
    const { pickup_locations: places } = app().client;
    const first = await places.create({ name: 'Main street' });
    assert.deepEqual(first, {
      id: first.id,
      name: 'Main street',
      line1: '',
      line2: '',
      city: '',
      postal_code: '',
      country: '',
      opening_hours: '',
      active: true,
      sort_order: first.sort_order,
    });
    const second = await places.create({ name: 'Harbour', city: 'Graz', country: 'AT', opening_hours: 'Mon-Fri 9-17' });
    const top = await places.create({ name: 'Airport', sort_order: -1, active: false });
    assert.deepEqual((await places.list()).data, [top, first, second]);
    assert.deepEqual((await places.list({ search: 'harb' })).data, [second]);
    const moved = await places.update(second.id, { city: 'Linz', sort_order: -5 });
    assert.deepEqual([moved.city, moved.country], ['Linz', 'AT']);
    assert.equal((await places.list()).data[0]?.id, second.id);
    await refused(places.update(first.id, { country: 'Austria' }), 422, 'invalid_value');
    const items = [{ variant_id: (await makeVariant(app())).id, quantity: 1 }];
    await app().client.orders.create(phoneOrder(items, { shipping: { kind: 'pickup', method_id: first.id } }));
    const error = await refused(places.delete(first.id), 409, 'in_use');
    assert.match(error.detail, /"active" to false/);
    await places.delete(second.id);
    await refused(places.get(second.id), 404, 'not_found');
  });

  test('SM1: a shipping method has a price, countries and an existing tax rate, which then cannot be deleted', async () => {
    const { shipping_methods: methods, tax_rates: rates } = app().client;
    const rate = await rates.create({ name: 'Postage', rate_bps: 1900 });
    const plain = await methods.create({ name: 'Letter' });
    assert.deepEqual(
      [plain.price_cents, plain.free_over_cents, plain.tax_rate_id, plain.countries, plain.delivery_estimate, plain.active],
      [0, null, null, [], '', true],
    );
    const parcel = await methods.create({
      name: 'Parcel',
      price_cents: 590,
      free_over_cents: 5000,
      tax_rate_id: rate.id,
      countries: ['AT', 'DE'],
      delivery_estimate: '2-3 days',
    });
    assert.deepEqual((await methods.list()).data, [plain, parcel]);
    assert.deepEqual((await methods.list({ search: 'PARC' })).data, [parcel]);
    const changed = await methods.update(parcel.id, { countries: ['CH'], free_over_cents: null, active: false });
    assert.deepEqual(changed, { ...parcel, countries: ['CH'], free_over_cents: null, active: false });
    assert.deepEqual(await methods.get(parcel.id), changed);
    const error = await refused(methods.create({ name: 'Lost', tax_rate_id: 999_999 }), 422, 'tax_rate_not_found');
    assert.equal(error.errors[0]?.pointer, '/tax_rate_id');
    await refused(methods.update(plain.id, { tax_rate_id: 999_999 }), 422, 'tax_rate_not_found');
    await refused(methods.create({ name: 'Twice', countries: ['AT', 'AT'] }), 422, 'duplicate');
    await refused(methods.create({ name: 'Small', countries: ['at'] }), 422, 'invalid_value');
    await refused(methods.create({ name: 'Paid', price_cents: -1 }), 422, 'out_of_range');
    await refused(rates.delete(rate.id), 409, 'in_use');
    await methods.delete(parcel.id);
    await refused(methods.get(parcel.id), 404, 'not_found');
  });

  test('PG5: paging by number and by cursor lists every row once', async () => {
    const { shipping_methods: methods } = app().client;
    for (let n = 0; n < 7; n++) await methods.create({ name: `Paged ${n}`, sort_order: 50 + Math.floor(n / 3) });
    const all = (await methods.list({ search: 'paged', per_page: 100 })).data.map(({ id }) => id);
    const byNumber: number[] = [];
    for (let page = 1; page <= 4; page++)
      byNumber.push(...(await methods.list({ search: 'paged', per_page: 2, page })).data.map(({ id }) => id));
    const byCursor: number[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await methods.list({ search: 'paged', per_page: 2, ...(cursor ? { cursor } : {}) });
      byCursor.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.equal(all.length, 7);
    assert.deepEqual([byNumber, byCursor], [all, all]);
  });

  test('ET1, ET2: every record has an ETag: a stale If-Match is refused, an equal value makes no new version', async () => {
    const group = await app().client.discount_groups.create({ name: 'Versioned' });
    const place = await app().client.pickup_locations.create({ name: 'Versioned' });
    const method = await app().client.shipping_methods.create({ name: 'Versioned' });
    const rate = await app().client.tax_rates.create({ name: 'Versioned' });
    const voucher = await app().client.vouchers.create({ code: 'VERSIONED', kind: 'free_shipping' });
    const status = await app().client.order_statuses.create({ name: 'Versioned' });
    const paths = {
      [`discount-groups/${group.id}`]: { name: 'Changed' },
      [`pickup-locations/${place.id}`]: { name: 'Changed' },
      [`shipping-methods/${method.id}`]: { name: 'Changed' },
      [`tax-rates/${rate.id}`]: { name: 'Changed' },
      [`vouchers/${voucher.id}`]: { code: 'CHANGED' },
      [`order-statuses/${status.id}`]: { name: 'Changed' },
    };
    for (const [path, body] of Object.entries(paths)) {
      const send = (method: string, sent?: object, headers: Record<string, string> = {}) =>
        app().request({ method, path: `/admin/api/${path}`, headers, ...(sent ? { body: sent } : {}) });
      const { etag = '' } = (await send('GET')).headers;
      assert.match(etag, /^"[a-z-]+-\d+-1(\.[\w-]+)?"$/, path);
      assert.equal((await send('PATCH', {}, { 'if-match': etag })).headers['etag'], etag, 'an empty body');
      const changed = await send('PATCH', body, { 'if-match': etag });
      assert.equal(changed.status, 200, changed.text);
      assert.notEqual(changed.headers['etag'], etag);
      assert.equal((await send('PATCH', body)).headers['etag'], changed.headers['etag'], 'the same value again');
      assert.equal(field((await send('DELETE', undefined, { 'if-match': etag })).body, 'code'), 'precondition_failed');
    }
  });

  test('AU7: each resource has its own permissions; write implies read', async () => {
    const reader = await person(app(), { permissions: ['admin_api.tax_rates.read', 'admin_api.vouchers.write'] });
    const client = app().clientFor(reader.token);
    await client.tax_rates.list();
    await client.vouchers.list();
    await refused(client.tax_rates.create({ name: 'No' }), 403, 'forbidden');
    for (const list of [client.discount_groups, client.pickup_locations, client.shipping_methods, client.order_statuses]) {
      await refused(list.list(), 403, 'forbidden');
    }
    await refused(client.products.create({ slug: 'no', name: 'No' }), 403, 'forbidden');
    await refused(client.settings.get(), 403, 'forbidden');
  });
});
