import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothStores } from '../helpers/app.ts';
import {
  insertCredits,
  insertCustomer,
  insertFile,
  insertOrder,
  insertOrderStatus,
  insertProduct,
  insertVariant,
} from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { claimedRun, claimRun, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';
import { insertSubscription } from '../helpers/subscriptions.ts';

/** decisions.md §2, Concurrency: what a record shows of others, or of the time, is behind the dot of its ETag. */
onBothStores('ETag of what is derived', (app) => {
  const read = (path: string, headers: Record<string, string> = {}) => app().request({ path: `/admin/api${path}`, headers });
  const rowPart = (etag: string) => etag.replace(/\.[^."]+"$/, '"');

  /** Whoever knows the record is told that it changed, and may still change it by what was known of its row. */
  async function tellsOf(path: string, change: () => Promise<unknown>): Promise<string> {
    const before = await read(path);
    const { etag: old = '' } = before.headers;
    assert.equal((await read(path, { 'if-none-match': old })).status, 304, `${path}, where nothing has changed`);
    await change();
    const after = await read(path, { 'if-none-match': old });
    assert.equal(after.status, 200, `${path} has changed`);
    assert.notDeepEqual(after.body, before.body);
    const { etag = '' } = after.headers;
    assert.notEqual(etag, old);
    assert.equal(rowPart(etag), rowPart(old), 'nobody has edited the record');
    assert.equal((await read(path, { 'if-none-match': etag })).status, 304);
    return old;
  }

  async function tellsAndTakes(path: string, change: () => Promise<unknown>, edit: object): Promise<void> {
    const old = await tellsOf(path, change);
    const edited = await app().request({ method: 'PATCH', path: `/admin/api${path}`, body: edit, headers: { 'if-match': old } });
    assert.equal(edited.status, 200, edited.text);
    assert.equal(edited.headers['etag'], (await read(path)).headers['etag'], 'a write tells all of it');
    const refused = await app().request({ method: 'PATCH', path: `/admin/api${path}`, body: edit, headers: { 'if-match': old } });
    assert.equal(refused.status, 412, 'an edit of somebody else is another matter');
    assert.match(refused.text, new RegExp(`"current_etag":${JSON.stringify(edited.headers['etag']).replaceAll(/[\\.]/g, '\\$&')}`));
  }

  test('a customer: orders, and credits that expire', async () => {
    const { id } = await insertCustomer(app().store);
    const path = `/customers/${id}`;
    await tellsAndTakes(path, () => insertOrder(app().store, { customer_id: id, payment_status: 'paid' }), { phone: '123' });
    const bucket = await insertCredits(app().store, { customer_id: id, credits: 5, expires_at: '2999-01-01T00:00:00.000Z' });
    await tellsOf(path, () =>
      app().store.write((db) => sql`UPDATE credit_buckets SET expires_at = '2020-01-01T00:00:00.000Z' WHERE id = ${bucket.id}`.execute(db)),
    );
  });

  test('a discount group: members', async () => {
    const group = await app().client.discount_groups.create({ name: 'Trade', percent_bps: 500 });
    const { id } = await insertCustomer(app().store);
    const join = () => app().client.customers.update_b2b(id, { is_b2b: true, discount_group_id: group.id });
    await tellsAndTakes(`/discount-groups/${group.id}`, join, { name: 'Trade 2' });
  });

  test('an internal order status: use', async () => {
    const status = await insertOrderStatus(app().store);
    const { id } = await insertOrder(app().store);
    const use = () => app().client.orders.update_internal_status(id, { internal_status_id: status.id });
    await tellsAndTakes(`/order-statuses/${status.id}`, use, { color: '#123456' });
  });

  test('an access group: a sale, the end of one, and what its files, pages, products and members are called', async () => {
    const { client, store } = app();
    const product = await insertProduct(store, { kind: 'digital' });
    const variant = await insertVariant(store, { product_id: product.id, track_stock: 0 });
    const file = await insertFile(store);
    const page = await client.pages.create({ title: 'Secret', slug: 'etag-secret' });
    const customer = await insertCustomer(store);
    const group = await client.access_groups.create({ slug: 'etag-group', name: 'Group' });
    await client.access_groups.replace_files(group.id, { file_ids: [file.id] });
    await client.access_groups.replace_pages(group.id, { page_ids: [page.id] });
    await client.products.replace_access_groups(product.id, { assignments: [{ group_id: group.id, duration_days: 30 }] });
    const path = `/access-groups/${group.id}`;
    const order = await insertOrder(store, { customer_id: customer.id }, [{ variant, quantity: 1 }]);
    await tellsAndTakes(path, () => client.orders.update_payment_status(order.id, { payment_status: 'paid' }), {
      slug: 'etag-group',
      name: 'Renamed',
    });
    await tellsOf(path, () => client.customers.update(customer.id, { name: 'Somebody Else' }));
    await tellsOf(path, () => client.files.update(file.id, { original_filename: 'renamed.pdf' }));
    await tellsOf(path, () => client.pages.update(page.id, { title: 'Renamed' }));
    await tellsOf(path, () => client.products.update(product.id, { name: 'Renamed' }));
    await tellsOf(path, () =>
      store.write(async (db) => {
        const past = '2020-01-01T00:00:00.000Z';
        await sql`UPDATE entitlements SET expires_at = ${past} WHERE order_id = ${order.id}`.execute(db);
        await sql`UPDATE access_group_members SET until = ${past} WHERE group_id = ${group.id}`.execute(db);
      }),
    );
  });

  test('an access group of more members than a write reads again: the write tells what If-Match takes', async () => {
    const group = await app().client.access_groups.create({ slug: 'etag-crowd', name: 'Crowd' });
    const { id } = await insertCustomer(app().store);
    await app().store.write((db) =>
      sql`INSERT INTO customers (name, name_folded, email, email_folded, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
        SELECT 'C', 'C', 'crowd-' || i, 'CROWD-' || i, 0, 0, '', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n`.execute(
        db,
      ),
    );
    await app().store.write((db) =>
      sql`INSERT INTO access_group_members (group_id, customer_id, until)
        SELECT CAST(${group.id} AS bigint), id, '9999-12-31T23:59:59.999Z' FROM customers WHERE email_folded LIKE 'CROWD-%'`.execute(db),
    );
    const grant = await app().request({
      method: 'POST',
      path: `/admin/api/access-groups/${group.id}/grants`,
      body: { customer_id: id, expires_at: null },
    });
    const { etag = '' } = (await read(`/access-groups/${group.id}`)).headers;
    assert.match(etag, /^"access-group-\d+-\d+\.[\w-]{16}"$/);
    assert.equal(grant.headers['etag'], rowPart(etag));
  });

  test('an admin: when they were last seen', async () => {
    const somebody = await person(app(), { permissions: ['admin_api.orders.read'] });
    const seen = () => app().request({ path: '/admin/api/orders', token: somebody.token });
    await tellsAndTakes(`/admins/${somebody.adminId}`, seen, { name: 'Renamed' });
  });

  test('an order: a download of its buyer, and what the file is called', async () => {
    const product = await insertProduct(app().store, { kind: 'digital' });
    const { id: fileId } = await app().client.files.create({ file: { filename: 'x.txt', content: 'x' } });
    await app().client.products.update(product.id, { file_ids: [fileId] });
    const variant = await insertVariant(app().store, { product_id: product.id, track_stock: 0 });
    const order = await insertOrder(app().store, {}, [{ variant, quantity: 1 }]);
    assert.match((await read(`/orders/${order.id}`)).headers['etag'] ?? '', /^"order-\d+-\d+"$/, 'nothing derived, no dot');
    await app().client.orders.update_status(order.id, { status: 'delivered' });
    const [download] = (await app().client.orders.get(order.id)).downloads;
    const old = await tellsOf(`/orders/${order.id}`, () => app().request({ path: download?.url ?? '', token: null }));
    await tellsOf(`/orders/${order.id}`, () => app().client.files.update(fileId, { original_filename: 'y.txt' }));
    const headers = { 'if-match': old };
    const edited = await app().request({
      method: 'PATCH',
      path: `/admin/api/orders/${order.id}/test-flag`,
      body: { is_test: true },
      headers,
    });
    assert.equal(edited.status, 204);
    assert.equal(edited.headers['etag'], (await read(`/orders/${order.id}`)).headers['etag']);
  });

  test('a product, a variant and a voucher: an order that takes of them', async () => {
    const variant = await insertVariant(app().store, { stock: 50 });
    const voucher = await app().client.vouchers.create({ code: 'ETAG', kind: 'percent', percent_bps: 1000 });
    const buy = () => app().client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 1 }], { voucher_code: 'ETAG' }));
    await tellsAndTakes(`/products/${variant.product_id}`, buy, { description: 'Good' });
    await tellsAndTakes(`/variants/${variant.id}`, buy, { label: 'Large' });
    await tellsAndTakes(`/vouchers/${voucher.id}`, buy, { active: false });
  });

  test("a subscription: how the shop's settings write its amount", async () => {
    const { id } = await insertSubscription(app().store);
    const { locale } = await app().client.settings.get();
    await tellsOf(`/subscriptions/${id}`, () => app().client.settings.update({ locale: locale === 'de-DE' ? 'en-US' : 'de-DE' }));
    await app().client.settings.update({ locale });
  });

  test('a version of a task: what its runs use, and what was approved before it', async () => {
    const permissions = ['admin_api.orders.read', 'admin_api.customers.read'] as const;
    const taskId = await makeTask(app(), { permissions: [permissions[0]] });
    const second = await app().client.ai_tasks.create_version(taskId, {
      source_code: 'log(2)',
      permissions: [...permissions],
      parameters: [],
    });
    const path = `/ai-tasks/${taskId}/versions/${second.version_id}`;
    const run = await claimedRun(app(), {}, taskId);
    await tellsOf(path, () => run.call('GET', '/orders'));
    const [, first] = (await app().client.ai_tasks.get(taskId)).versions;
    await tellsOf(path, () => app().client.ai_tasks.revoke_version(taskId, first?.id ?? 0, {}));
  });

  test('a run: why it waits', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const [first, second] = [await openRun(app(), {}, taskId), await openRun(app(), {}, taskId)];
    const path = `/ai-tasks/${taskId}/runs/${second.runId}`;
    await tellsOf(path, () => claimRun(app(), first));
    await tellsOf(path, () => app().client.ai_tasks.cancel_run(taskId, first.runId));
  });

  test('a template: another page at the same path is another record', async () => {
    const { client } = app();
    const theme = await client.themes.create({ name: 'Etag' });
    const path = `/themes/${theme.id}/templates/templates/page.etag`;
    const etags = [];
    for (const content of ['one', 'two']) {
      const page = await client.pages.create({ title: 'Etag', slug: 'etag' });
      const saved = await app().request({ method: 'PUT', path: `/admin/api${path}`, body: { content } });
      const { headers } = await read(path);
      assert.equal(saved.headers['etag'], headers['etag']);
      etags.push(headers['etag']);
      await client.pages.delete(page.id);
    }
    assert.equal(new Set(etags).size, 2, etags.join());
  });
});
