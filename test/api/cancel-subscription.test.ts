import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { subscriptionStatuses } from '../../contract/subscriptions.ts';

import { onBothStores, startApp } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { storeSubscription } from '../helpers/stored-rows/subscriptions.ts';
import {
  deliver,
  eventOf,
  STRIPE_KEY,
  STRIPE_SECRET,
  type StripeDouble,
  startStripe,
  subscriptionObject,
} from '../helpers/stripe-double.ts';

let stripe: StripeDouble;
const env: Record<string, string> = { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_SECRET };
before(async () => {
  stripe = await startStripe();
  env['STRIPE_API_BASE'] = stripe.url;
});
after(() => stripe.close());

onBothStores(
  'SU2: a subscription canceled by an admin',
  (app) => {
    const cancel = (id: number, headers: Record<string, string> = {}) =>
      app().request({ method: 'POST', path: `/admin/api/subscriptions/${id}/cancel`, headers });
    const asked = (externalId: string) => stripe.requests.filter((one) => one.endsWith(`/${externalId}`));

    test('SU2: at the provider and here at once, whatever its status, and the mark of a later end goes', async () => {
      for (const status of subscriptionStatuses.filter((one) => one !== 'canceled' && one !== 'incomplete_expired')) {
        const { id, external_subscription_id } = await storeSubscription(app().store, { status, cancel_at_period_end: 1 });
        const started = Date.now();
        const answer = await cancel(id);
        assert.deepEqual([answer.status, answer.text], [204, ''], answer.text);
        assert.equal(stripe.requestIds.at(-1), answer.headers['x-request-id'], 'Stripe is told which request it answers');
        assert.equal(answer.headers['etag']?.split('.')[0], `"subscription-${id}-2`);
        assert.deepEqual(asked(external_subscription_id), [`DELETE /v1/subscriptions/${external_subscription_id}`]);
        const detail = await app().client.subscriptions.get(id);
        assert.deepEqual([detail.status, detail.cancel_at_period_end], ['canceled', false]);
        assert.ok(detail.canceled_at !== null && Date.parse(detail.canceled_at) >= started && detail.canceled_at === detail.ended_at);
      }
      const [entry] = (await app().client.logs.list({ source: 'admin' })).logs;
      assert.deepEqual([entry?.action, entry?.status], ['admin.subscriptions.cancel', 'success']);
    });

    test('SU2: one that is over is left as it is, and the provider is not asked', async () => {
      for (const status of ['canceled', 'incomplete_expired'] as const) {
        const at = '2026-01-02T03:04:05.000Z';
        const { id, external_subscription_id } = await storeSubscription(app().store, { status, canceled_at: at, ended_at: at });
        assert.equal((await cancel(id)).status, 204);
        const detail = await app().client.subscriptions.get(id);
        assert.deepEqual([detail.status, detail.canceled_at, detail.ended_at], [status, at, at]);
        assert.deepEqual(asked(external_subscription_id), []);
      }
    });

    test('SU2: one that the provider does not have, or has canceled, is canceled here', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      stripe.answer(external_subscription_id, 'missing');
      assert.equal((await cancel(id)).status, 204);
      assert.equal((await app().client.subscriptions.get(id)).status, 'canceled');
    });

    test('SU2: where the provider fails nothing changes here, and the answer says why without a word of the key', async () => {
      for (const mood of ['refuses', 'fails', 'hangs up'] as const) {
        const { id, external_subscription_id } = await storeSubscription(app().store);
        stripe.answer(external_subscription_id, mood);
        const answer = await cancel(id);
        assert.equal(answer.status, 502, `${mood} ${answer.text}`);
        assert.equal((answer.body as { code: string }).code, 'provider_error');
        assert.ok(!answer.text.includes(STRIPE_KEY));
        const { status, canceled_at, ended_at } = await app().client.subscriptions.get(id);
        assert.deepEqual([status, canceled_at, ended_at], ['active', null, null]);
        stripe.answer(external_subscription_id, 'fine');
        assert.equal((await cancel(id)).status, 204, 'the next attempt succeeds');
      }
    });

    test('SU2: two admins at once, and the provider’s own word of it: canceled once', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      const answers = await Promise.all(Array.from({ length: 4 }, () => cancel(id)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
      const before = await app().client.subscriptions.get(id);
      const object = subscriptionObject({
        id: external_subscription_id,
        status: 'canceled',
        canceled_at: 1_772_366_400,
        ended_at: 1_772_366_400,
      });
      await deliver(app(), eventOf('customer.subscription.deleted', object, { at: '2026-12-01T00:00:00Z' }));
      assert.deepEqual(await app().client.subscriptions.get(id), before);
      const events = await app()
        .store.reader.selectFrom('domain_events')
        .select('data')
        .where('type', '=', 'subscription.canceled')
        .execute();
      assert.equal(events.filter(({ data }) => JSON.parse(data).subscription_id === id).length, 1);
    });

    test('SU2: unknown, stale, or without the permission: refused before anybody is asked', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      await refused(app().client.subscriptions.cancel(999_999), 404, 'not_found');
      assert.equal((await cancel(id, { 'if-match': `"subscription-${id}-9"` })).status, 412);
      const { token } = await person(app(), { permissions: ['admin_api.subscriptions.read'] });
      await refused(app().clientFor(token).subscriptions.cancel(id), 403, 'forbidden');
      assert.deepEqual(asked(external_subscription_id), []);
      assert.equal((await cancel(id, { 'if-match': `"subscription-${id}-1"` })).status, 204);
    });

    test('settings say that a payment provider is configured, and nothing of its secrets', async () => {
      const { text } = await app().request({ path: '/admin/api/settings' });
      assert.equal(JSON.parse(text).payment_provider_configured, true);
      assert.ok(!text.includes(STRIPE_KEY) && !text.includes(STRIPE_SECRET));
    });
  },
  { env },
);

test('SU2: without credentials it is canceled here alone', async (t) => {
  const app = await startApp('sqlite');
  t.after(() => app.close());
  const { id } = await storeSubscription(app.store);
  await app.client.subscriptions.cancel(id);
  assert.equal((await app.client.subscriptions.get(id)).status, 'canceled');
  assert.equal((await app.client.settings.get()).payment_provider_configured, false);
});
