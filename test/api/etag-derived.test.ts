import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { grantCredits, makeCustomer, makeFile, makeOrder, makeOrderStatus, makeProduct, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { claimedRun, claimRun, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';
import { expireAccess, expireBucket } from '../helpers/stored-rows/passed-time.ts';
import { storeCrowd } from '../helpers/stored-rows/sizes.ts';
import { storeSubscription } from '../helpers/stored-rows/subscriptions.ts';

/** spec ET4: the part of an ETag after the dot covers what a record shows of other records or of the time. */
onBothStores('ETag of derived fields', (app) => {
  // The loop that writes expired credits to the ledger changes a customer, and does not come again for an hour.
  before(() => app().firstRounds);
  const read = (path: string, headers: Record<string, string> = {}) => app().request({ path: `/admin/api${path}`, headers });
  const rowPart = (etag: string) => etag.replace(/\.[^."]+"$/, '"');

  /** Asserts that `change` changes the ETag of the record at `path`, but not the part that If-Match checks. */
  async function assertEtagChanges(path: string, change: () => Promise<unknown>): Promise<string> {
    const first = await read(path);
    const { etag: old = '' } = first.headers;
    assert.equal((await read(path, { 'if-none-match': old })).status, 304, `${path} without a change`);
    await change();
    const after = await read(path, { 'if-none-match': old });
    assert.equal(after.status, 200, `${path} has changed`);
    assert.notDeepEqual(after.body, first.body);
    const { etag = '' } = after.headers;
    assert.notEqual(etag, old);
    assert.equal(rowPart(etag), rowPart(old), 'the record itself has not changed');
    assert.equal((await read(path, { 'if-none-match': etag })).status, 304);
    return old;
  }

  async function assertEtagChangesAndEditPasses(path: string, change: () => Promise<unknown>, edit: object): Promise<void> {
    const old = await assertEtagChanges(path, change);
    const edited = await app().request({ method: 'PATCH', path: `/admin/api${path}`, body: edit, headers: { 'if-match': old } });
    assert.equal(edited.status, 200, edited.text);
    assert.equal(edited.headers['etag'], (await read(path)).headers['etag'], 'the answer of the write has the whole ETag');
    const refused = await app().request({ method: 'PATCH', path: `/admin/api${path}`, body: edit, headers: { 'if-match': old } });
    assert.equal(refused.status, 412, 'after an edit of the record the old ETag is stale');
    assert.match(refused.text, new RegExp(`"current_etag":${JSON.stringify(edited.headers['etag']).replaceAll(/[\\.]/g, '\\$&')}`));
  }

  test('a customer: the ETag changes with its orders and expired credits', async () => {
    const customer = await makeCustomer(app());
    const path = `/customers/${customer.id}`;
    await assertEtagChangesAndEditPasses(path, () => makeOrder(app(), { customer, payment_status: 'paid' }), { phone: '123' });
    const bucket = await grantCredits(app(), customer.id, 5, 30);
    await assertEtagChanges(path, () => expireBucket(app().store, bucket));
  });

  test('a discount group: the ETag changes with its members', async () => {
    const group = await app().client.discount_groups.create({ name: 'Trade', percent_bps: 500 });
    const { id } = await makeCustomer(app());
    const join = () => app().client.customers.update_b2b(id, { is_b2b: true, discount_group_id: group.id });
    await assertEtagChangesAndEditPasses(`/discount-groups/${group.id}`, join, { name: 'Trade 2' });
  });

  test('an internal order status: the ETag changes with the number of its orders', async () => {
    const status = await makeOrderStatus(app());
    const { id } = await makeOrder(app());
    const use = () => app().client.orders.update_internal_status(id, { internal_status_id: status.id });
    await assertEtagChangesAndEditPasses(`/order-statuses/${status.id}`, use, { color: '#123456' });
  });

  test('an access group: the ETag changes with sales, expiry, and names of its files, pages, products and members', async () => {
    const { client, store } = app();
    const product = await makeProduct(app(), { kind: 'digital' });
    const variant = await makeVariant(app(), { product_id: product.id, track_stock: false });
    const file = await makeFile(app());
    const page = await client.pages.create({ title: 'Secret', slug: 'etag-secret' });
    const customer = await makeCustomer(app());
    const group = await client.access_groups.create({ slug: 'etag-group', name: 'Group' });
    await client.access_groups.replace_files(group.id, { file_ids: [file.id] });
    await client.access_groups.replace_pages(group.id, { page_ids: [page.id] });
    await client.products.replace_access_groups(product.id, { assignments: [{ group_id: group.id, duration_days: 30 }] });
    const path = `/access-groups/${group.id}`;
    const order = await makeOrder(app(), { customer }, [{ variant, quantity: 1 }]);
    await assertEtagChangesAndEditPasses(path, () => client.orders.update_payment_status(order.id, { payment_status: 'paid' }), {
      slug: 'etag-group',
      name: 'Renamed',
    });
    await assertEtagChanges(path, () => client.customers.update(customer.id, { name: 'Somebody Else' }));
    await assertEtagChanges(path, () => client.files.update(file.id, { original_filename: 'renamed.pdf' }));
    await assertEtagChanges(path, () => client.pages.update(page.id, { title: 'Renamed' }));
    await assertEtagChanges(path, () => client.products.update(product.id, { name: 'Renamed' }));
    await assertEtagChanges(path, () => expireAccess(store, order.id, group.id));
  });

  test('an access group with very many members: the write answers the row part of the ETag', async () => {
    const group = await app().client.access_groups.create({ slug: 'etag-crowd', name: 'Crowd' });
    const { id } = await makeCustomer(app());
    await storeCrowd(app().store, group.id);
    const grant = await app().request({
      method: 'POST',
      path: `/admin/api/access-groups/${group.id}/grants`,
      body: { customer_id: id, expires_at: null },
    });
    const { etag = '' } = (await read(`/access-groups/${group.id}`)).headers;
    assert.match(etag, /^"access-group-\d+-\d+\.[\w-]{16}"$/);
    assert.equal(grant.headers['etag'], rowPart(etag));
  });

  test('an admin: the ETag changes with last_seen_at', async () => {
    const somebody = await person(app(), { permissions: ['admin_api.orders.read'] });
    const seen = () => app().request({ path: '/admin/api/orders', token: somebody.token });
    await assertEtagChangesAndEditPasses(`/admins/${somebody.adminId}`, seen, { name: 'Renamed' });
  });

  test('an order: the ETag changes with downloads and the name of a file', async () => {
    const product = await makeProduct(app(), { kind: 'digital' });
    const { id: fileId } = await app().client.files.create({ file: { filename: 'x.txt', content: 'x' } });
    await app().client.products.update(product.id, { file_ids: [fileId] });
    const variant = await makeVariant(app(), { product_id: product.id, track_stock: false });
    const order = await makeOrder(app(), {}, [{ variant, quantity: 1 }]);
    assert.match(
      (await read(`/orders/${order.id}`)).headers['etag'] ?? '',
      /^"order-\d+-\d+"$/,
      'without derived values the ETag has no dot',
    );
    await app().client.orders.update_status(order.id, { status: 'delivered' });
    const [download] = (await app().client.orders.get(order.id)).downloads;
    const old = await assertEtagChanges(`/orders/${order.id}`, () => app().request({ path: download?.url ?? '', token: null }));
    await assertEtagChanges(`/orders/${order.id}`, () => app().client.files.update(fileId, { original_filename: 'y.txt' }));
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

  test('a product, a variant and a voucher: the ETag changes when an order uses them', async () => {
    const variant = await makeVariant(app(), { stock: 50 });
    const voucher = await app().client.vouchers.create({ code: 'ETAG', kind: 'percent', percent_bps: 1000 });
    const buy = () => app().client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 1 }], { voucher_code: 'ETAG' }));
    await assertEtagChangesAndEditPasses(`/products/${variant.product_id}`, buy, { description: 'Good' });
    await assertEtagChangesAndEditPasses(`/variants/${variant.id}`, buy, { label: 'Large' });
    await assertEtagChangesAndEditPasses(`/vouchers/${voucher.id}`, buy, { active: false });
  });

  test('a subscription: the ETag changes with the locale of the shop, in which the amount is written', async () => {
    const { id } = await storeSubscription(app().store);
    const { locale } = await app().client.settings.get();
    await assertEtagChanges(`/subscriptions/${id}`, () => app().client.settings.update({ locale: locale === 'de-DE' ? 'en-US' : 'de-DE' }));
    await app().client.settings.update({ locale });
  });

  test('a version of a task: the ETag changes with the permissions its runs use and with the approvals before it', async () => {
    const permissions = ['admin_api.orders.read', 'admin_api.customers.read'] as const;
    const taskId = await makeTask(app(), { permissions: [permissions[0]] });
    const second = await app().client.ai_tasks.create_version(taskId, {
      source_code: 'log(2)',
      permissions: [...permissions],
      parameters: [],
    });
    const path = `/ai-tasks/${taskId}/versions/${second.version_id}`;
    const run = await claimedRun(app(), {}, taskId);
    await assertEtagChanges(path, () => run.call('GET', '/orders'));
    const [, first] = (await app().client.ai_tasks.get(taskId)).versions;
    await assertEtagChanges(path, () => app().client.ai_tasks.revoke_version(taskId, first?.id ?? 0, {}));
  });

  test('a task and a version: the ETag changes with the name of the author, that of the task also with decisions on old versions', async () => {
    const author = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const { ai_tasks } = app().clientFor(author.token);
    const source = { source_code: 'log(1)', permissions: [], parameters: [] };
    const { task_id, version_id } = await ai_tasks.create({ name: 'Etag', description: '', ...source });
    await ai_tasks.create_version(task_id, source);
    const rename = (name: string) => () => app().client.admins.update(author.adminId, { name });
    await assertEtagChanges(`/ai-tasks/${task_id}/versions/${version_id}`, rename('Ann'));
    await assertEtagChanges(`/ai-tasks/${task_id}`, rename('Ann Smith'));
    await assertEtagChanges(`/ai-tasks/${task_id}`, () => app().client.ai_tasks.revoke_version(task_id, version_id, {}));
  });

  test('a run: the ETag changes with the reason for waiting', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const [first, second] = [await openRun(app(), {}, taskId), await openRun(app(), {}, taskId)];
    const path = `/ai-tasks/${taskId}/runs/${second.runId}`;
    await assertEtagChanges(path, () => claimRun(app(), first));
    await assertEtagChanges(path, () => app().client.ai_tasks.cancel_run(taskId, first.runId));
  });

  test('a template: a new page with the same path has another ETag', async () => {
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
