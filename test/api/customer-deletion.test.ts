import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeVariant } from '../helpers/builders.ts';
import { tablesNaming } from '../helpers/dump.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun } from '../helpers/runs.ts';
import { storeRegisterIp, storeTraces } from '../helpers/stored-rows/faults.ts';
import { storeCopiesOfOrder } from '../helpers/stored-rows/sizes.ts';
import { storeInvoice, storeSubscription } from '../helpers/stored-rows/subscriptions.ts';
import { deliver, eventOf, paymentIntentObject, STRIPE_SECRET } from '../helpers/stripe-double.ts';

const home = { line1: 'Larkspur Lane 77', line2: 'Flat Heron', city: 'Quillford', state: 'Wexmoor', postal_code: 'QX7 9ZZ', country: 'GB' };

/** Personal texts of the customer, which the shop stores in many tables. */
const THEIRS = [
  ...['Xanthe', 'Quillfeather', 'xq@quill.example', 'old-xq@quill.example', '+44 7700 900555', '198.51.100.77'],
  ...['Larkspur', 'Heron', 'Quillford', 'Wexmoor', 'QX7 9ZZ', 'Old Mill Road', 'GB-XQ-778'],
  ...['rings twice', 'was rude', 'passport-scan', 'contract-xq', 'likes violets', 'engraved-xq', 'cash in an envelope', 'goodwill-xq'],
  ...[
    'lost key',
    'where is my parcel',
    'on the doorstep',
    'wedding gift',
    'by the gate',
    'guest of honour',
    'first-rate-xq',
    'paid by aunt',
    'invoice-xq',
  ],
];

