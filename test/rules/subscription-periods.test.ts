import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodEnd } from '../../server/resources/subscriptions/rules.ts';

test('O23: a period ends on the same day and time, or on the last day of a shorter month', () => {
  const at = (date: string) => `${date}T10:20:30.456Z`;
  const cases = [
    ['2026-03-01', 'day', 1, '2026-03-02'],
    ['2026-03-30', 'day', 3, '2026-04-02'],
    ['2026-12-28', 'week', 2, '2027-01-11'],
    ['2026-01-31', 'month', 1, '2026-02-28'],
    ['2028-01-31', 'month', 1, '2028-02-29'],
    ['2026-01-31', 'month', 2, '2026-03-31'],
    ['2026-11-30', 'month', 3, '2027-02-28'],
    ['2026-05-15', 'month', 8, '2027-01-15'],
    ['2028-02-29', 'year', 1, '2029-02-28'],
    ['2028-02-29', 'year', 4, '2032-02-29'],
  ] as const;
  for (const [start, interval, count, end] of cases) assert.equal(periodEnd(at(start), interval, count), at(end), `${start} ${interval}`);
});
