import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paymentStatuses } from '../../contract/orders.ts';
import { listsExactly, paidAt, paymentStatus } from '../../server/resources/payments/rules.ts';

const record = (amount_cents: number, paid: boolean) => ({ amount_cents, paid });

test('PP1: without payment records, an order gets the status from before the first record if that was none or pending, otherwise none', () => {
  for (const base of paymentStatuses) assert.equal(paymentStatus(1000, [], base), base === 'pending' ? 'pending' : 'none');
});

test('PP1, PP2: an order is paid if the paid records reach the total, otherwise pending; unpaid records do not count', () => {
  const amounts = fc.array(fc.record({ amount_cents: fc.integer({ min: 1, max: 10_000 }), paid: fc.boolean() }), { minLength: 1 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50_000 }), amounts, fc.constantFrom(...paymentStatuses), (total, records, base) => {
      const paid = records.filter((one) => one.paid).reduce((sum, one) => sum + one.amount_cents, 0);
      assert.equal(paymentStatus(total, records, base), paid >= total ? 'paid' : 'pending');
    }),
  );
  assert.equal(paymentStatus(0, [record(5, false)], 'none'), 'paid');
});

test('PP1: sums beyond the safe integers are compared exactly', () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(paymentStatus(most, [record(most, true), record(most, true)], 'none'), 'paid');
});

test('PP6: paid_at is set to now when a record becomes paid, kept while it stays paid, and removed when it becomes unpaid', () => {
  const then = '2026-01-01T00:00:00.000Z';
  const now = '2026-02-01T00:00:00.000Z';
  assert.equal(paidAt({ paid: false, paid_at: null }, true, now), now);
  assert.equal(paidAt({ paid: true, paid_at: then }, true, now), then);
  assert.equal(paidAt({ paid: true, paid_at: then }, false, now), null);
});

test('PP8: a list is exact only if it has every id once and no other', () => {
  assert.ok(listsExactly([1, 2, 3], [3, 1, 2]));
  assert.ok(listsExactly([], []));
  for (const listed of [[1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 4], []]) assert.ok(!listsExactly([1, 2, 3], listed));
});
