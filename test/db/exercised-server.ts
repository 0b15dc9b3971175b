import assert from 'node:assert/strict';
import pino from 'pino';
import type { Claim } from '../../contract/runner.ts';
import { recoverLapsed } from '../../server/automation/runs/life/recovery.ts';
import { offerDue } from '../../server/automation/runs/life/retry.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { diskFiles } from '../../server/providers/files/disk.ts';
import { expireCredits } from '../../server/resources/credits/expiry.ts';
import { queueMail } from '../../server/resources/mail/domain.ts';
import { readSettings } from '../../server/resources/settings/domain.ts';
import { keyPrefix, sweepOrphans } from '../../server/resources/storage/domain.ts';
import { RUNNER_TOKEN, type TestApp } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { png } from '../helpers/images.ts';
import { until } from '../helpers/machines.ts';
import { ghent, phoneOrder } from '../helpers/phone-orders.ts';
import { servicesOf } from '../helpers/services.ts';
import { storeCustomer } from '../helpers/stored-rows/shop.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';
import { chargeObject, deliver, eventOf, invoiceObject, paymentIntentObject, subscriptionObject } from '../helpers/stripe-double.ts';
import { makePickupLocation, makeShippingMethod, makeVoucher } from '../helpers/terms.ts';

type Tokens = Pick<Claim, 'token' | 'report_token'>;

