import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThisYear } from '../../console/language/formats.ts';
import { todayIn } from '../../console/ui/days.ts';

test('today is by the shop’s calendar', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-02T04:30:00Z') });
  assert.equal(todayIn('America/New_York'), '2026-11-01');
});

test('a time is of this year by the shop’s calendar', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-01T00:00:00Z') });
  const newYear = new Date('2026-01-01T05:00:00Z');
  assert.deepEqual([isThisYear(newYear, 'UTC'), isThisYear(newYear, 'America/Los_Angeles')], [true, false]);
  const sylvester = new Date('2025-12-31T12:00:00Z');
  assert.deepEqual([isThisYear(sylvester, 'UTC'), isThisYear(sylvester, 'Pacific/Auckland')], [false, true]);
});
