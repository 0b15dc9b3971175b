import assert from 'node:assert/strict';
import { test } from 'node:test';
import { londonClock } from '../../server/shop-data/online-retail/london-time.ts';

test('local times of London become UTC', () => {
  const toUtc = londonClock();
  const cases = {
    '2010-12-01 08:26:00': '2010-12-01T08:26:00.000Z',
    '2011-03-27 00:59:00': '2011-03-27T00:59:00.000Z',
    '2011-03-27 02:00:00': '2011-03-27T01:00:00.000Z',
    '2011-07-01 12:30:00': '2011-07-01T11:30:00.000Z',
    '2011-10-30 00:59:00': '2011-10-29T23:59:00.000Z',
    '2011-10-30 01:30:00': '2011-10-30T00:30:00.000Z',
    '2011-10-30 02:00:00': '2011-10-30T02:00:00.000Z',
    '2011-02-29 10:00:00': null,
    '2011-02-28 24:00:00': null,
    '2011-02-28': null,
    '': null,
  };
  for (const [local, utc] of Object.entries(cases)) assert.equal(toUtc(local), utc, local);
});
