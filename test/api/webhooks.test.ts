import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookDelivery } from '../../contract/webhook-endpoints.ts';
import { onBothStores, startApp, type TestApp } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { type Received, type Receiver, startReceiver } from '../helpers/receiver.ts';
import { refused } from '../helpers/refused.ts';
import { storeTenthAttempts } from '../helpers/stored-rows/outbox.ts';

onBothStores(
  'outbound webhooks',
  (app, engine) => {
    let receiver: Receiver;
    before(async () => {
      receiver = await startReceiver();
    });
    after(() => receiver.close());

    test('WH1, WH2: a subscribed event is posted once, signed as Standard Webhooks; after a rotation both secrets sign', async () => {
      const { client } = app();
      const made = await client.webhooks.create({ url: receiver.url, events: ['order.status_changed'] });
      assert.match(made.secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
      const order = await makeOrder(app());
      await client.orders.update_test_flag(order.id, { is_test: true });
      await client.orders.update_status(order.id, { status: 'processing' });
      await receiver.count(1);
      const [first] = receiver.received;
      assert.ok(first);
      const body = JSON.parse(first.body);
      assert.deepEqual([body.type, body.data.order_id, body.data.status], ['order.status_changed', order.id, 'processing']);
      assert.match(body.timestamp, /^\d{4}-\d\d-\d\dT.*Z$/);
      assert.match(String(first.headers['webhook-id']), /^msg_\d+$/);
      assert.deepEqual(signatures(first), [expectedSignature(first, made.secret)]);

      const rotated = await client.webhooks.rotate_secret(made.id);
      await client.orders.update_status(order.id, { status: 'pending' });
      await receiver.count(2);
      const second = receiver.received[1];
      assert.ok(second);
      assert.deepEqual(signatures(second), [expectedSignature(second, rotated.secret), expectedSignature(second, made.secret)]);
      const deliveries = await settled(app(), made.id, 2, 'delivered');
      assert.deepEqual(
        deliveries.map((one) => [one.attempts, one.response_status, one.payload]),
        [
          [1, 204, second.body],
          [1, 204, first.body],
        ],
      );
      await client.webhooks.delete(made.id);
    });

    test('WH3: a failed delivery is retried later or by hand; Retry-After is honoured', async () => {
      const { client } = app();
      const order = await makeOrder(app());
      const { id } = await client.webhooks.create({ url: receiver.url, events: ['*'] });
      receiver.answers.push({ status: 500 }, { status: 503, headers: { 'Retry-After': '3600' } });
      const before = receiver.received.length;
      await client.orders.update_status(order.id, { status: 'processing' });
      await receiver.count(before + 1);
      const [failed] = await settled(app(), id, 1, 'pending');
      assert.ok(failed);
      assert.deepEqual([failed.attempts, failed.response_status, failed.last_error], [1, 500, 'answered 500']);
      assert.ok((failed.next_attempt_in_seconds ?? 0) >= 3 && (failed.next_attempt_in_seconds ?? 0) <= 6);
      await client.webhooks.retry_delivery(id, failed.id);
      await receiver.count(before + 2);
      const [busy] = await settled(app(), id, 1, 'pending', 503);
      assert.ok((busy?.next_attempt_in_seconds ?? 0) > 3500);
      await client.webhooks.retry_delivery(id, failed.id);
      await receiver.count(before + 3);
      const [done] = await settled(app(), id, 1, 'delivered');
      assert.equal(done?.last_error, null);
      const sent = receiver.received.slice(before);
      assert.equal(new Set(sent.map(({ headers }) => headers['webhook-id'])).size, 1);
      await refused(client.webhooks.retry_delivery(id, 999_999), 404, 'not_found');
      await client.webhooks.delete(id);
    });

    test('WH3, NT3: 410 or the tenth failure disables the endpoint; 410 notifies the admins; enabled again, it gets events', async () => {
      const { client, store } = app();
      const order = await makeOrder(app());
      const { id } = await client.webhooks.create({ url: receiver.url, events: ['*'] });
      const before = receiver.received.length;
      receiver.answers.push({ status: 410 });
      await client.orders.update_status(order.id, { status: 'processing' });
      await receiver.count(before + 1);
      await settled(app(), id, 1, 'failed');
      const off = await client.webhooks.get(id);
      assert.deepEqual([off.active, off.disabled_reason], [false, 'it answered 410 Gone']);
      const [news] = (await client.notifications.list({ limit: 1 })).notifications;
      assert.deepEqual([news?.type, news?.severity, news?.metadata?.['webhook_endpoint_id']], ['webhook_endpoint_disabled', 'warning', id]);
      await client.orders.update_status(order.id, { status: 'pending' });
      assert.equal((await client.webhooks.list_deliveries(id)).length, 1);

      const on = await client.webhooks.update(id, { active: true });
      assert.deepEqual([on.active, on.disabled_reason], [true, null]);
      await client.orders.update_status(order.id, { status: 'shipped' });
      await receiver.count(before + 2);
      await settled(app(), id, 2, 'delivered');
      receiver.answers.push({ status: 500 });
      await client.orders.update_status(order.id, { status: 'delivered' });
      await storeTenthAttempts(store);
      await settled(app(), id, 3, 'failed');
      assert.match((await client.webhooks.get(id)).disabled_reason ?? '', /^10 attempts failed, the last: answered 500$/);
      await client.webhooks.delete(id);
    });

    test('WH2: two servers on one database send each event once', { skip: engine === 'sqlite' && 'SQLite has one server' }, async () => {
      const { client } = app();
      const other = await startApp('postgres', { databaseUrl: app().databaseUrl, env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
      const { id } = await client.webhooks.create({ url: receiver.url, events: ['order.status_changed'] });
      const before = receiver.received.length;
      const orders = await Promise.all(Array.from({ length: 30 }, () => makeOrder(app())));
      await Promise.all(orders.map((order) => client.orders.update_status(order.id, { status: 'processing' })));
      await receiver.count(before + 30);
      await settled(app(), id, 30, 'delivered');
      assert.equal(new Set(receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])).size, 30);
      assert.equal(receiver.received.length, before + 30);
      await client.webhooks.delete(id);
      await other.close();
    });

    test('WH1: an endpoint needs an http URL without credentials and known events; reading it needs its permission', async () => {
      const { client } = app();
      await refused(client.webhooks.create({ url: 'ftp://example.com', events: ['*'] }), 422, 'invalid_value');
      await refused(client.webhooks.create({ url: 'https://me:secret@example.com', events: ['*'] }), 422, 'invalid_value');
      const noEvent = await app().request({
        method: 'POST',
        path: '/admin/api/webhook-endpoints',
        body: { url: 'https://example.com', events: ['moon'] },
      });
      assert.equal(noEvent.status, 422);
      const none = await app().request({
        method: 'POST',
        path: '/admin/api/webhook-endpoints',
        body: { url: 'https://example.com', events: [] },
      });
      assert.equal(none.status, 422);
      const { id } = await client.webhooks.create({ url: 'https://example.com/a', events: ['order.paid', 'order.paid'], active: false });
      const changed = await client.webhooks.update(id, { events: ['stock.low', 'order.paid'], url: 'https://example.com/b' });
      assert.deepEqual([changed.url, changed.events], ['https://example.com/b', ['order.paid', 'stock.low']]);
      assert.deepEqual(
        (await client.webhooks.list({ search: 'COM/B' })).data.map((one) => one.id),
        [id],
      );
      await refused(
        app()
          .clientFor((await person(app())).token)
          .webhooks.list(),
        403,
        'forbidden',
      );
      await client.webhooks.delete(id);
      await refused(client.webhooks.get(id), 404, 'not_found');
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } },
);

onBothStores('outbound webhooks without ALLOW_PRIVATE_WEBHOOKS', (app) => {
  test('WH4: literal private addresses and localhost are refused', async () => {
    for (const host of [
      'localhost',
      'localhost.',
      '127.0.0.1',
      '0x7f.1',
      '10.1.2.3',
      '169.254.169.254',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '[fd00::1]',
    ]) {
      await refused(app().client.webhooks.create({ url: `http://${host}/x`, events: ['*'] }), 422, 'invalid_value');
    }
    const { id } = await app().client.webhooks.create({ url: 'https://93.184.216.34/x', events: ['order.paid'], active: false });
    await refused(app().client.webhooks.update(id, { url: 'http://192.168.0.1/' }), 422, 'invalid_value');
  });
});

function signatures({ headers }: Received): string[] {
  return String(headers['webhook-signature']).split(' ');
}

function expectedSignature({ headers, body }: Received, secret: string | null): string {
  const key = Buffer.from((secret ?? '').slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`;
}

/** Waits until the endpoint has so many deliveries and the newest has this status after an attempt; answers all. */
async function settled(
  app: TestApp,
  id: number,
  count: number,
  status: WebhookDelivery['status'],
  response?: number,
): Promise<WebhookDelivery[]> {
  for (;;) {
    const all = await app.client.webhooks.list_deliveries(id);
    const [newest] = all;
    const isThere = newest?.status === status && (status !== 'pending' || newest.last_error !== null);
    if (
      isThere &&
      all.length === count &&
      all.every((one) => one.status !== 'pending' || status === 'pending') &&
      (response ?? newest.response_status) === newest.response_status
    )
      return all;
    await delay(20);
  }
}
