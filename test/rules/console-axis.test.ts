import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { axisOf, labelledDays } from '../../console/features/overview/axis.ts';

test('the lines of a chart are round, whole, equally far apart, and few; the highest value is below the last one', () => {
  assert.deepEqual(axisOf(0), [0]);
  assert.deepEqual(axisOf(1), [0, 1]);
  assert.deepEqual(axisOf(98_000), [0, 25_000, 50_000, 75_000, 100_000]);
  assert.deepEqual(axisOf(100_001), [0, 50_000, 100_000, 150_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 13 }), (highest) => {
      const lines = axisOf(highest);
      const step = lines[1] ?? 0;
      assert.ok(lines.length >= 2 && lines.length <= 5, String(lines.length));
      assert.deepEqual(
        lines,
        lines.map((_, line) => line * step),
      );
      assert.match(String(step), /^(1|2|25|5)0*$/);
      assert.ok((lines.at(-1) ?? 0) >= highest && (lines.at(-2) ?? 0) < highest);
    }),
  );
});

test('some days are named below a chart, the last one always', () => {
  assert.deepEqual(labelledDays(7), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(labelledDays(30), [4, 9, 14, 19, 24, 29]);
  assert.deepEqual(labelledDays(90), [14, 29, 44, 59, 74, 89]);
});
