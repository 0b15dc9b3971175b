import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { EASYPOST_KEY, type EasypostDouble, type Fate, openEasypostDouble, passAll } from '../helpers/easypost.ts';
import { until } from '../helpers/machines.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, countRows, field, lapse, makeTask } from '../helpers/runs.ts';
import { storeSubscription } from '../helpers/stored-rows/subscriptions.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';
import { STRIPE_KEY, type StripeDouble, startStripe } from '../helpers/stripe-double.ts';

describe('JO9: calls of a run that need a courier or payment provider', { concurrency: true }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(engine));
});

function suite(engine: Engine): void {
  let app: TestApp;
  let easypost: EasypostDouble;
  let stripe: StripeDouble;

  before(async () => {
    easypost = await openEasypostDouble();
    stripe = await startStripe();
    const courier = { EASYPOST_API_KEY: EASYPOST_KEY, EASYPOST_API_BASE: easypost.url };
    const payments = { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_API_BASE: stripe.url };
    app = await startApp(engine, { env: { ...courier, ...payments, LEASE_SECONDS: '20' } });
    const sender = { name: 'The Shop', line1: '1 Harbour Road', city: 'Graz', postal_code: '8010', country: 'AT' };
    await app.client.settings.update({ courier: { provider: 'easypost', sender } });
  });
  after(async () => {
    await app.close();
    await easypost.close();
    await stripe.close();
  });

  const permissions = ['admin_api.orders.write', 'admin_api.subscriptions.write'];
  const open = async (): Promise<ClaimedRun> =>
    claimedRun(app, {}, await makeTask(app, { permissions }, { on_interrupt: 'resume', max_attempts: 10 }));

  /** Lets the lease end and claims the run for its next attempt. */
  async function again(run: ClaimedRun): Promise<ClaimedRun> {
    await lapse(app, run);
    return { ...run, ...(await claimRun(app, run)) };
  }

  async function parcel() {
    const { id } = await makeOrder(app);
    const { shipment } = await app.client.orders.create_shipment(id);
    const { provider_key } = await app.store.reader
      .selectFrom('shipments')
      .select('provider_key')
      .where('id', '=', shipment.id)
      .executeTakeFirstOrThrow();
    return {
      path: `/orders/${id}/shipments/${shipment.id}/buy-label`,
      shipment: async () => (await app.client.orders.list_shipments(id))[0],
      purchases: () => easypost.ledger.filter(({ reference }) => reference === provider_key).length,
    };
  }
  const priority = { courier_id: 'usps-priority', courier_name: '' };
  const ground = { courier_id: 'usps-groundadvantage', courier_name: '' };
  const startedCalls = async () => (await app.store.reader.selectFrom('started_calls').selectAll().execute()).length;
  const effectsOf = (run: ClaimedRun) => app.client.ai_tasks.list_effects(run.taskId, run.runId);

  test('a label that a run buys is bought once, journalled with its effect, and replayed to the next attempt', async () => {
    const { path, shipment, purchases } = await parcel();
    const run = await open();
    const answers = await Promise.all(Array.from({ length: 4 }, () => run.call('POST', path, priority)));
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, await shipment()]);
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
    const [effect] = await effectsOf(run);
    assert.deepEqual([effect?.method, effect?.path, effect?.status], ['POST', path, 200]);
    assert.deepEqual(effect?.changes['status'], ['rates_fetched', 'label_purchased']);

    const next = await again(run);
    const rows = await countRows(app);
    const replayed = await next.call('POST', path, priority);
    assert.deepEqual([replayed.status, replayed.text, replayed.headers['idempotency-replayed']], [200, answers[0]?.text, 'true']);
    assert.equal(replayed.headers['backroom-time'], answers[0]?.headers['backroom-time']);
    assert.deepEqual(await countRows(app), rows);
    assert.deepEqual([purchases(), await startedCalls()], [1, 0]);
  });

  test('a run gets rates, buys a label, tracks the parcel and cancels a subscription; without the permission it is 403', async () => {
    const { id } = await makeOrder(app);
    const subscription = await storeSubscription(app.store);
    const run = await open();
    const created = await run.call('POST', `/orders/${id}/shipments`);
    assert.equal(created.status, 201);
    const sid = field(field(created.body, 'shipment'), 'id');
    assert.equal((await run.call('POST', `/orders/${id}/shipments/${sid}/buy-label`, priority)).status, 200);
    assert.equal((await run.call('POST', `/orders/${id}/shipments/${sid}/refresh`)).status, 200);
    assert.equal((await run.call('POST', `/subscriptions/${subscription.id}/cancel`)).status, 204);
    const types = (await effectsOf(run)).map(({ resource }) => resource.type);
    for (const type of ['shipment', 'subscription']) assert.ok(types.includes(type), type);
    const other = await claimedRun(app);
    assert.deepEqual(codeOf(await other.call('POST', `/orders/${id}/shipments`)), [403, 'forbidden']);
  });

  test('a refusal is journalled at whatever stage it comes; a failure of the courier answers its own request alone', async () => {
    const { path, purchases } = await parcel();
    const run = await open();
    const nowhere = path.replace(/orders\/\d+/, 'orders/999999');
    for (const [target, body, refused] of [
      [path, { courier_name: '' }, [422, 'required']],
      [path, { ...priority, courier_id: 'dragon' }, [422, 'courier_not_offered']],
      [nowhere, priority, [404, 'not_found']],
    ] as const) {
      const first = await run.call('POST', target, body);
      assert.deepEqual(codeOf(first), refused);
      const replayed = await run.call('POST', target, body);
      assert.deepEqual([replayed.text, replayed.headers['idempotency-replayed']], [first.text, 'true']);
    }
    easypost.decide((moment) => (moment === 'buy' ? { status: 500 } : 'pass'));
    const failed = await run.call('POST', path, priority);
    assert.deepEqual(codeOf(failed), [502, 'courier_unavailable']);
    easypost.decide(passAll);
    assert.equal((await run.call('POST', path, priority)).text, failed.text, 'the same request');
    assert.equal((await run.call('POST', path, priority, { occurrence: 1 })).status, 200);
    assert.equal(purchases(), 1);
    // The call without an answer of the courier is kept until the next checkpoint, because a label may have been bought.
    assert.equal(await startedCalls(), 1);
  });

  test('a call with the key of another epoch is fenced, and the courier is not asked', async () => {
    const { path, purchases } = await parcel();
    const run = await open();
    assert.deepEqual(codeOf(await run.call('POST', path, priority, { epoch: 1 })), [409, 'run_fenced']);
    assert.equal(purchases(), 0);
  });

  test('if a claim ends during a purchase, the next attempt gets that label; another courier is a resume_mismatch', async () => {
    const { path, shipment, purchases } = await parcel();
    const startedBefore = await startedCalls();
    const run = await open();
    const sold = Promise.withResolvers<void>();
    const released = Promise.withResolvers<Fate>();
    easypost.decide((moment) => {
      if (moment !== 'bought') return 'pass';
      sold.resolve();
      return released.promise;
    });
    const sent = run.call('POST', path, priority);
    await sold.promise;
    const next = await again(run);
    released.resolve('pass');
    easypost.decide(passAll);
    assert.deepEqual(codeOf(await sent), [409, 'run_fenced']);
    const mismatch = await next.call('POST', path, ground);
    assert.deepEqual(codeOf(mismatch), [409, 'resume_mismatch']);
    assert.deepEqual(field(mismatch.body, 'earlier'), { method: 'POST', path, body: JSON.stringify(priority) });
    const answer = await until('the repeat is answered', async () => {
      const given = await next.call('POST', path, priority);
      return codeOf(given)[1] !== 'idempotency_in_progress' && given;
    });
    assert.deepEqual([answer.status, answer.body], [200, await shipment()]);
    assert.deepEqual([purchases(), await startedCalls()], [1, startedBefore]);
    assert.equal((await effectsOf(run)).filter(({ resource }) => resource.type === 'shipment').length, 1);
  });
}
