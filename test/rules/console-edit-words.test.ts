import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editWords } from '../../console/parts/timeline/edit-words.ts';

const money = (minor: number): string => `€${(minor / 100).toFixed(2)}`;

test('an edit of an order is told in words and amounts, without its total; what is not known stays', () => {
  assert.equal(
    editWords('#12 quantity 1→3; #13 removed; #14 price 990→1490; added 2 × Tea; shipping 0→490; total 990→3470', money),
    'line 12: quantity 1 → 3 · line 13 removed · line 14: price €9.90 → €14.90 · 2 × Tea added · shipping €0.00 → €4.90',
  );
  assert.equal(
    editWords('voucher none→TEA; customer name; delivery date none→2026-12-24', money).startsWith('voucher none → TEA · customer name'),
    true,
  );
  assert.equal(editWords('#12 custom fields; something newer 1→2', money), 'line 12: custom fields · something newer 1→2');
  assert.equal(editWords('No changes', money), 'Nothing was changed');
});
