import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paymentStatuses } from '../../contract/orders.ts';
import { listsExactly, paidAt, paymentStatus } from '../../server/resources/payments/rules.ts';

const record = (amount_cents: number, paid: boolean) => ({ amount_cents, paid });

test('PP1: without records the status before the first one, if it was none or pending; else none', () => {
  for (const base of paymentStatuses) assert.equal(paymentStatus(1000, [], base), base === 'pending' ? 'pending' : 'none');
});

test('PP1, PP2: paid from the total on, else pending; what is not paid does not count', () => {
  const amounts = fc.array(fc.record({ amount_cents: fc.integer({ min: 1, max: 10_000 }), paid: fc.boolean() }), { minLength: 1 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50_000 }), amounts, fc.constantFrom(...paymentStatuses), (total, records, base) => {
      const paid = records.filter((one) => one.paid).reduce((sum, one) => sum + one.amount_cents, 0);
      assert.equal(paymentStatus(total, records, base), paid >= total ? 'paid' : 'pending');
    }),
  );
  assert.equal(paymentStatus(0, [record(5, false)], 'none'), 'paid');
});

test('PP1: sums past the safe integers do not mislead', () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(paymentStatus(most, [record(most, true), record(most, true)], 'none'), 'paid');
});

test('PP6: false → true now, true → true kept, true → false gone', () => {
  const then = '2026-01-01T00:00:00.000Z';
  const now = '2026-02-01T00:00:00.000Z';
  assert.equal(paidAt({ paid: false, paid_at: null }, true, now), now);
  assert.equal(paidAt({ paid: true, paid_at: then }, true, now), then);
  assert.equal(paidAt({ paid: true, paid_at: then }, false, now), null);
});

test('PP8: a list is exact or it is not', () => {
  assert.ok(listsExactly([1, 2, 3], [3, 1, 2]));
  assert.ok(listsExactly([], []));
  for (const listed of [[1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 4], []]) assert.ok(!listsExactly([1, 2, 3], listed));
});
