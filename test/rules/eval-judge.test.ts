import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEffect } from '../../contract/runs.ts';
import { anything, type Change } from '../evals/case.ts';
import { cases } from '../evals/cases.ts';
import { comparison } from '../evals/judge.ts';

/** The judge of the evals: a draft passes that changes exactly what it should. */

const effect = (type: string, id: number, changes: RunEffect['changes']): RunEffect => ({
  ...{ call: 1, method: 'PATCH', path: '/', status: 200, maybe_twice: false, at: '2026-01-01T00:00:00.000Z' },
  resource: { type, id },
  changes,
});
const expected: Change[] = [
  { type: 'order', id: 1, after: { internal_status_id: anything } },
  { type: 'voucher', id: null, after: { code: 'ANNA' } },
];
const tagged = effect('order', 1, { internal_status_id: [null, 4] });
const voucher = effect('voucher', 9, { code: [null, 'ANNA'], kind: [null, 'percent'] });

test('exactly the expected changes pass, in any order; what a run keeps for itself is no change', () => {
  assert.deepEqual(comparison(expected, [voucher, tagged, effect('task_state', 1, { value: [null, 'x'] })]), []);
});

test('a change that is missing, one too many, and one of another record or value are faults', () => {
  const faulty: [RunEffect[], RegExp][] = [
    [[voucher], /^1 changes are missing: order 1/],
    [[voucher, tagged, tagged], /^1 changes are too many: order 1/],
    [[voucher, effect('order', 2, { internal_status_id: [null, 4] })], /1 changes are missing: order 1.*1 changes are too many: order 2/],
    [[voucher, effect('order', 1, { internal_status_id: [4, null] })], /missing: order 1.*too many: order 1/],
    [[tagged, effect('voucher', 9, { code: [null, 'BEN'] })], /missing: voucher.*too many: voucher 9/],
  ];
  for (const [effects, fault] of faulty) assert.match(comparison(expected, effects).join(' '), fault);
});

test('each wish has a name and a text of its own, and none is the beginning of another', () => {
  assert.equal(cases.length, 24);
  assert.equal(new Set(cases.map(({ name }) => name)).size, 24);
  for (const { wish } of cases)
    assert.deepEqual(
      cases.filter((other) => other.wish.startsWith(wish)).map((other) => other.wish),
      [wish],
    );
});
