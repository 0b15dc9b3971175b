import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { balanceOf, expiryAfter, planDebit } from '../../server/resources/credits/rules.ts';

const buckets = fc
  .array(fc.integer({ min: 1, max: 1000 }), { maxLength: 20 })
  .map((amounts) => amounts.map((remaining_credits, index) => ({ id: index + 1, remaining_credits, expires_at: null })));

test('CR3: a debit empties each bucket before it touches the next, and takes the amount exactly', () => {
  fc.assert(
    fc.property(buckets, fc.integer({ min: 1, max: 20_000 }), (list, amount) => {
      const takes = planDebit(list, amount);
      if (amount > balanceOf(list)) return assert.equal(takes, null);
      assert.ok(takes);
      assert.equal(
        takes.reduce((total, take) => total + take.amount, 0),
        amount,
      );
      takes.forEach((take, index) => {
        assert.equal(take.credit_id, list[index]?.id);
        assert.equal(take.amount + take.left, list[index]?.remaining_credits);
        assert.ok(take.amount > 0);
        if (index < takes.length - 1) assert.equal(take.left, 0);
      });
    }),
  );
});

test('CR5: days are 24 hours long', () => {
  assert.equal(expiryAfter('2026-03-28T12:00:00.000Z', 2), '2026-03-30T12:00:00.000Z');
  assert.equal(expiryAfter('2026-03-28T12:00:00.000Z', null), null);
});