/** Makes every kind of request and run once, so that the tests can inspect the statements that the server prepares for them. */
export async function exercise(app: TestApp): Promise<void> {
  const { store, client, clientFor, request } = app;
  const customer = await storeCustomer(store);
  const order = await makeOrder(app, { customer });
  const { task_id, version_id } = await client.ai_tasks.create({
    name: 'plans',
    description: '',
    source_code: 'log(1)',
    permissions: ['admin_api.orders.write', 'admin_api.customers.write', 'llm'],
    parameters: [],
  });
  const runner = { name: 'plans', version: '1', isolation: [] };
  const claimOne = async (): Promise<Tokens> => {
    const { claims } = await clientFor(RUNNER_TOKEN).runner.claim({ runner, slots: 1, wait_ms: 0 });
    return claims[0] ?? assert.fail('there was no run to claim');
  };
  const call = ({ token }: Tokens, epoch: number, path: string, n: number, body?: unknown) =>
    request({
      method: body === undefined ? 'GET' : 'POST',
      path: `/admin/api${path}`,
      token,
      body,
      headers: { 'idempotency-key': `"${epoch}/${String(n).repeat(64)}/0"` },
    });
  let reports = 0;
  const report = async ({ report_token: token }: Tokens, runId: number, ...events: unknown[]): Promise<void> => {
    reports += 1;
    const headers = { 'idempotency-key': `"${reports}"` };
    const answer = await request({
      method: 'PATCH',
      path: `/admin/api/ai-tasks/${task_id}/runs/${runId}`,
      token,
      body: { events },
      headers,
    });
    assert.equal(answer.status, 204, answer.text);
  };
  const notes = `/customers/${customer.id}/notes`;

  const first = await client.ai_tasks.start_run(task_id, { parameters: {}, record: true });
  const taken = await claimOne();
  assert.equal((await call(taken, 0, `/orders/${order.id}`, 1)).status, 200);
  const progress = { kind: 'progress', current: 1, total: 2, label: '' };
  await report(taken, first.run_id, { kind: 'log', line: 'a' }, progress, { kind: 'checkpoint', state: { a: 1 }, epoch: 0 });
  assert.equal((await call(taken, 1, notes, 2, { body: 'one' })).status, 201);
  assert.equal((await call(taken, 1, notes, 2, { body: 'one' })).status, 201);
  await report(taken, first.run_id, { kind: 'answered', call: `0/once/${'0'.repeat(32)}/0` });
  await report(taken, first.run_id, { kind: 'finalize', status: 'interrupted', end_reason: 'drained' });
  const second = await client.ai_tasks.start_run(task_id, { parameters: {}, resume_run_id: first.run_id });
  const secondClaim = await claimOne();
  assert.equal((await call(secondClaim, 1, notes, 3, { body: 'two' })).status, 409);
  assert.equal((await call(secondClaim, 1, `/orders/${(await makeOrder(app)).id}/shipments`, 4, {})).status, 201);
  await client.settings.update({ llm: { base_url: 'http://127.0.0.1:1/v1', model: 'plans' } });
  const messages = [{ role: 'user', content: 'plans' }];
  assert.equal((await call(secondClaim, 1, '/llm/completions', 5, { messages, max_tokens: 1 })).status, 502);
  await report(secondClaim, second.run_id, { kind: 'finalize', status: 'success', end_reason: 'completed' });

  const other = await client.ai_tasks.create_version(task_id, {
    source_code: 'log(2)',
    permissions: ['admin_api.customers.write'],
    parameters: [],
  });
  const replay = await client.replays.start(task_id, first.run_id, { version_id: other.version_id });
  const replaying = await claimOne();
  const own = `/admin/api/runner/runs/${replay.run_id}`;
  assert.equal((await request({ path: `${own}/answers`, token: replaying.report_token })).status, 200);
  assert.equal((await request({ method: 'POST', path: `${own}/memory`, token: replaying.report_token, body: { name: 'a' } })).status, 200);
  assert.equal((await call(replaying, 0, notes, 9, { body: 'other' })).status, 201);
  await report(replaying, replay.run_id, { kind: 'checkpoint', state: { a: 1 }, epoch: 0 });
  await report(replaying, replay.run_id, { kind: 'finalize', status: 'success', end_reason: 'completed' });
  await client.replays.get(task_id, replay.run_id);

  const draft = { source_code: 'log(3)', permissions: ['admin_api.customers.write' as const], parameters: [] };
  const tried = await client.ai_tasks.start_run(task_id, { dry_run: true, draft });
  const trying = await claimOne();
  await report(trying, tried.run_id, { kind: 'finalize', status: 'success', end_reason: 'completed' });
  await assert.rejects(client.ai_tasks.apply_run(task_id, tried.run_id), /is of a draft/);

  await client.ai_tasks.update(task_id, { settings: { retry: { attempts: 2, first_ms: 0, on: ['budget', 'script_error'] } } });
  const retried = await client.ai_tasks.start_run(task_id, { parameters: {} });
  await report(await claimOne(), retried.run_id, { kind: 'finalize', status: 'failed', end_reason: 'script_error' });
  await offerDue(await servicesOf(store));
  await report(await claimOne(), retried.run_id, { kind: 'finalize', status: 'interrupted', end_reason: 'budget' });

  const undo = await client.ai_tasks.undo_run(task_id, first.run_id, {});
  assert.equal(undo.rows.ready, 1);
  await client.ai_tasks.apply_run(task_id, undo.run_id);
  await client.ai_tasks.list_undo(task_id, undo.run_id);
  await client.ai_tasks.list_runs(task_id, { limit: 10 });
  await client.ai_tasks.get_run(task_id, first.run_id);
  await client.ai_tasks.list_effects(task_id, first.run_id);
  await client.ai_tasks.list_run_lines(task_id, first.run_id);
  await client.ai_tasks.list_calls(task_id, first.run_id);
  await client.ai_tasks.list_checkpoints(task_id, second.run_id);
  await client.ai_tasks.get_checkpoint_state(task_id, second.run_id, 1);
  await client.ai_tasks.get(task_id);
  await client.runner.status();
  await client.ai_tasks.restart_run(task_id, second.run_id, { checkpoint: 1 });
  await client.ai_tasks.start_run(task_id, { parameters: {} });
  await client.ai_tasks.cancel_runs(task_id);
  await client.ai_tasks.start_run(task_id, { parameters: {} });
  await client.ai_tasks.update(task_id, { settings: { concurrency: { limit: 3 } } });
  await claimOne();
  await client.ai_tasks.update(task_id, { settings: { concurrency: { limit: 3, key: 'shop' } } });
  await client.ai_tasks.start_run(task_id, { parameters: { shop: 'a' } });
  await claimOne();
  await client.ai_tasks.revoke_version(task_id, other.version_id);
  await client.ai_tasks.list_approvals(task_id);
  await client.ai_tasks.list_version_approvals(task_id, version_id);
  const comment = await client.ai_tasks.create_comment(task_id, version_id, { line: 1, text: 'why?' });
  await client.ai_tasks.answer_comment(task_id, comment.id, { text: 'so' });
  await client.ai_tasks.update_comment(task_id, comment.id, { resolved: true });
  await client.ai_tasks.list_comments(task_id, { version_id, open: false });
  await client.ai_tasks.list_comments(task_id, { open: true });
  await client.ai_tasks.list_pending_versions();
  await client.ai_tasks.create_version(task_id, { ...draft, base_version_id: other.version_id });
  await client.orders.get(order.id);
  await client.customers.list_notes(customer.id);
  await clientFor(RUNNER_TOKEN).runner.claim({ runner, slots: 2, wait_ms: 300 });
  await exerciseCatalogue(client);
  await exerciseOrders(app);
  await exerciseShipping(client, order.id);
  await recoverLapsed(await servicesOf(store));
  await client.settings.update({ audit_days: 3650 });
  await sweepOld(store);
  await exerciseMail({ store, client });
  await exerciseSubscriptions(app);
  await exerciseFiles(app);
  await exercisePages(app);
  await exerciseCustomers(app, customer);
}

