import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ATTEMPTS, pauseMs, retryDelayMs } from '../../server/resources/mail/rules.ts';

const attempts = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) => n + 1);
const HOUR_MS = 3_600_000;

test('a mail waits longer after each attempt, and is given up after about 19 hours', () => {
  const delays = attempts.map((n) => retryDelayMs(n, 0.5));
  assert.deepEqual(delays.slice(0, 4), [30_000, 60_000, 120_000, 240_000]);
  assert.ok(delays.every((delay, n) => n === 0 || delay >= (delays[n - 1] ?? 0)));
  const total = delays.reduce((sum, delay) => sum + delay, 0);
  assert.ok(total > 18 * HOUR_MS && total < 20 * HOUR_MS, `${total / HOUR_MS} hours`);
});

test('the wait before the next attempt varies by up to a fifth', () => {
  assert.deepEqual([retryDelayMs(1, 0), retryDelayMs(1, 1)], [24_000, 36_000]);
});

test('after a mail server does not answer, the pause is at most a minute', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 60].map(pauseMs), [5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});
