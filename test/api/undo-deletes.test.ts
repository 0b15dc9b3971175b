import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeAddress, makeCustomer, makeFile, makeOrder, makeOrderStatus, makeProduct, makeVariant } from '../helpers/builders.ts';
import { type Call, ran as ranWith, takenBack } from '../helpers/done-runs.ts';
import { changedRows } from '../helpers/dump.ts';
import { dumpRecords } from '../helpers/records-dump.ts';
import { refused } from '../helpers/refused.ts';
import { putDiscountGroup } from '../helpers/stored-rows/taken-ids.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

onBothStores('taking back what a run deleted', (app) => {
  const permissions = [...taskPermissions];
  const ran = (calls: readonly Call[], taskId?: number) => ranWith(app(), calls, { permissions, ...(taskId !== undefined && { taskId }) });
  let made = 0;

  /** A record of each kind that a task may delete, with what belongs to it, and the call that deletes it. */
  async function deletions(taskId: number): Promise<Map<string, Call>> {
    const { client } = app();
    made += 1;
    const n = `${made}-${Date.now()}`;
    const customer = await makeCustomer(app(), { is_b2b: true });
    const address = await makeAddress(app(), customer.id, { is_default: true });
    const note = await client.customers.create_note(customer.id, { body: 'called' });
    const order = await makeOrder(app());
    const comment = await client.orders.create_comment(order.id, { body: 'wrapped' });
    const { shipment } = await client.orders.create_shipment(order.id);
    const payment = await client.orders.create_payment(order.id, { label: 'half', amount_cents: 100, paid: true });
    const page = await client.pages.create({ slug: `page-${n}`, title: 'P' });
    const drafted = await client.pages.create({ slug: `drafted-${n}`, title: 'D' });
    await client.pages.save_draft(drafted.id, { title: 'Other' });
    await client.pages.save_draft(page.id, { title: 'Draft' });
    await client.pages.replace_translations(page.id, { entries: [{ field: 'meta_title', locale: 'de-AT', value: 'S' }] });
    const file = await makeFile(app());
    const access = await client.access_groups.create({ slug: `access-${n}`, name: 'A' });
    await client.access_groups.replace_files(access.id, { file_ids: [file.id] });
    await client.access_groups.replace_pages(access.id, { page_ids: [page.id] });
    const kept = await client.access_groups.create({ slug: `kept-${n}`, name: 'K' });
    const grant = await client.access_groups.create_grant(kept.id, { customer_id: customer.id, expires_at: null });
    // The first one is the default, which stays.
    await client.tax_rates.create({ name: `Base ${n}`, rate_bps: 100 });
    const tax = await client.tax_rates.create({ name: `T${n}`, rate_bps: 100 });
    const media = await client.media.create({ file: { filename: 'a.png', content: PNG, content_type: 'image/png' } });
    const product = await makeProduct(app(), { kind: 'digital', file_ids: [file.id], media_ids: [media.id] });
    await makeVariant(app(), { product_id: product.id });
    await makeVariant(app(), { product_id: product.id });
    await client.products.replace_access_groups(product.id, { assignments: [{ group_id: kept.id, duration_days: 3 }] });
    const variant = await makeVariant(app());
    await client.products.change_stock(variant.id, { delta: 3, reason: 'found' });
    const discounts = await client.discount_groups.create({ name: `G${n}`, percent_bps: 500 });
    const inquiry = await client.inquiries.create({ name: 'I', email: customer.email, subject: 'S', body: 'B' });
    const status = await makeOrderStatus(app());
    const place = await client.pickup_locations.create({ name: `L${n}` });
    const method = await client.shipping_methods.create({ name: `S${n}`, countries: ['AT'] });
    const theme = await client.themes.create({ name: `Th${n}` });
    await client.themes.save_template(theme.id, 'own/part', { content: 'own' });
    const voucher = await client.vouchers.create({ code: `V${n}`, kind: 'fixed', amount_cents: 100 });
    await client.ai_tasks.set_state(taskId, 'key', { value: { a: [1] } });
    return new Map([
      ['customers.delete_address', ['DELETE', `/customers/${customer.id}/addresses/${address.id}`]],
      ['customers.delete_note', ['DELETE', `/customers/${customer.id}/notes/${note.id}`]],
      ['orders.delete_comment', ['DELETE', `/orders/${order.id}/comments/${comment.id}`]],
      ['orders.delete_shipment', ['DELETE', `/orders/${order.id}/shipments/${shipment.id}`]],
      ['orders.delete_payment', ['DELETE', `/orders/${order.id}/payments/${payment.id}`]],
      ['pages.discard_draft', ['DELETE', `/pages/${drafted.id}/draft`]],
      ['pages.delete', ['DELETE', `/pages/${page.id}`]],
      ['access_groups.revoke_grant', ['DELETE', `/access-grants/${grant.id}`]],
      ['access_groups.delete', ['DELETE', `/access-groups/${access.id}`]],
      ['products.delete', ['DELETE', `/products/${product.id}`]],
      ['products.delete_variant', ['DELETE', `/variants/${variant.id}`]],
      ['tax_rates.delete', ['DELETE', `/tax-rates/${tax.id}`]],
      ['discount_groups.delete', ['DELETE', `/discount-groups/${discounts.id}`]],
      ['inquiries.delete', ['DELETE', `/inquiries/${inquiry.id}`]],
      ['order_statuses.delete', ['DELETE', `/order-statuses/${status.id}`]],
      ['pickup_locations.delete', ['DELETE', `/pickup-locations/${place.id}`]],
      ['shipping_methods.delete', ['DELETE', `/shipping-methods/${method.id}`]],
      ['themes.delete', ['DELETE', `/themes/${theme.id}`]],
      ['vouchers.delete', ['DELETE', `/vouchers/${voucher.id}`]],
      ['ai_tasks.delete_state', ['DELETE', `/ai-tasks/${taskId}/state/key`]],
    ]);
  }

  test('UN3: a record of each kind comes back under its id with all that belonged to it, and goes again', async () => {
    const { taskId } = await ran([]);
    const calls = await deletions(taskId);
    const restored = endpointList.filter(({ method, undo }: Endpoint) => method === 'DELETE' && undo === 'restore');
    assert.deepEqual([...calls.keys()].sort(), restored.map(({ id }) => id).sort(), 'every kind that a task may delete');
    const before = await dumpRecords(app().store);
    const { runId } = await ran([...calls.values()], taskId);
    const after = await dumpRecords(app().store);
    const plan = await app().client.ai_tasks.undo_run(taskId, runId, {});
    const rows = await app().client.ai_tasks.list_undo(taskId, plan.run_id);
    assert.deepEqual(
      rows.filter(({ state }) => state !== 'ready').map(({ path, state, reason }) => [path, state, reason]),
      [],
    );
    const undone = (await app().client.ai_tasks.apply_run(taskId, plan.run_id)).run_id;
    assert.deepEqual(changedRows(before, await dumpRecords(app().store)), []);
    await takenBack(app(), taskId, undone);
    assert.deepEqual(changedRows(after, await dumpRecords(app().store)), []);
  });

  test('UN10: a shipment whose label was bought does not come back', async () => {
    const { client } = app();
    const order = await makeOrder(app());
    const { shipment, courier_options: options } = await client.orders.create_shipment(order.id);
    const [{ courier_id = '', courier_name = '' } = {}] = options;
    await client.orders.buy_label(order.id, shipment.id, { courier_id, courier_name });
    const { taskId, runId } = await ran([['DELETE', `/orders/${order.id}/shipments/${shipment.id}`]]);
    const plan = await client.ai_tasks.undo_run(taskId, runId, {});
    const [row] = await client.ai_tasks.list_undo(taskId, plan.run_id);
    assert.deepEqual([row?.state, row?.choosable, row?.reason_code], ['irreversible', false, 'endpoint']);
    assert.match(row?.reason ?? '', /courier was asked to take a bought label back/);
  });

  test('UN6: a name that another has by now keeps the record away; an id that is taken is shown and can be chosen', async () => {
    const { client } = app();
    const tasks = client.ai_tasks;
    const n = Date.now();
    const slug = `taken-${n}`;
    const page = await client.pages.create({ slug, title: 'First' });
    const voucher = await client.vouchers.create({ code: `TAKEN${n}`, kind: 'fixed', amount_cents: 100 });
    const group = await client.discount_groups.create({ name: `Id ${n}`, percent_bps: 500 });
    const { taskId, runId } = await ran([
      ['DELETE', `/pages/${page.id}`],
      ['DELETE', `/vouchers/${voucher.id}`],
      ['DELETE', `/discount-groups/${group.id}`],
    ]);
    await client.pages.create({ slug, title: 'Second' });
    await client.vouchers.create({ code: `taken${n}`, kind: 'fixed', amount_cents: 200 });
    await putDiscountGroup(app().store, { id: group.id, name: `Other ${n}`, percent_bps: 900 });
    const plan = await tasks.undo_run(taskId, runId, {});
    const rows = await tasks.list_undo(taskId, plan.run_id);
    assert.deepEqual(
      rows.map(({ path, state, choosable }) => [path.split('/')[1], state, choosable]),
      [
        ['discount-groups', 'conflict', true],
        ['vouchers', 'conflict', false],
        ['pages', 'conflict', false],
      ],
    );
    assert.match(rows[1]?.reason ?? '', /only one may have/);
    const percent = rows[0]?.conflicts.find(({ field }) => field === 'percent_bps');
    assert.deepEqual([percent?.before, percent?.run, percent?.now], [500, null, 900]);
    await refused(tasks.apply_run(taskId, plan.run_id, { rows: [2] }), 409, 'not_applicable');
    await tasks.apply_run(taskId, plan.run_id, { rows: [1] });
    assert.deepEqual(
      [(await client.discount_groups.get(group.id)).name, (await client.pages.list({ search: 'Second' })).length],
      [`Id ${n}`, 1],
    );
  });

  test('UN7: what was chosen and cannot be done by now is not said to be done', async () => {
    const { client } = app();
    const n = Date.now();
    const one = await makeCustomer(app(), { email: `first-${n}@example.com` });
    const { taskId, runId } = await ran([['PATCH', `/customers/${one.id}`, { email: `run-${n}@example.com` }]]);
    await client.customers.update(one.id, { email: `since-${n}@example.com` });
    const plan = await client.ai_tasks.undo_run(taskId, runId, {});
    const [row] = await client.ai_tasks.list_undo(taskId, plan.run_id);
    assert.deepEqual([row?.state, row?.choosable], ['conflict', true]);
    await makeCustomer(app(), { email: `first-${n}@example.com` });
    const error = await refused(client.ai_tasks.apply_run(taskId, plan.run_id, { rows: [1] }), 409, 'plan_outdated');
    assert.match(error.message, /only one may have/);
    assert.equal((await client.customers.get(one.id)).email, `since-${n}@example.com`);
  });
});
