import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from '../../runner/budget.ts';

test('a budget without a limit is never used up', () => {
  const budget = createBudget(null, 1_000_000);
  for (let i = 0; i < 100; i += 1) budget.reserve();
  assert.equal(budget.state(), 'free');
});

test('at the limit, a new call waits for the calls in flight', () => {
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

test('what earlier attempts have used counts', () => {
  assert.equal(createBudget(3, 3).state(), 'spent');
  assert.equal(createBudget(3, 2).state(), 'free');
  assert.equal(createBudget(0).state(), 'spent');
});