/** Deletes two customers, one with an inquiry and one with a file, and lets credits expire. */
async function exerciseCustomers(app: TestApp, { id, email }: { id: number; email: string }): Promise<void> {
  const { store, client } = app;
  const { customer_id } = await client.inquiries.create({ name: 'A', email, subject: '', body: 'plans' });
  assert.equal(customer_id, id);
  await expireCredits(await servicesOf(store));
  await client.customers.delete(id);
  const { id: unneeded } = await storeCustomer(store);
  await client.customers.upload_file(unneeded, { file: { filename: 'plans', content: 'x' } });
  await client.customers.delete(unneeded);
}

/** Requests of pages. Activating a theme is left out, because it reads all pages on purpose. */
async function exercisePages({ client, request }: TestApp): Promise<void> {
  const image = await client.media.create({ file: { filename: 'page', content: png(1, 1) } });
  const { id } = await client.pages.create({ slug: 'plan', title: 'plan', og_image_media_id: image.id });
  await client.pages.update(id, { slug: 'plans', content: 'plans' });
  await client.pages.replace_translations(id, { entries: [{ field: 'meta_title', locale: 'de', value: 'plans' }] });
  for (const search of [undefined, 'plan']) await client.pages.list({ search });
  await client.pages.get(id);
  for (const title of ['plan d', 'plan e']) {
    await client.pages.save_draft(id, { title });
    await client.pages.get_draft(id);
    await client.pages.list_drafts();
    await (title === 'plan d' ? client.pages.publish_draft(id) : client.pages.discard_draft(id));
  }
  const theme = await client.themes.create({ name: 'plans' });
  for (const path of ['part', 'templates/page.plans']) await client.themes.save_template(theme.id, path, { content: 'plans' });
  await client.themes.list_templates(theme.id);
  await client.themes.get_template(theme.id, 'part');
  assert.equal((await request({ path: `/admin/api/pages/${id}/preview` })).status, 200);
  await client.media.delete(image.id);
  await client.themes.delete(theme.id);
  await client.pages.delete(id);
}

async function exerciseFiles(app: TestApp): Promise<void> {
  const { store, client, request, filesDir } = app;
  const file = await client.files.create({ file: { filename: 'plans', content: 'x' } });
  const image = await client.media.create({ file: { filename: 'plans', content: png(1, 1) } });
  const product = await client.products.create({ slug: 'plan', name: 'plan', kind: 'digital', file_ids: [file.id], media_ids: [image.id] });
  const variant = await makeVariant(app, { product_id: product.id, track_stock: false });
  const { id } = await makeOrder(app, {}, [{ variant, quantity: 1 }]);
  for (const status of ['delivered', 'cancelled', 'delivered'] as const) await client.orders.update_status(id, { status });
  const [download] = (await client.orders.get(id)).downloads;
  assert.equal((await request({ path: String(download?.url), token: null })).status, 200);
  assert.equal((await request({ path: image.url, token: null })).status, 200);
  for (const { list } of [client.files, client.media]) await list();
  const inTwoHours = Date.now() + 7_200_000;
  await sweepOrphans(store, diskFiles(filesDir, await keyPrefix(store)), pino({ level: 'silent' }), inTwoHours);
  await client.files.update(file.id, { original_filename: 'plans-2' });
  await client.media.update(image.id, { alt: 'plans' });
  await client.products.update(product.id, { file_ids: [], media_ids: [] });
  await client.files.delete(file.id, { clear: true });
  await client.media.delete(image.id);
}

