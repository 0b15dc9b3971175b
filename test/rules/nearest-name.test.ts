import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from '../../server/calls/input/nearest-name.ts';

const KNOWN = ['status', 'payment_status', 'price_cents', 'name', 'slug', 'sort', 'sort_order', 'id'];

test('the nearest name is one that differs by a slip or two, in spelling or as a part; else there is none', () => {
  for (const [given, nearest] of [
    ['stauts', 'status'],
    ['sttus', 'status'],
    ['Status', 'status'],
    ['paymentStatus', 'payment_status'],
    ['price-cents', 'price_cents'],
    ['price', 'price_cents'],
    ['slugs', 'slug'],
    ['sortorder', 'sort_order'],
    ['nmae', 'name'],
    ['sku', null],
    ['variants', null],
    ['', null],
    ['x', null],
    ['n'.repeat(65), null],
  ] as const)
    assert.equal(nearestName(given, KNOWN), nearest, given);
  assert.equal(nearestName('status', []), null);
});
