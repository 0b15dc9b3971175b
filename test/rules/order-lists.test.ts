import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { calendarDays } from '../../server/resources/order-lists/calendar.ts';
import { isHeavyList, spanOf } from '../../server/resources/order-lists/rules.ts';

const instant = fc
  .date({ min: new Date('0000-01-02T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), `${date.toISOString().slice(0, 10)}T00:00:00.000Z`))
  .filter((text) => /^\d{4}-/.test(text));

test('O2: the whole days and the partial days at both ends cover each instant of the span exactly once', () => {
  const near = (base: string) => fc.integer({ min: -3 * 86_400_000, max: 3 * 86_400_000 }).map((ms) => new Date(Date.parse(base) + ms));
  fc.assert(
    fc.property(
      fc.option(instant),
      fc.option(instant),
      instant.chain((base) => fc.tuple(fc.constant(base), near(base))),
      (from, before, [base, moved]) => {
        const close = moved.toISOString();
        const spans = [[from, before] as const, [base, close] as const, [close, base] as const].filter((one) =>
          one.every((text) => text === null || /^\d{4}-/.test(text)),
        );
        for (const [a, b] of spans) {
          const { counted, ends } = spanOf(a, b);
          for (const at of [a, b, from, before, base].filter((text) => text !== null)) {
            const keys = [at.slice(0, 10), `M${at.slice(0, 7)}`];
            const wholes = counted.filter(({ from, before }) => keys.some((key) => key >= from && key < before)).length;
            const parts = ends.filter((end) => at >= end.from && at < end.before).length;
            const isWithin = (a === null || at >= a) && (b === null || at < b);
            assert.equal(wholes + parts, isWithin ? 1 : 0, JSON.stringify({ a, b, at }));
          }
        }
      },
    ),
  );
});

test('O2: a span may begin before the first year and end after the last', () => {
  assert.deepEqual(spanOf('-000001-12-31T10:00:00.000Z', null), { counted: [{ from: 'M0', before: 'M:' }], ends: [] });
  assert.deepEqual(spanOf('9999-12-31T10:00:00.000Z', null), {
    counted: [],
    ends: [{ from: '9999-12-31T10:00:00.000Z', before: ':T00:00:00.000Z' }],
  });
  assert.deepEqual(spanOf('9999-12-30T00:00:00.000Z', null).counted, [{ from: '9999-12-30', before: ':' }]);
  assert.deepEqual(spanOf(null, '-000001-12-31T10:00:00.000Z'), { counted: [], ends: [] });
});

test('CA2: every calendar grid consists of whole weeks, Monday to Sunday, that contain the month', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9998 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
      const days = calendarDays(text, '2026-01-01');
      assert.ok([28, 35, 42].includes(days.length));
      assert.deepEqual([new Date(days[0] ?? '').getUTCDay(), new Date(days.at(-1) ?? '').getUTCDay()], [1, 0]);
      assert.ok(days.slice(0, 7).some((day) => day === `${text}-01`));
      const lastOfMonth = days.filter((day) => day.startsWith(text)).at(-1) ?? '';
      assert.ok(days.slice(-7).includes(lastOfMonth));
      assert.ok(days.every((day, i) => i === 0 || Date.parse(day) - Date.parse(days[i - 1] ?? '') === 86_400_000));
    }),
  );
});

test('a list that one index and the stored counts answer runs on the server’s main thread', () => {
  const query = { sort: '-created_at', per_page: 20 };
  assert.ok(!isHeavyList(query));
  assert.ok(!isHeavyList({ ...query, status: 'paid', created_from: '2026-01-01', page: 1000 }));
  assert.ok(!isHeavyList({ ...query, sort: 'customer_name' }));
  assert.ok(!isHeavyList({ ...query, needs: 'sending' }));
  assert.ok(!isHeavyList({ ...query, search: '', no_delivery_date: false }));
  assert.ok(!isHeavyList({ ...query, number: 'ABCDEF', status: 'paid' }));
  for (const more of [
    { search: 'a' },
    { total_min: '1' },
    { page: 1001 },
    { status: 'a', payment_status: 'b' },
    { sort: 'total', status: 'a' },
    { customer_id: 1 },
    { internal_status_id: 'none' as const },
    { delivery_from: '2026-01-01' },
    { delivery_to: '2026-01-01' },
    { no_delivery_date: true },
    { payment_progress: 'paid' },
    { number: 'ABCDE' },
  ]) {
    assert.ok(isHeavyList({ ...query, ...more }), JSON.stringify(more));
  }
});