async function exerciseSubscriptions(shop: TestApp): Promise<void> {
  const { store, client } = shop;
  const tell = async (type: string, object: Record<string, unknown>): Promise<void> => {
    assert.equal((await deliver(shop, eventOf(type, object))).status, 200);
  };
  const { order, product } = await storeSubscriptionOrder(store);
  const object = subscriptionObject();
  const invoice = invoiceObject(object.id, { billing_reason: 'subscription_create' });
  await tell('invoice.paid', invoice);
  await tell('customer.subscription.created', object);
  const ids = { external_subscription_id: object.id, external_customer_id: 'cus' };
  const { id } = await client.subscriptions.activate(order.id, ids);
  await tell('customer.subscription.updated', { ...object, status: 'past_due' });
  await tell('invoice_payment.paid', { invoice: invoice.id, payment: { payment_intent: 'pi_plans' } });
  await tell('payment_intent.succeeded', paymentIntentObject({ metadata: { order_id: String(order.id) } }));
  await tell('charge.refunded', chargeObject({ payment_intent: 'pi_plans', amount_refunded: 1 }));
  const filters = [
    {},
    { status: 'active' },
    { product_id: product.id },
    { customer_id: 1 },
    { order_id: order.id },
    { status: 'active', customer_id: 1 },
  ] as const;
  for (const filter of filters) await client.subscriptions.list(filter);
  const { next_cursor: cursor } = await client.subscriptions.list({ per_page: 1 });
  if (cursor !== null) await client.subscriptions.list({ cursor });
  // Lists that a script follows by cursor, each in its own order.
  for (const sort of ['created_at', '-created_at', 'name', '-name'] as const) {
    const { next_cursor: after } = await client.customers.list({ sort, per_page: 1 });
    if (after !== null) await client.customers.list({ sort, cursor: after });
  }
  // Lists in the order of change, and of records changed since a time.
  const { customers, products, subscriptions, inquiries } = client;
  for (const list of [customers.list, products.list, subscriptions.list, inquiries.list]) {
    const { next_cursor: next, changes_cursor: after = '' } = await list({ after: 'start', per_page: 1 });
    if (next !== null) await list({ after: 'start', cursor: next });
    await list({ after });
    for (const sort of ['updated_at', '-updated_at'] as const) await list({ sort, updated_since: '2026-01-01T00:00:00Z' });
  }
  await client.subscriptions.get(id);
  await client.subscriptions.list_invoices(id);
  await client.subscriptions.cancel(id);
}

async function exerciseOrders(app: TestApp): Promise<void> {
  const { client } = app;
  const variant = await makeVariant(app);
  const other = await makeVariant(app);
  const method = await makeShippingMethod(app);
  const place = await makePickupLocation(app);
  const voucher = await makeVoucher(app, { percent_bps: 100, per_customer_limit: 5 });
  const items = [{ variant_id: variant.id, quantity: 1 }];
  const sent = { shipping: { kind: 'configured', method_id: method.id }, shipping_address: ghent } as const;
  await client.orders.preview(phoneOrder(items, { shipping: { kind: 'pickup', method_id: place.id }, voucher_code: voucher.code }));
  const { id } = await client.orders.create(
    phoneOrder(items, { ...sent, voucher_code: voucher.code, register_customer: true, send_confirmation_email: true }),
  );
  const [line] = (await client.orders.get(id)).items;
  const edit = {
    items: [
      { id: line?.id, quantity: 2 },
      { variant_id: other.id, quantity: 1 },
    ],
    voucher_code: null,
  };
  await client.orders.preview_edit(id, edit);
  await client.orders.edit(id, { ...edit, notify_customer: true });
  await client.orders.edit(id, { items: [{ id: line?.id, quantity: 0 }], voucher_code: voucher.code });
  await client.orders.list_edits(id);
  for (const status of ['cancelled', 'pending', 'delivered'] as const) await client.orders.bulk_status({ ids: [id], status });
  await client.orders.update_payment_status(id, { payment_status: 'paid' });
}

async function exerciseShipping({ orders }: TestApp['client'], id: number): Promise<void> {
  const { id: paymentId } = await orders.create_payment(id, { label: 'plans', amount_cents: 1 });
  await orders.update_payment(id, paymentId, { paid: true });
  await orders.reorder_payments(id, { items: [{ id: paymentId, sort_order: 2 }] });
  await orders.list_payments(id);
  await orders.delete_payment(id, paymentId);
  const { shipment } = await orders.create_shipment(id);
  await orders.buy_label(id, shipment.id, { courier_id: 'express', courier_name: '' });
  await orders.refresh_shipment(id, shipment.id);
  await orders.list_shipments(id);
  await orders.delete_shipment(id, shipment.id);
  await orders.create_locker_shipment(id, 'net', { provider_shipment_id: 'P' });
}

