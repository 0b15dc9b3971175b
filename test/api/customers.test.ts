import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { grantCredits, makeAddress, makeCustomer, makeOrder } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { storeCredits, storeCustomer } from '../helpers/stored-rows/shop.ts';

onBothStores('customers', (app) => {
  // The loop that writes expiries has its first round soon after the start, and none after that while the tests run.
  before(() => app().firstRounds);

  const names = (page: { data: { name: string }[] }): string[] => page.data.map(({ name }) => name);

  test('CU1: newest first by default; the pages hold every customer once', async () => {
    for (const day of [1, 2, 2, 2, 3]) {
      await storeCustomer(app().store, { name: `Paged ${day}`, created_at: `2026-02-0${day}T10:00:00.000Z` });
    }
    const pages = [1, 2, 3].map((page) => app().client.customers.list({ search: 'paged', per_page: 2, page }));
    const [first, second, third] = await Promise.all(pages);
    assert.ok(first && second && third);
    assert.deepEqual(names(first), ['Paged 3', 'Paged 2']);
    assert.deepEqual([first.total, first.total_pages, first.page, first.per_page], [5, 3, 1, 2]);
    const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
    assert.equal(new Set(ids).size, 5);
    assert.deepEqual(names(third), ['Paged 1']);
  });

  test('PG1: a page past the end is empty with true totals; an empty result has 0 pages', async () => {
    await makeCustomer(app(), { name: 'Lonely' });
    const past = await app().client.customers.list({ search: 'lonely', page: 9 });
    assert.deepEqual([past.data, past.total, past.total_pages, past.page], [[], 1, 1, 9]);
    const none = await app().client.customers.list({ search: 'no such customer' });
    assert.deepEqual([none.data, none.total, none.total_pages, none.next_cursor], [[], 0, 0, null]);
  });

  test('PG5: a cursor leads through the list to its end, in ascending and descending order', async () => {
    for (const name of ['Cursor ä', 'cursor A', 'Cursor a', 'CURSOR B', 'cursor c']) await makeCustomer(app(), { name });
    for (const sort of ['name', '-name', 'email', '-created_at'] as const) {
      const whole = await app().client.customers.list({ search: 'cursor', sort });
      const walked: number[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await app().client.customers.list({ search: 'cursor', sort, per_page: 2, ...(cursor ? { cursor } : {}) });
        walked.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor);
      assert.deepEqual(
        walked,
        whole.data.map(({ id }) => id),
        sort,
      );
    }
    const { next_cursor } = await app().client.customers.list({ search: 'cursor', sort: 'name', per_page: 2 });
    assert.ok(next_cursor);
    await refused(app().client.customers.list({ cursor: next_cursor, sort: 'email' }), 422, 'invalid_value');
    await refused(app().client.customers.list({ cursor: next_cursor, sort: 'name', page: 2 }), 422, 'invalid_value');
    await refused(app().client.customers.list({ cursor: 'tampered' }), 422, 'invalid_value');
  });

  test('CU1: customers are sorted by case-folded name, then by id in the same direction', async () => {
    const made = [];
    for (const name of ['sortée', 'SORTÉE', 'Sortbar']) made.push(await makeCustomer(app(), { name }));
    const ids = made.map(({ id }) => id);
    const [first, second, third] = ids;
    const up = await app().client.customers.list({ search: 'sort', sort: 'name' });
    const down = await app().client.customers.list({ search: 'sort', sort: '-name' });
    const ours = (page: typeof up) => page.data.map(({ id }) => id).filter((id) => ids.includes(id));
    assert.deepEqual(ours(up), [third, first, second]);
    assert.deepEqual(ours(down), [second, first, third]);
  });

  test('G20: search ignores case and marks in every script and takes wildcards literally', async () => {
    await makeCustomer(app(), { name: 'Őszi Straße', email: 'foldéd@example.com' });
    await makeCustomer(app(), { name: '100%_sure' });
    for (const search of ['ŐSZI', 'őszi', 'STRASSE', 'straße', 'FOLDÉD@', '  őszi ', 'oszi', 'ÖSZI', 'folded@']) {
      assert.deepEqual(names(await app().client.customers.list({ search })), ['Őszi Straße'], search);
    }
    for (const name of ['Lelièvre', 'Erdős', 'Łódź', 'Sigurðr Þórsson Æ']) await makeCustomer(app(), { name });
    const found = { lelievre: 'Lelièvre', Erdös: 'Erdős', lodz: 'Łódź', 'thorsson ae': 'Sigurðr Þórsson Æ', sigurdr: 'Sigurðr Þórsson Æ' };
    for (const [search, name] of Object.entries(found))
      assert.deepEqual(names(await app().client.customers.list({ search })), [name], search);
    assert.deepEqual(names(await app().client.customers.list({ search: '%_' })), ['100%_sure']);
  });

  test('CU1: registered filters customers with and without an account', async () => {
    await makeCustomer(app(), { name: 'Regi yes', registered: true });
    await makeCustomer(app(), { name: 'Regi no', registered: false });
    assert.deepEqual(names(await app().client.customers.list({ search: 'regi', registered: true })), ['Regi yes']);
    assert.deepEqual(names(await app().client.customers.list({ search: 'regi', registered: false })), ['Regi no']);
  });

  test('O2, G10: created_from and created_to are inclusive days in the time zone of the shop', async () => {
    await app().client.settings.update({ timezone: 'Europe/Budapest' });
    for (const created_at of [
      '2025-06-01T21:59:59.999Z',
      '2025-06-01T22:00:00.000Z',
      '2025-06-02T21:59:59.999Z',
      '2025-06-02T22:00:00.000Z',
    ]) {
      await storeCustomer(app().store, { name: `Zoned ${created_at}`, created_at });
    }
    const page = await app().client.customers.list({
      search: 'zoned',
      created_from: '2025-06-02',
      created_to: '2025-06-02',
      sort: 'created_at',
    });
    assert.deepEqual(names(page), ['Zoned 2025-06-01T22:00:00.000Z', 'Zoned 2025-06-02T21:59:59.999Z']);
    const reversed = await app().client.customers.list({ search: 'zoned', created_from: '2025-06-03', created_to: '2025-06-02' });
    assert.equal(reversed.total, 0);
  });

  test('R5, O2, G21: values out of range are refused, never clamped', async () => {
    await refused(app().client.customers.list({ per_page: 101 }), 422, 'out_of_range');
    await refused(app().client.customers.list({ per_page: 0 }), 422, 'out_of_range');
    await refused(app().client.customers.list({ page: 0 }), 422, 'out_of_range');
    await refused(app().client.customers.list({ created_from: '2026-02-30' }), 422, 'invalid_date');
    await refused(app().client.customers.list({ search: 'x'.repeat(201) }), 422, 'too_long');
  });

  test('CU2: the detail leaves test orders out of its count, sums paid orders, and has the default address first', async () => {
    const customer = await makeCustomer(app(), { name: 'Detail', phone: '+43 1' });
    const second = await makeAddress(app(), customer.id, { label: 'Second' });
    const main = await makeAddress(app(), customer.id, { label: 'Main', is_default: true });
    await makeOrder(app(), { customer, total: 500, payment_status: 'paid' });
    await makeOrder(app(), { customer, total: 700, payment_status: 'paid', status: 'cancelled' });
    await makeOrder(app(), { customer, total: 900 });
    await makeOrder(app(), { customer, total: 9000, payment_status: 'paid', is_test: true });
    await grantCredits(app(), customer.id, 30);
    await storeCredits(app().store, { customer_id: customer.id, credits: 70, expires_at: '2020-01-01T00:00:00.000Z' });
    const detail = await app().client.customers.get(customer.id);
    assert.equal(detail.order_count, 3);
    assert.equal(detail.total_spent, 500);
    assert.equal(detail.credits, 30);
    assert.deepEqual(
      detail.addresses.map(({ id }) => id),
      [main.id, second.id],
    );
    assert.deepEqual([detail.phone, detail.register_ip, detail.last_login_ip, detail.registered], ['+43 1', '', '', true]);
  });

  test('CR8, R3: an unknown customer is 404 in the detail, in credits and in notes', async () => {
    const unknown = 999_999;
    await refused(app().client.customers.get(unknown), 404, 'not_found');
    await refused(app().client.customers.get_credits(unknown), 404, 'not_found');
    await refused(app().client.customers.list_credit_transactions(unknown), 404, 'not_found');
    await refused(app().client.customers.adjust_credits(unknown, { delta: 1 }), 404, 'not_found');
    await refused(app().client.customers.list_notes(unknown), 404, 'not_found');
    await refused(app().client.customers.create_note(unknown, { body: 'x' }), 404, 'not_found');
  });
});
