import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThisYear } from '../../console/language/formats.ts';
import { dayBefore, todayIn } from '../../console/ui/days.ts';

test('the day before is a calendar day, also where a day had 25 hours', (t) => {
  // 23:30 in New York, on the day on which the clocks go back.
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-02T04:30:00Z') });
  assert.equal(todayIn('America/New_York'), '2026-11-01');
  assert.equal(dayBefore(todayIn('America/New_York')), '2026-10-31');
  assert.equal(dayBefore('2026-03-01'), '2026-02-28');
  assert.equal(dayBefore('2026-01-01'), '2025-12-31');
});

test('a time is of this year by the shop’s calendar', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-01T00:00:00Z') });
  const newYear = new Date('2026-01-01T05:00:00Z');
  assert.deepEqual([isThisYear(newYear, 'UTC'), isThisYear(newYear, 'America/Los_Angeles')], [true, false]);
  const sylvester = new Date('2025-12-31T12:00:00Z');
  assert.deepEqual([isThisYear(sylvester, 'UTC'), isThisYear(sylvester, 'Pacific/Auckland')], [false, true]);
});