onBothStores(
  'deletion of a customer',
  (app) => {
    const remove = (id: number, headers: Record<string, string> = {}, token?: string) =>
      app().request({ method: 'DELETE', path: `/admin/api/customers/${id}`, headers, ...(token === undefined ? {} : { token }) });

    /** Makes a customer with addresses, notes, files, credits and grants, some of them already deleted. */
    async function acquaintance(): Promise<number> {
      const { client } = app();
      const { id } = await client.customers.create({
        name: 'Xanthe Quillfeather',
        email: 'old-xq@quill.example',
        phone: '+44 7700 900555',
      });
      await storeRegisterIp(app().store, id, '198.51.100.77');
      await client.customers.update(id, { email: 'xq@quill.example' });
      await client.customers.create_address(id, { ...home, label: 'by the gate' });
      const moved = await client.customers.create_address(id, { ...home, line1: 'Old Mill Road 3' });
      await client.customers.update_address(id, moved.id, { label: 'rings twice' });
      await client.customers.delete_address(id, moved.id);
      await client.customers.create_note(id, { body: 'likes violets' });
      const note = await client.customers.create_note(id, { body: 'was rude' });
      await client.customers.update_note(id, note.id, { body: 'likes violets' });
      await client.customers.delete_note(id, note.id);
      const file = { filename: 'passport-scan.pdf', content: 'the bytes of a passport' };
      await client.customers.upload_file(id, { file, note: 'wedding gift' });
      const gone = await client.customers.upload_file(id, { file, name: 'contract-xq' });
      await client.customers.delete_file(id, gone.id);
      await client.customers.adjust_credits(id, { delta: 500, note: 'goodwill-xq' });
      await client.customers.adjust_credits(id, { delta: -200, note: 'lost key' });
      const group = await client.access_groups.create({ slug: `club-${id}`, name: 'Club' });
      await client.access_groups.create_grant(group.id, { customer_id: id, expires_at: null, note: 'guest of honour' });
      const { id: grantId } = await client.access_groups.create_grant(group.id, {
        customer_id: id,
        expires_at: null,
        note: 'first-rate-xq',
      });
      await client.access_groups.revoke_grant(grantId);
      return id;
    }

    /** Makes an order with every text that an order can have. */
    async function purchase(): Promise<number> {
      const { client } = app();
      const product = await client.products.create({
        name: 'Ring',
        slug: 'ring',
        custom_fields: [{ field_name: 'Text', required: false }],
      });
      const variant = await client.products.create_variant(product.id, { sku: 'RING', price_cents: 5000, stock: 9 });
      const { id } = await client.orders.create(
        phoneOrder([{ variant_id: variant.id, quantity: 2, custom_field_values: [{ field_name: 'Text', field_value: 'engraved-xq' }] }], {
          customer: { name: 'Xanthe Quillfeather', email: 'xq@quill.example', phone: '+44 7700 900555' },
          shipping_address: home,
          billing_address: { ...home, name: 'Quillfeather Ltd', tax_number: 'GB-XQ-778' },
          shipping: { kind: 'none' },
          notes: 'on the doorstep',
          register_customer: true,
          send_confirmation_email: true,
        }),
      );
      const [item] = (await client.orders.get(id)).items;
      await client.orders.edit(id, {
        customer: { name: 'Xanthe Q. Quillfeather' },
        shipping_address: { line1: 'Old Mill Road 4' },
        items: [{ id: item?.id ?? 0, custom_field_values: [{ field_name: 'Text', field_value: 'engraved-xq too' }] }],
        internal_notes: 'rings twice',
        payment_adjustment_note: 'cash in an envelope',
        discount_amount_cents: 100,
        discount_reason: 'was rude',
        notify_customer: true,
      });
      const paid = await client.orders.create_payment(id, { label: 'paid by aunt', amount_cents: 100, paid: true, note: 'wedding gift' });
      const gone = await client.orders.create_payment(id, { label: 'paid by aunt', amount_cents: 100, paid: false });
      await client.orders.update_payment(id, gone.id, { note: 'cash in an envelope' });
      await client.orders.delete_payment(id, gone.id);
      assert.ok(paid.id);
      const comment = await client.orders.create_comment(id, { body: 'was rude' });
      await client.orders.update_comment(id, comment.id, { body: 'likes violets' });
      const { shipment, courier_options } = await client.orders.create_shipment(id);
      assert.ok(courier_options[0]);
      await client.orders.buy_label(id, shipment.id, courier_options[0]);
      await storeTraces(app().store, id, { ip_address: '198.51.100.77', invoice_url: 'https://x.example/invoice-xq' });
      return id;
    }

    test('CU11, CU12: a customer with orders, subscriptions and inquiries is anonymised: no table has a personal text any more', async () => {
      const { client, store } = app();
      await client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['*'] });
      const id = await acquaintance();
      const orderId = await purchase();
      const earlier = await makeOrder(app(), { customer_email: '' });
      await client.orders.edit(earlier.id, { customer: { name: 'X. Quillfeather', email: 'XQ@quill.example' } });
      const subscription = await storeSubscription(store, {
        customer_id: id,
        customer_name: 'Xanthe Quillfeather',
        customer_email: 'xq@quill.example',
      });
      await storeInvoice(store, { subscription_id: subscription.id, hosted_invoice_url: 'https://pay.example/invoice-xq' });
      const inquiry = await client.inquiries.create({
        name: 'Xanthe',
        email: 'xq@quill.example',
        subject: 'lost key',
        body: 'where is my parcel',
      });
      await client.inquiries.answer(inquiry.id, { body: 'on the doorstep of Old Mill Road' });
      const dropped = await client.inquiries.create({
        name: 'Xanthe',
        email: 'XQ@quill.example',
        subject: 'lost key',
        body: 'where is my parcel',
      });
      await client.inquiries.update(dropped.id, { customer_id: null, body: 'where is my parcel now' });
      await deliver(
        app(),
        eventOf('payment_intent.succeeded', {
          ...paymentIntentObject(),
          receipt_email: 'xq@quill.example',
          shipping: { name: 'Xanthe', address: home },
        }),
      );
      const run = await claimedRun(app());
      assert.equal((await run.call('PATCH', `/customers/${id}`, { phone: '+44 7700 900555 1' })).status, 200);
      const named = await tablesNaming(app().store, THEIRS);
      for (const text of THEIRS) assert.ok(named[text]?.length, `${text} is in no table before the deletion`);
      const before = await client.orders.get(orderId);
      const figures = await client.dashboard.get();

      assert.equal((await remove(id)).status, 204);

      // Journalled answers are left out: they are deleted with their journal.
      assert.deepEqual(await tablesNaming(app().store, THEIRS, ['journal']), {});
      const left = await client.customers.get(id);
      assert.deepEqual(
        [left.name, left.email, left.phone, left.registered, left.register_ip, left.addresses, left.order_count, left.credits],
        ['', '', null, false, '', [], 1, 300],
      );
      assert.ok(left.anonymised_at);
      const after = await client.orders.get(orderId);
      const kept = ({
        id: key,
        status,
        payment_status,
        total,
        subtotal,
        tax_amount,
        discount_amount,
        paid_total_cents,
        customer_id,
      }: typeof after) => ({ key, status, payment_status, total, subtotal, tax_amount, discount_amount, paid_total_cents, customer_id });
      assert.deepEqual(kept(after), kept(before));
      assert.deepEqual([after.customer_name, after.shipping_line1, after.shipping_country, after.billing_address], ['', '', 'GB', null]);
      assert.deepEqual(
        after.items.map(({ quantity, unit_price, product_name, custom_fields }) => [quantity, unit_price, product_name, custom_fields]),
        [[2, 5000, 'Ring', []]],
      );
      const { recent_orders: _, ...sums } = await client.dashboard.get();
      const { recent_orders: __, ...sumsBefore } = figures;
      assert.deepEqual(sums, sumsBefore);
      for (const search of ['quillfeather', 'xq@quill']) {
        assert.equal((await client.orders.list({ search })).total, 0);
        assert.equal((await client.customers.list({ search })).total, 0);
        assert.equal((await client.inquiries.list({ search })).total, 0);
      }
      assert.equal((await client.orders.get(earlier.id)).customer_name, '');
      const { status, public_id } = await client.subscriptions.get(subscription.id);
      assert.equal(status, 'active');
      assert.equal((await client.subscriptions.list({ q: public_id })).total, 1, 'the subscription is still found by its number');
      assert.deepEqual([(await client.inquiries.get(inquiry.id)).body, (await client.inquiries.get(inquiry.id)).answer], ['', '']);
      assert.deepEqual(await client.customers.list_files(id), []);
      assert.deepEqual(
        (await readdir(app().filesDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
        [],
      );
      const ledger = await client.customers.list_credit_transactions(id);
      assert.deepEqual(
        ledger.transactions.map(({ delta_credits, note }) => [delta_credits, note]),
        [
          [-200, null],
          [500, null],
        ],
      );
    });

    test('AL3, CU12: the audit log keeps who did what and when, without personal data, and has an entry of the deletion', async () => {
      const { client } = app();
      const { id } = await client.customers.create({ name: 'Odo Marsh', email: 'odo@marsh.example' });
      await client.inquiries.create({ name: 'Odo', email: 'odo@marsh.example', subject: '', body: 'hm' });
      await client.customers.update(id, { name: 'Odo B. Marsh', registered: true });
      assert.equal((await remove(id)).status, 204);
      const { data } = await client.audit_log.list({ resource_type: 'customer', resource_id: id });
      const gone = ['(removed)', '(removed)'];
      const { anonymised_at: at } = await client.customers.get(id);
      assert.deepEqual(
        data.map(({ action, changes }) => [action, changes]),
        [
          ['customers.delete', { anonymised_at: [null, at] }],
          ['customers.update', { name: gone, registered: [false, true] }],
          ['customers.create', { name: gone, email: gone, phone: gone, registered: [null, false] }],
        ],
      );
      const { logs } = await client.logs.list({ source: 'admin' });
      const ofCustomer = logs.filter(({ action }) => action.startsWith('admin.customers.')).slice(0, 3);
      assert.deepEqual(
        ofCustomer.map(({ summary, detail }) => [summary, detail === null]),
        [
          [`Customer ${id} deleted; the record stays without the person`, false],
          ['(removed)', true],
          ['(removed)', true],
        ],
      );
    });

    test('CU13: a second deletion changes nothing; the email is free for a new customer', async () => {
      const { client } = app();
      const { id } = await client.customers.create({ name: 'Ada Fern', email: 'ada@fern.example' });
      await makeOrder(app(), { customer_email: 'ada@fern.example' });
      assert.equal((await remove(id)).status, 204);
      const first = await client.customers.get(id);
      assert.equal((await remove(id)).status, 204);
      const second = await client.customers.get(id);
      assert.deepEqual({ ...second, updated_at: first.updated_at }, first);
      const [again] = (await client.audit_log.list({ resource_type: 'customer', resource_id: id })).data;
      assert.deepEqual([again?.action, again?.changes], ['customers.delete', {}]);
      assert.notEqual((await client.customers.create({ name: 'Ada Fern', email: 'ada@fern.example' })).id, id);
    });

    test('CU12: a customer without orders, subscriptions and inquiries is deleted with files, credits, grants and memberships', async () => {
      const { client, store } = app();
      const id = await acquaintance();
      const used = (await client.files.list()).data.length;
      assert.equal((await remove(id)).status, 204);
      assert.deepEqual(await tablesNaming(app().store, THEIRS, ['journal']), {});
      assert.equal((await remove(id)).status, 404);
      await refused(client.customers.get(id), 404, 'not_found');
      for (const table of [
        'addresses',
        'customer_notes',
        'customer_files',
        'credit_buckets',
        'credit_transactions',
        'access_grants',
        'entitlements',
        'access_group_members',
      ] as const) {
        const rows = await store.reader.selectFrom(table).select('customer_id').where('customer_id', '=', id).execute();
        assert.deepEqual(rows, [], table);
      }
      const group = (await client.access_groups.list()).find(({ slug }) => slug === `club-${id}`);
      assert.equal(group?.member_count, 0);
      const [entry] = (await client.audit_log.list({ resource_type: 'customer', resource_id: id })).data;
      assert.deepEqual([entry?.action, entry?.changes], ['customers.delete', {}]);
      const { used_bytes } = await store.reader.selectFrom('storage_use').select('used_bytes').executeTakeFirstOrThrow();
      assert.deepEqual([used_bytes, used], [0, 0]);
    });

    test('CU11: an order of another customer that has the deleted email loses its name and email; that customer stays', async () => {
      const { client } = app();
      const other = await makeCustomer(app(), { name: 'Bo Reed', email: 'bo@reed.example' });
      const theirs = await makeOrder(app(), { customer: other });
      await client.orders.edit(theirs.id, { customer: { name: 'Cy Sedge', email: 'cy@sedge.example' } });
      const { id } = await client.customers.create({ name: 'Cy Sedge', email: 'cy@sedge.example' });
      assert.equal((await remove(id)).status, 204);
      await refused(client.customers.get(id), 404, 'not_found');
      const order = await client.orders.get(theirs.id);
      assert.deepEqual([order.customer_name, order.customer_email, order.customer_id], ['', '', other.id]);
      assert.equal((await client.customers.get(other.id)).name, 'Bo Reed');
    });

    test('ET2: a stale If-Match or a missing write permission deletes nothing', async () => {
      const { client } = app();
      const { id } = await client.customers.create({ name: 'Di', email: 'di@example.com' });
      const etag = (await app().request({ path: `/admin/api/customers/${id}` })).headers['etag'] ?? '';
      await client.customers.create_note(id, { body: 'new' });
      assert.equal((await remove(id, { 'if-match': etag })).status, 412);
      const reader = await person(app(), { permissions: ['admin_api.customers.read'] });
      assert.equal((await remove(id, {}, reader.token)).status, 403);
      assert.equal((await client.customers.get(id)).name, 'Di');
      const fresh = (await app().request({ path: `/admin/api/customers/${id}` })).headers['etag'] ?? '';
      const answer = await remove(id, { 'if-match': fresh });
      assert.deepEqual([answer.status, answer.headers['etag'], answer.text], [204, undefined, '']);
    });

    test('CU11, DR1: a run that may write customers can delete one; a dry run deletes neither customer nor file', async () => {
      const { client } = app();
      const { id } = await client.customers.create({ name: 'Fay', email: 'fay@example.com' });
      const file = await client.customers.upload_file(id, { file: { filename: 'a.txt', content: 'of Fay' } });
      const dry = await claimedRun(app(), { dry_run: true });
      assert.equal((await dry.call('DELETE', `/customers/${id}`)).status, 204);
      assert.equal((await dry.call('GET', `/customers/${id}`)).status, 404);
      assert.equal((await client.customers.get(id)).name, 'Fay');
      const content = () => app().request({ path: `/admin/api/customers/${id}/files/${file.id}/content` });
      assert.equal((await content()).text, 'of Fay');
      const real = await claimedRun(app());
      assert.equal((await real.call('DELETE', `/customers/${id}`)).status, 204);
      assert.equal((await content()).status, 404);
      const effects = await client.ai_tasks.list_effects(real.taskId, real.runId);
      assert.deepEqual(
        effects.map(({ method, resource }) => [method, resource]),
        [['DELETE', { type: 'customer', id }]],
      );
    });

    test('CU13: an order that is placed during the deletion has the name that its customer has, or none', async () => {
      const { client } = app();
      const variant = await makeVariant(app(), { stock: 100 });
      const buyer = { name: 'Eve Rush', email: 'eve@rush.example', phone: '' };
      const { id } = await client.customers.create(buyer);
      const place = () => client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer: buyer }));
      const [first, second, , third, fourth] = await Promise.all([place(), place(), remove(id), place(), place()]);
      for (const { id: orderId } of [first, second, third, fourth]) {
        const order = await client.orders.get(orderId);
        assert.equal(order.customer_name, (await client.customers.get(order.customer_id ?? 0)).name);
      }
    });

    test('CU11: one request anonymises a customer with 10,000 orders', async () => {
      const { client, store } = app();
      const customer = await makeCustomer(app(), { name: 'Big Buyer', email: 'big@buyer.example' });
      const { id: first } = await makeOrder(app(), { customer });
      await storeCopiesOfOrder(store, first, 9999);
      await client.orders.update_test_flag(first, { is_test: true });
      const startedAt = performance.now();
      assert.equal((await remove(customer.id)).status, 204);
      assert.ok(performance.now() - startedAt < 60_000, 'the request takes less than a minute');
      assert.deepEqual(await tablesNaming(app().store, ['Big Buyer', 'big@buyer.example']), {});
      assert.equal((await client.customers.get(customer.id)).order_count, 9999);
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, ALLOW_PRIVATE_WEBHOOKS: 'true' } },
);
