import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import type { Permission } from '../../contract/permissions.ts';
import type { Json } from '../../contract/run-events.ts';
import { connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeAddress, makeCustomer, makeFile, makeOrder, makeOrderStatus, makeProduct, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';

/** Edits that set no field that the audit log keeps. */
const NOT_BY_FIELD = [
  'notifications.mark_read',
  'pages.save_draft',
  'products.replace_access_groups',
  'themes.save_template',
  'ai_tasks.set_state',
];
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

type Edit = { type: string; id: number; by: string; path: string; body: Record<string, Json>; read: string };

onBothStores('taking back an edit by its entry of the audit log', (app) => {
  const log = () => app().client.audit_log;
  const newest = async (resource_type: string, resource_id: number) => {
    const [entry] = (await log().list({ resource_type, resource_id })).data;
    assert.ok(entry);
    return entry;
  };
  const send = async (method: string, path: string, body?: Record<string, Json>) => {
    const answer = await app().request({ method, path: `/admin/api${path}`, ...(body && { body }) });
    assert.ok(answer.status < 300, `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  test('UN11: an edit is shown with its values before, after and now, and taken back by an edit that can be taken back in turn', async () => {
    const { client } = app();
    const customer = await makeCustomer(app(), { name: 'Ann' });
    await client.customers.update(customer.id, { name: 'Anna', phone: '+43 1' });
    const entry = await newest('customer', customer.id);
    await client.customers.update(customer.id, { phone: '+43 2' });
    const plan = await log().get_undo(entry.id);
    assert.equal(entry.may_undo, true);
    assert.deepEqual([plan.closed, plan.lacking, plan.taken_back_by], [null, [], []]);
    assert.deepEqual(
      plan.fields.map(({ field, before, after, now, state }) => [field, before, after, now, state]),
      [
        ['name', 'Ann', 'Anna', 'Anna', 'ready'],
        ['phone', null, '+43 1', '+43 2', 'conflict'],
      ],
    );
    const done = await log().undo(entry.id, { digest: plan.digest });
    const after = await client.customers.get(customer.id);
    assert.deepEqual([after.name, after.phone], ['Ann', '+43 2'], 'a conflict is left alone');
    const back = await newest('customer', customer.id);
    assert.deepEqual([back.changes, back.undo_of_entry_id, back.action], [{ name: ['Anna', 'Ann'] }, entry.id, 'customers.update']);
    assert.deepEqual(done.taken_back_by, [back.id]);
    await refused(log().undo(entry.id, { digest: plan.digest }), 409, 'plan_outdated');
    await refused(log().undo(entry.id, {}), 409, 'not_applicable');
    await log().undo(entry.id, { fields: ['phone'] });
    assert.equal((await client.customers.get(customer.id)).phone, null);
    await log().undo(back.id, {});
    assert.equal((await client.customers.get(customer.id)).name, 'Anna');
    const { logs } = await client.logs.list({});
    assert.ok(logs.some(({ summary }) => summary.startsWith(`Took back entry ${entry.id}: Customer ${customer.id}`)));
  });

  test('UN11: an order: status, payment status, its comment, and its edit field by field and line by line', async () => {
    const { client } = app();
    const { id } = await makeOrder(app());
    const before = await client.orders.get(id);
    const item = before.items[0];
    assert.ok(item);
    await client.orders.update_status(id, { status: 'processing' });
    const status = await newest('order', id);
    await client.orders.update_payment_status(id, { payment_status: 'paid' });
    const paid = await newest('order', id);
    const comment = await client.orders.create_comment(id, { body: 'one' });
    const made = await newest('order', id);
    await client.orders.update_comment(id, comment.id, { body: 'two' });
    const said = await newest('order', id);
    await client.orders.edit(id, {
      items: [{ id: item.id, quantity: item.quantity + 1, unit_price_override_cents: 700 }],
      customer: { name: 'Other' },
      shipping_address: { city: 'Graz' },
      discount_amount_cents: 100,
      internal_notes: 'call',
    });
    const edit = await newest('order', id);
    const { data } = await client.orders.timeline(id, {});
    const shown = data.map(({ entry_id }) => entry_id);
    for (const entry of [status, paid, edit]) assert.ok(shown.includes(entry.id), `${entry.action} is in the history with its entry`);
    const plan = await log().get_undo(edit.id);
    assert.deepEqual(
      plan.fields.filter(({ state }) => state !== 'ready').map(({ field, closed }) => [field, closed]),
      [['total', 'follows']],
    );
    for (const entry of [edit, said, paid, status]) await log().undo(entry.id, {});
    const { updated_at: _, ...after } = await client.orders.get(id);
    const { updated_at: __, ...was } = before;
    assert.deepEqual(after, was);
    assert.equal((await client.orders.get_comment(id, comment.id)).body, 'one');
    const closed = await refused(log().undo(made.id, {}), 409, 'not_applicable');
    assert.match(closed.message, /^It made this order|Delete/);
    await client.orders.update_status(id, { status: 'cancelled' });
    const cancelled = await newest('order', id);
    await client.orders.edit(id, { internal_notes: 'x' }).catch(() => undefined);
    assert.equal((await log().get_undo(edit.id)).closed, null);
    const error = await refused(
      log()
        .undo(edit.id, { fields: ['customer_name'] })
        .catch((e) => Promise.reject(e)),
      409,
      'not_applicable',
    );
    assert.match(error.message, /as before/);
    await log().undo(cancelled.id, {});
    assert.equal((await client.orders.get(id)).status, before.status);
  });

  async function edits(): Promise<Edit[]> {
    const { client } = app();
    const n = Date.now();
    const customer = await makeCustomer(app());
    const address = await makeAddress(app(), customer.id);
    const note = await client.customers.create_note(customer.id, { body: 'one' });
    const group = await client.discount_groups.create({ name: `G${n}`, percent_bps: 500 });
    const other = await client.discount_groups.create({ name: `H${n}`, percent_bps: 500 });
    await client.customers.update_b2b(customer.id, { is_b2b: true, discount_group_id: group.id });
    const access = await client.access_groups.create({ slug: `a-${n}`, name: 'A' });
    const file = await makeFile(app());
    const page = await client.pages.create({ slug: `p-${n}`, title: 'P' });
    const media = await client.media.create({ file: { filename: 'a.png', content: PNG, content_type: 'image/png' } });
    const status = await makeOrderStatus(app());
    const order = await makeOrder(app());
    const payment = await client.orders.create_payment(order.id, { label: 'half', amount_cents: 100 });
    const product = await makeProduct(app());
    const variant = await makeVariant(app(), { product_id: product.id });
    const rate = await client.tax_rates.create({ name: `T${n}`, rate_bps: 100 });
    const method = await client.shipping_methods.create({ name: `S${n}`, countries: ['AT'] });
    const place = await client.pickup_locations.create({ name: `L${n}` });
    const theme = await client.themes.create({ name: `Th${n}` });
    const voucher = await client.vouchers.create({ code: `V${n}`, kind: 'fixed', amount_cents: 100 });
    const inquiry = await client.inquiries.create({ name: 'I', email: 'i@example.com', subject: 'S', body: 'B' });
    const edit = (type: string, id: number, by: string, path: string, body: Record<string, Json>, read = path): Edit => ({
      ...{ type, id, by, path, body, read },
    });
    const [c, o, g, p] = [`/customers/${customer.id}`, `/orders/${order.id}`, `/access-groups/${access.id}`, `/pages/${page.id}`];
    return [
      edit('customer', customer.id, 'customers.update', c, { email: `new-${n}@example.com`, registered: false, marketing_opt_out: true }),
      edit('customer', customer.id, 'customers.update_b2b', `${c}/b2b`, { is_b2b: false, discount_group_id: other.id }, c),
      edit(
        'customer_address',
        address.id,
        'customers.update_address',
        `${c}/addresses/${address.id}`,
        { city: 'Linz', line2: 'Top 3' },
        `${c}/addresses`,
      ),
      edit('customer_note', note.id, 'customers.update_note', `${c}/notes/${note.id}`, { body: 'two' }),
      edit('discount_group', group.id, 'discount_groups.update', `/discount-groups/${group.id}`, { name: `X${n}`, percent_bps: 700 }),
      edit('access_group', access.id, 'access_groups.update', g, { slug: `b-${n}`, name: 'B', description: 'D' }, g),
      edit('access_group', access.id, 'access_groups.replace_files', `${g}/files`, { file_ids: [file.id] }, g),
      edit('access_group', access.id, 'access_groups.replace_pages', `${g}/pages`, { page_ids: [page.id] }, g),
      edit('file', file.id, 'files.update', `/files/${file.id}`, { original_filename: 'other.pdf' }),
      edit('inquiry', inquiry.id, 'inquiries.update', `/inquiries/${inquiry.id}`, { subject: 'T', customer_id: customer.id }),
      edit('media', media.id, 'media.update', `/media/${media.id}`, { alt: 'a picture' }),
      edit('order_status', status.id, 'order_statuses.update', `/order-statuses/${status.id}`, { name: `Z${n}`, color: '#112233' }),
      edit('page', page.id, 'pages.update', p, { title: 'Q', slug: `q-${n}`, meta_title: 'M', published: true }, p),
      edit(
        'page',
        page.id,
        'pages.replace_translations',
        `${p}/translations`,
        { entries: [{ field: 'meta_title', locale: 'de-AT', value: 'S' }] },
        `${p}/translations`,
      ),
      edit(
        'payment',
        payment.id,
        'orders.update_payment',
        `${o}/payments/${payment.id}`,
        { label: 'third', amount_cents: 90, paid: true },
        `${o}/payments`,
      ),
      edit('pickup_location', place.id, 'pickup_locations.update', `/pickup-locations/${place.id}`, { city: 'Wien', country: 'AT' }),
      edit('product', product.id, 'products.update', `/products/${product.id}`, {
        ...{ name: 'N', slug: `n-${n}`, description: 'long', status: 'draft', low_stock_threshold: 3, tax_rate_id: rate.id },
        ...{ custom_fields: [{ field_name: 'Text', required: true }], media_ids: [media.id] },
      }),
      edit('variant', variant.id, 'products.update_variant', `/variants/${variant.id}`, {
        price_cents: 5,
        label: 'L',
        weight_grams: 3,
        active: false,
      }),
      edit('shipping_method', method.id, 'shipping_methods.update', `/shipping-methods/${method.id}`, {
        countries: ['DE'],
        free_over_cents: 100,
      }),
      edit('tax_rate', rate.id, 'tax_rates.update', `/tax-rates/${rate.id}`, { rate_bps: 200, country: 'DE' }),
      edit('theme', theme.id, 'themes.update', `/themes/${theme.id}`, { name: `U${n}` }),
      edit('voucher', voucher.id, 'vouchers.update', `/vouchers/${voucher.id}`, {
        kind: 'percent',
        percent_bps: 100,
        amount_cents: null,
        usage_limit: 4,
      }),
      edit('order', order.id, 'orders.update_shipping', `${o}/shipping`, { tracking_number: 'TN', status: 'shipped' }, o),
      edit('order', order.id, 'orders.update_delivery_date', `${o}/delivery-date`, { delivery_date: '2031-02-03' }, o),
      edit('order', order.id, 'orders.update_test_flag', `${o}/test-flag`, { is_test: true }, o),
      edit('order', order.id, 'orders.update_internal_status', `${o}/internal-status`, { internal_status_id: status.id }, o),
      edit('order', order.id, 'orders.update_status', `${o}/status`, { status: 'delivered' }, o),
      edit('order', order.id, 'orders.update_payment_status', `${o}/payment-status`, { payment_status: 'refunded' }, o),
    ];
  }
  const SHOWN = /"(updated_at|paid_at|edited_at|order_count|refunded_at)":("[^"]*"|null|\d+)/g;

  test('UN11: every edit of the shop is taken back field by field, and that too', async () => {
    const wrong: string[] = [];
    const done = new Set<string>(['orders.edit', 'orders.update_comment']);
    for (const { type, id, by, path, body, read } of await edits()) {
      const shown = async () => JSON.stringify(await send('GET', read)).replaceAll(SHOWN, '"$1":0');
      const before = await shown();
      await send(endpointList.find((one) => one.id === by)?.method ?? '', path, body);
      const after = await shown();
      const entry = await newest(type, id);
      assert.deepEqual([entry.action, entry.may_undo], [by, true]);
      const plan = await log().get_undo(entry.id);
      const states = plan.fields.map(({ field, state, closed }) => `${field} ${closed ?? state}`);
      const error = await log()
        .undo(entry.id, { digest: plan.digest })
        .then(
          () => null,
          (reason: Error) => reason.message,
        );
      if (error !== null || before === after || (await shown()) !== before) {
        wrong.push(`${by}: ${states.join()} ${error} ${before} ${await shown()}`);
        continue;
      }
      await log().undo((await newest(type, id)).id, {});
      if ((await shown()) !== after) wrong.push(`${by} again: ${after} ${await shown()}`);
      done.add(by);
    }
    assert.deepEqual(wrong, []);
    const all = endpointList.filter(({ method, undo }: Endpoint) => (method === 'PATCH' || method === 'PUT') && undo === 'restore');
    assert.deepEqual(
      all
        .map(({ id }) => id)
        .filter((id) => !done.has(id))
        .sort(),
      [...NOT_BY_FIELD].sort(),
    );
  });

  test('UN11: what is no edit of a person says why, and what can be done instead', async () => {
    const { client } = app();
    const closed = async (type: string, id: number) => {
      const entry = await newest(type, id);
      assert.equal(entry.may_undo, false, entry.action);
      return (await log().get_undo(entry.id)).closed;
    };
    const customer = await makeCustomer(app());
    assert.equal(await closed('customer', customer.id), 'created');
    await client.customers.adjust_credits(customer.id, { delta: 5 });
    assert.equal(await closed('customer', customer.id), 'ledger');
    const { id: pageId } = await client.pages.create({ slug: `c-${Date.now()}`, title: 'C' });
    await client.pages.update(pageId, { content: '<p>new</p>' });
    assert.equal(await closed('page', pageId), 'not_kept', 'a mark of a text is not written as the text');
    await client.pages.delete(pageId);
    assert.equal(await closed('page', pageId), 'deleted');
    const inquiry = await client.inquiries.create({ name: 'I', email: 'i@example.com', subject: 'S', body: 'B' });
    await client.inquiries.answer(inquiry.id, { body: 'Yes' });
    assert.equal(await closed('inquiry', inquiry.id), 'irreversible');
    await client.settings.update({ low_stock_threshold: 9 });
    const settings = (await log().list({ resource_type: 'settings' })).data[0];
    assert.equal((await log().get_undo(settings?.id ?? 0)).closed, 'not_an_edit');
    assert.equal(settings?.may_undo, false);
    const gone = await client.discount_groups.create({ name: `Gone ${Date.now()}`, percent_bps: 5 });
    await client.discount_groups.update(gone.id, { percent_bps: 6 });
    const edited = await newest('discount_group', gone.id);
    await client.discount_groups.delete(gone.id);
    assert.equal((await log().get_undo(edited.id)).closed, 'gone');
    await refused(log().undo(edited.id, {}), 409, 'not_applicable');
    await refused(log().get_undo(999_999), 404, 'not_found');

    await client.customers.update(customer.id, { name: 'Personal Name' });
    const about = await newest('customer', customer.id);
    await makeOrder(app(), { customer });
    await client.customers.delete(customer.id);
    const forgotten = await log().get_undo(about.id);
    assert.notEqual(forgotten.closed, null);
    assert.ok(!JSON.stringify(forgotten).includes('Personal Name'));
    await refused(log().undo(about.id, { fields: ['name'] }), 409, 'not_applicable');

    const taskId = await makeTask(app(), { permissions: ['admin_api.discount_groups.write'] });
    const run = await claimedRun(app(), {}, taskId);
    const made = await run.call('POST', '/discount-groups', { name: `Run ${Date.now()}`, percent_bps: 5 });
    const entry = await newest('discount_group', z.object({ id: z.number() }).parse(made.body).id);
    const plan = await log().get_undo(entry.id);
    assert.deepEqual([plan.closed, plan.run], ['by_run', { id: run.runId, task_id: taskId }]);
    const error = await run.call('GET', `/audit-log/${entry.id}/undo`);
    assert.equal(error.status, 403, 'tasks take nothing back');
  });

  test('UN11: it takes the rights of the edit, and nothing is seen or set that the caller may not see', async () => {
    const { client, clientFor } = app();
    const customer = await makeCustomer(app(), { name: 'Hidden Name' });
    await client.customers.update(customer.id, { name: 'Shown Name' });
    const entry = await newest('customer', customer.id);
    const mayUndo = async (permissions: Permission[]) => {
      const { data } = await clientFor((await person(app(), { permissions })).token).audit_log.list({ resource_id: customer.id });
      return data.find(({ id }) => id === entry.id)?.may_undo;
    };
    assert.equal(await mayUndo(['admin_api.logs.read']), false);
    assert.equal(await mayUndo(['admin_api.logs.read', 'admin_api.customers.read']), false);
    assert.equal(await mayUndo(['admin_api.logs.read', 'admin_api.customers.write']), true);
    const none = clientFor((await person(app())).token).audit_log;
    await refused(none.get_undo(entry.id), 404, 'not_found');
    await refused(none.undo(entry.id, {}), 404, 'not_found');
    const logs = clientFor((await person(app(), { permissions: ['admin_api.logs.read'] })).token).audit_log;
    assert.match((await refused(logs.get_undo(entry.id), 403, 'forbidden')).message, /customers\.read/);
    const reader = clientFor((await person(app(), { permissions: ['admin_api.customers.read', 'admin_api.logs.read'] })).token).audit_log;
    assert.deepEqual((await reader.get_undo(entry.id)).lacking, ['admin_api.customers.write']);
    await refused(reader.undo(entry.id, {}), 403, 'forbidden');
    const writer = clientFor((await person(app(), { permissions: ['admin_api.customers.write'] })).token).audit_log;
    await refused(writer.get_undo(entry.id), 404, 'not_found');
    const { id: orderId } = await makeOrder(app());
    const clerk = clientFor((await person(app(), { permissions: ['admin_api.orders.write'] })).token);
    await client.orders.edit(orderId, { internal_notes: 'of the owner' });
    await clerk.orders.edit(orderId, { customer: { name: 'Edited' } });
    const shown = (await clerk.orders.timeline(orderId, {})).data.filter(({ action }) => action === 'orders.edit');
    assert.deepEqual(
      shown.map(({ entry_id, changes }) => [entry_id !== null, changes]),
      [
        [true, {}],
        [false, {}],
      ],
      "without the log, one finds the entries of one's own edits",
    );
    await clerk.audit_log.undo(shown[0]?.entry_id ?? 0, {});
    assert.notEqual((await client.orders.get(orderId)).customer_name, 'Edited');
    const agent = await connectAgent(app(), {
      permissions: ['admin_api.customers.write', 'admin_api.logs.read'],
      sees_personal_data: true,
    });
    const seen = await agent.data('call', z.looseObject({ lacking: z.array(z.string()) }), {
      operation: 'audit_log.get_undo',
      params: { id: entry.id },
    });
    assert.deepEqual(seen.lacking, []);
    const asAgent = await app().request({ method: 'POST', path: `/admin/api/audit-log/${entry.id}/undo`, body: {}, token: agent.token });
    assert.ok(asAgent.status === 401 || asAgent.status === 403, 'an agent applies nothing');
    await agent.client.close();
    const blind = await connectAgent(app(), { permissions: ['admin_api.customers.write', 'admin_api.logs.read'] });
    const told = await blind.tool('call', { operation: 'audit_log.get_undo', params: { id: entry.id } });
    assert.deepEqual([told.isError, /Name/.test(told.text)], [true, false]);
    await blind.client.close();
    assert.equal((await client.customers.get(customer.id)).name, 'Shown Name');
  });

  test('UN11: a wrong choice, a refused edit and a repeated request leave or do exactly one thing', async () => {
    const { client } = app();
    const one = await makeCustomer(app(), { email: 'first@example.com' });
    await client.customers.update(one.id, { email: 'second@example.com', name: 'N' });
    const entry = await newest('customer', one.id);
    await refused(log().undo(entry.id, { fields: ['id'] }), 422, 'invalid_value');
    await refused(log().undo(entry.id, { fields: ['__proto__'] }), 422, 'invalid_value');
    await refused(log().undo(entry.id, { fields: ['name', 'name'] }), 422, 'duplicate');
    await makeCustomer(app(), { email: 'first@example.com' });
    const taken = await refused(log().undo(entry.id, {}), 409, 'not_applicable');
    assert.match(taken.message, /already a customer/);
    assert.equal((await client.customers.get(one.id)).name, 'N', 'all or nothing');
    const path = `/admin/api/audit-log/${entry.id}/undo`;
    const headers = { 'Idempotency-Key': '"once"' };
    const first = await app().request({ method: 'POST', path, body: { fields: ['name'] }, headers });
    const again = await app().request({ method: 'POST', path, body: { fields: ['name'] }, headers });
    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
    assert.equal((await log().get_undo(entry.id)).taken_back_by.length, 1);
    const etag = String(first.headers['etag']);
    await refused(
      log().undo(entry.id, { fields: ['email'] }, { headers: { 'If-Match': etag.replace('-2"', '-1"') } }),
      412,
      'precondition_failed',
    );

    const product = await makeProduct(app(), { name: 'A' });
    await client.products.update(product.id, { name: 'B' });
    const edited = await newest('product', product.id);
    const tried = await Promise.allSettled([1, 2, 3].map(() => log().undo(edited.id, {})));
    const answers = tried.map((one) => (one.status === 'fulfilled' ? 200 : one.reason.status));
    assert.deepEqual(answers.sort(), [200, 409, 409], 'three at once take it back once');
  });
});
