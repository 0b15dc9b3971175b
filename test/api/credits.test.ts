import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { expireCredits } from '../../server/resources/credits/expiry.ts';
import { onBothStores } from '../helpers/app.ts';
import { grantCredits, makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { seeded } from '../helpers/seeded.ts';
import { servicesOf } from '../helpers/services.ts';
import { storeCredits } from '../helpers/stored-rows/shop.ts';

onBothStores('store credits', (app) => {
  // The loop that writes expiries has its first round soon after the start, and none after that while the tests run.
  before(() => app().firstRounds);

  const DAY_MS = 24 * 60 * 60 * 1000;
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

  async function ledgerOf(id: number) {
    const { transactions } = await app().client.customers.list_credit_transactions(id, { limit: 200 });
    return transactions;
  }

  /** Asserts that the balance is the sum of the buckets and the sum of the ledger. */
  async function assertAddsUp(id: number): Promise<void> {
    const { credits, buckets } = await app().client.customers.get_credits(id);
    const ledger = await ledgerOf(id);
    assert.equal(
      credits,
      buckets.reduce((sum, bucket) => sum + bucket.remaining_credits, 0),
    );
    assert.equal(
      credits,
      ledger.reduce((sum, entry) => sum + entry.delta_credits, 0),
    );
  }

  test('CR5: a grant makes its own bucket, which expires after a number of days of 24 hours, or never', async () => {
    const { id } = await makeCustomer(app());
    const before = Date.now();
    await app().client.customers.adjust_credits(id, { delta: 100, expires_in_days: 10, note: 'sorry' });
    const { credits, buckets } = await app().client.customers.adjust_credits(id, { delta: 50 });
    assert.equal(credits, 150);
    assert.deepEqual(
      buckets.map(({ remaining_credits }) => remaining_credits),
      [100, 50],
    );
    const expiry = Date.parse(buckets[0]?.expires_at ?? '') - before;
    assert.ok(expiry >= 10 * DAY_MS && expiry < 10 * DAY_MS + 60_000);
    assert.equal(buckets[1]?.expires_at, null);
    const [second, first] = await ledgerOf(id);
    assert.deepEqual([first?.kind, first?.delta_credits, first?.note, first?.credit_id], ['manual_grant', 100, 'sorry', buckets[0]?.id]);
    assert.deepEqual([second?.note, second?.reference], [null, null]);
    assert.match(first?.created_by ?? '', /^admin:\d+$/);
    await assertAddsUp(id);
  });

  test('CR2: the balance shows live buckets only, soonest expiry first, those without expiry last', async () => {
    const { id } = await makeCustomer(app());
    const never = await grantCredits(app(), id, 1);
    const late = await grantCredits(app(), id, 2, 20);
    const soon = await grantCredits(app(), id, 4, 2);
    await storeCredits(app().store, { customer_id: id, credits: 8, expires_at: inDays(-1) });
    const balance = await app().client.customers.get_credits(id);
    assert.equal(balance.credits, 7);
    assert.deepEqual(
      balance.buckets.map((bucket) => bucket.id),
      [soon, late, never],
    );
  });

  test('CR1: a balance shows its value on an order, computed from the setting credit_value_minor', async () => {
    const { id } = await makeCustomer(app());
    await app().client.settings.update({ credit_value_minor: 5 });
    assert.equal((await app().client.customers.adjust_credits(id, { delta: 30 })).value_cents, 150);
    await app().client.settings.update({ credit_value_minor: 1 });
    assert.equal((await app().client.customers.get_credits(id)).value_cents, 30);
  });

  test('CR3: a debit over several buckets writes one transaction for each, in the order of use', async () => {
    const { id } = await makeCustomer(app());
    const never = await grantCredits(app(), id, 100);
    const late = await grantCredits(app(), id, 30, 20);
    const soon = await grantCredits(app(), id, 20, 2);
    const balance = await app().client.customers.adjust_credits(id, { delta: -60, note: 'order 7', expires_in_days: 3 });
    assert.deepEqual(balance, { credits: 90, buckets: [{ id: never, remaining_credits: 90, expires_at: null }], value_cents: 90 });
    const deducts = (await ledgerOf(id)).filter(({ kind }) => kind === 'deduct').reverse();
    assert.deepEqual(
      deducts.map(({ credit_id, delta_credits, note }) => [credit_id, delta_credits, note]),
      [
        [soon, -20, 'order 7'],
        [late, -30, 'order 7'],
        [never, -10, 'order 7'],
      ],
    );
    assert.equal(new Set(deducts.map(({ created_at }) => created_at)).size, 1);
    await assertAddsUp(id);
  });

  test('CR3: a debit may use up several buckets exactly', async () => {
    const { id } = await makeCustomer(app());
    await grantCredits(app(), id, 5);
    await grantCredits(app(), id, 5);
    assert.deepEqual(await app().client.customers.adjust_credits(id, { delta: -10 }), { credits: 0, buckets: [], value_cents: 0 });
    await assertAddsUp(id);
  });

  test('CR4: a debit above the live balance is refused and changes nothing', async () => {
    const { id } = await makeCustomer(app());
    await grantCredits(app(), id, 10);
    await storeCredits(app().store, { customer_id: id, credits: 90, expires_at: inDays(-1) });
    const before = await ledgerOf(id);
    const error = await refused(app().client.customers.adjust_credits(id, { delta: -11 }), 422, 'insufficient_credit');
    assert.equal(error.errors[0]?.pointer, '/delta');
    assert.equal((await app().client.customers.get_credits(id)).credits, 10);
    assert.deepEqual(await ledgerOf(id), before);
  });

  test('CR4, CR5: delta and expires_in_days are refused outside their bounds', async () => {
    const { id } = await makeCustomer(app());
    await refused(app().client.customers.adjust_credits(id, { delta: 0 }), 422, 'zero_delta');
    await refused(app().client.customers.adjust_credits(id, { delta: 1_000_000_001 }), 422, 'out_of_range');
    await refused(app().client.customers.adjust_credits(id, { delta: 1.5 }), 422, 'invalid_type');
    await refused(app().client.customers.adjust_credits(id, { delta: 1, expires_in_days: 0 }), 422, 'out_of_range');
    assert.deepEqual(await ledgerOf(id), []);
  });

  test('CR6: a read only computes expiry; the next write adds it to the ledger, as the system', async () => {
    const { id } = await makeCustomer(app());
    const expired = await storeCredits(app().store, { customer_id: id, credits: 40, expires_at: inDays(-1) });
    assert.equal((await app().client.customers.get_credits(id)).credits, 0);
    assert.equal((await ledgerOf(id)).length, 1);
    await app().client.customers.adjust_credits(id, { delta: 5 });
    const [granted, expiry] = await ledgerOf(id);
    assert.equal(granted?.kind, 'manual_grant');
    assert.deepEqual([expiry?.kind, expiry?.delta_credits, expiry?.credit_id, expiry?.created_by], ['expire', -40, expired.id, 'system']);
    await app().client.customers.adjust_credits(id, { delta: 5 });
    assert.equal((await ledgerOf(id)).filter(({ kind }) => kind === 'expire').length, 1, 'the expiry is written once');
    await assertAddsUp(id);
  });

  test('CR7: the ledger is newest first and paged by id; its limit is clamped', async () => {
    const { id } = await makeCustomer(app());
    for (let n = 0; n < 4; n++) await app().client.customers.adjust_credits(id, { delta: 1 });
    const all = await ledgerOf(id);
    const ids = all.map((entry) => entry.id);
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    );
    const list = app().client.customers.list_credit_transactions;
    assert.equal((await list(id, { limit: 0 })).transactions.length, 1);
    assert.equal((await list(id, { limit: 999 })).transactions.length, 4);
    const below = await list(id, { before_id: ids[1] ?? 0 });
    assert.deepEqual(
      below.transactions.map((entry) => entry.id),
      ids.slice(2),
    );
    await refused(list(id, { limit: 1.5 }), 422, 'invalid_type');
  });

  test('CR6: the system adds expired credits to the ledger once, even when it does so twice at the same time', async () => {
    const services = await servicesOf(app().store);
    const some = await Promise.all([makeCustomer(app()), makeCustomer(app())]);
    for (const { id } of some) {
      await grantCredits(app(), id, 100, 1);
      await storeCredits(app().store, { customer_id: id, credits: 30, expires_at: inDays(-2) });
      await storeCredits(app().store, { customer_id: id, credits: 4, expires_at: inDays(-1) });
    }
    await Promise.all([expireCredits(services), expireCredits(services)]);
    await expireCredits(services);
    for (const { id } of some) {
      const expired = (await ledgerOf(id)).filter(({ kind }) => kind === 'expire');
      assert.deepEqual(
        expired.map(({ delta_credits, created_by }) => [delta_credits, created_by]),
        [
          [-4, 'system'],
          [-30, 'system'],
        ],
      );
      await assertAddsUp(id);
      const { data } = await app().client.audit_log.list({ resource_type: 'customer', resource_id: id });
      assert.deepEqual(
        data.filter(({ actor }) => actor.type === 'system').map(({ changes }) => changes),
        [{ credits: [134, 100] }],
      );
    }
  });

  test('CR3, CR4: a credit ledger under 64 concurrent debits and grants: balance = Σ ledger = Σ buckets, never negative', async () => {
    const { id } = await makeCustomer(app());
    await grantCredits(app(), id, 40, 2);
    const { below } = seeded(64);
    const deltas = Array.from({ length: 64 }, (_, n) => (n % 2 === 0 ? 1 : -1) * (1 + below(60)));
    const adjust = (delta: number) =>
      app().client.customers.adjust_credits(id, { delta, expires_in_days: delta > 0 && delta % 3 === 0 ? delta : null });
    const outcomes = await Promise.allSettled(deltas.map(adjust));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') assert.ok(outcome.value.credits >= 0);
      else assert.match(String(outcome.reason), /insufficient_credit/);
    }
    const taken = deltas.filter((_, n) => outcomes[n]?.status === 'fulfilled');
    assert.ok(taken.length > 32, 'most of the adjustments succeed');
    const { credits } = await app().client.customers.get_credits(id);
    assert.equal(
      credits,
      taken.reduce((sum, delta) => sum + delta, 40),
    );
    await assertAddsUp(id);
    let balance = 0;
    for (const { delta_credits } of (await ledgerOf(id)).toReversed()) {
      balance += delta_credits;
      assert.ok(balance >= 0, 'the balance is never negative');
    }
    assert.equal(balance, credits);
  });

  test('CR4: of simultaneous debits only those that the credit covers succeed', async () => {
    const { id } = await makeCustomer(app());
    for (let n = 0; n < 5; n++) await grantCredits(app(), id, 2);
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => app().client.customers.adjust_credits(id, { delta: -3 })));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal((await app().client.customers.get_credits(id)).credits, 1);
    await assertAddsUp(id);
  });
});
