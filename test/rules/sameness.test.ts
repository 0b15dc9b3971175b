import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameness } from '../../server/automation/runs/errors/rules.ts';

const of = (errorMessage: string, endReason = 'script_error') => sameness({ status: 'failed', endReason, errorMessage });

test('RE1: what differs from run to run makes no other error', () => {
  for (const [one, other] of [
    ['order 4711 is late', 'order 12 is late'],
    ['order A-4711/b is late', 'order B-12/b is late'],
    ['no run 6f1c2f4e-0b7e-4d0a-9a55-0b8a3c1d2e3f', 'no run 00000000-0b7e-4d0a-9a55-0b8a3c1d2eff'],
    ['no mail to anna@example.com', 'no mail to b.c+d@shop.example.org'],
    ['no field "colour" in `a b`', 'no field "size" in `c`'],
    ["can't find 'red tea' or don't", "can't find 'milk' or don't"],
    ['since 2026-11-28T10:00:00.000Z', 'since 2025-01-02T01:02:03.004Z'],
    ['since Sat, 28 Nov 2026 10:00:00 GMT', 'since Mon, 2 Feb 2026 11:10:00 GMT'],
    ['ids 1, 2, 3 are gone', 'ids 4 are gone'],
    ['GET https://api.example.com/orders/x?y=z failed', 'GET https://api.example.com/orders/other failed'],
    ['E: x\n    at f (task.ts:1:2)\n    at task.ts:9:9', 'E: x\n    at f (task.ts:31:20)\n    at task.ts:1:1'],
  ] as const)
    assert.equal(of(one), of(other));
});

test('RE1: words, functions and reasons make another error', () => {
  const all = [
    'a b',
    'a c',
    'GET https://a.example',
    'GET https://b.example',
    'a b\n    at f (task.ts:1:1)',
    'a b\n    at g (task.ts:1:1)',
    '',
  ];
  assert.equal(new Set([...all.map((one) => of(one)), of('', 'wall'), of('a b', 'heap')]).size, all.length + 2);
});

test('the longest message takes little time', () => {
  const began = performance.now();
  for (const part of ['a', '1', '"', "'", '@', 'a.', '# ', 'jan ', '\n    at ']) of(part.repeat(16_384));
  assert.ok(performance.now() - began < 500, `${performance.now() - began} ms`);
});
