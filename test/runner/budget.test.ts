import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from '../../runner/budget.ts';

test('no limit is never spent', () => {
  const budget = createBudget(null, 1_000_000);
  for (let i = 0; i < 100; i += 1) budget.reserve();
  assert.equal(budget.state(), 'free');
});

test('at the limit, calls in flight are waited for', () => {
  const budget = createBudget(2);
  budget.reserve();
  budget.reserve();
  assert.equal(budget.state(), 'wait');
  budget.settle('spent');
  assert.equal(budget.state(), 'wait');
  budget.settle('refunded');
  assert.equal(budget.state(), 'free');
  budget.reserve();
  budget.settle('spent');
  assert.equal(budget.state(), 'spent');
});

test('what earlier attempts spent counts', () => {
  assert.equal(createBudget(3, 3).state(), 'spent');
  assert.equal(createBudget(3, 2).state(), 'free');
  assert.equal(createBudget(0).state(), 'spent');
});