async function exerciseCatalogue(client: TestApp['client']): Promise<void> {
  const rate = await client.tax_rates.create({ name: 'plans' });
  const second = await client.tax_rates.create({ name: 'plans too' });
  const product = await client.products.create({ slug: 'plans', name: 'plans', tax_rate_id: rate.id });
  const variant = await client.products.create_variant(product.id, { sku: 'plans', price_cents: 1, stock: 1 });
  const voucher = await client.vouchers.create({ code: 'plans', kind: 'free_shipping', per_customer_limit: 1 });
  const group = await client.discount_groups.create({ name: 'plans' });
  const place = await client.pickup_locations.create({ name: 'plans' });
  const method = await client.shipping_methods.create({ name: 'plans' });
  const status = await client.order_statuses.create({ name: 'plans' });
  for (const { list } of [client.products, client.vouchers, client.discount_groups]) await list();
  for (const { list } of [client.pickup_locations, client.shipping_methods, client.order_statuses, client.tax_rates]) await list();
  await client.products.update(product.id, { slug: 'plans-2' });
  await client.products.update_variant(variant.id, { sku: 'plans-2' });
  const ids = [product.id];
  for (const sort of ['name', '-price', 'stock'] as const) await client.products.list({ sort });
  await client.products.list_ids();
  await client.products.list_images({ ids: `${product.id}` });
  for (const change of [{ kind: 'delete' }, { kind: 'price_amount', delta_cents: 1 }] as const)
    await client.products.preview_bulk({ ids, change });
  await client.products.bulk_status({ ids, status: 'active' });
  await client.products.bulk_prices({ prices: [{ id: variant.id, price_cents: 2 }] });
  await client.products.bulk_stock({ changes: [{ id: variant.id, delta: 1 }], reason: 'plans' });
  const { id: extra } = await client.products.create({ slug: 'plans-extra', name: 'plans extra' });
  await client.products.bulk_delete({ ids: [extra] });
  const { data: some } = await client.customers.list({ per_page: 2 });
  const customer_ids = some.map(({ id }) => id);
  for (const change of [{ kind: 'discount_group', discount_group_id: group.id } as const, { kind: 'credits', delta: 1 } as const])
    await client.customers.preview_bulk({ customer_ids, change });
  await client.customers.bulk_discount_group({ customer_ids, discount_group_id: null });
  await client.vouchers.update(voucher.id, { code: 'plans-2' });
  await client.products.delete_variant(variant.id);
  await client.products.delete(product.id);
  await client.vouchers.delete(voucher.id);
  await client.discount_groups.delete(group.id);
  await client.pickup_locations.delete(place.id);
  await client.shipping_methods.delete(method.id);
  await client.order_statuses.delete(status.id, { clear: true });
  await client.tax_rates.delete(second.id);
}

/** Lets the sending of a mail fail, so that the admins are notified. */
async function exerciseMail({ store, client }: Pick<TestApp, 'store' | 'client'>): Promise<void> {
  const settings = await readSettings(store.reader);
  const to = { name: 'Ann', email: 'ann@example.com' };
  await store.write((db) =>
    queueMail({ db, now: new Date().toISOString(), settings, requestId: '' }, { template: 'set_password', to, data: { customer_id: 1 } }),
  );
  const [queued] = (await client.mails.list()).data;
  await store.write((db) =>
    db
      .updateTable('mails')
      .set({ lease: 'of the dead' })
      .where('id', '=', queued?.id ?? 0)
      .execute(),
  );
  await client.settings.update({ smtp: { host: '127.0.0.1', port: 1, from: 'shop@example.com' } });
  const tried = await until('a mail was tried', async () => (await client.mails.list()).data.find(({ last_error }) => last_error !== null));
  await until('the admins were told', async () =>
    (await client.notifications.list()).notifications.find(({ type }) => type === 'smtp_error'),
  );
  await client.mails.list({ status: 'queued' });
  await client.mails.retry(tried.id);
  await client.settings.update({ smtp: null });
}
