import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instantsOf, nextDay, startOfDay, startsOfDays } from '../../server/values/dates.ts';

test('O2: a day begins at midnight of the zone, summer time included', () => {
  assert.equal(startOfDay('2026-03-29', 'UTC'), '2026-03-29T00:00:00.000Z');
  assert.equal(startOfDay('2026-03-29', 'Europe/Budapest'), '2026-03-28T23:00:00.000Z');
  assert.equal(startOfDay('2026-03-30', 'Europe/Budapest'), '2026-03-29T22:00:00.000Z');
  assert.equal(startOfDay('2026-01-01', 'America/New_York'), '2026-01-01T05:00:00.000Z');
  assert.equal(startOfDay('2026-01-01', 'Pacific/Kiritimati'), '2025-12-31T10:00:00.000Z');
  assert.equal(startOfDay('2026-06-01', 'Asia/Kathmandu'), '2026-05-31T18:15:00.000Z');
});

test('O2: where the clocks skip midnight, the day begins at the end of the gap', () => {
  assert.equal(startOfDay('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z');
});

test('O2: both ends are inclusive days', () => {
  assert.deepEqual(instantsOf({ from: '2026-01-31', to: '2026-02-28', timeZone: 'UTC' }), {
    from: '2026-01-31T00:00:00.000Z',
    before: '2026-03-01T00:00:00.000Z',
  });
  assert.deepEqual(instantsOf({ from: undefined, to: undefined, timeZone: 'UTC' }), { from: null, before: null });
});

test('O2: the last day that can be written has no end', () => {
  assert.equal(nextDay('9999-12-31'), null);
  assert.deepEqual(instantsOf({ from: '9999-12-31', to: '9999-12-31', timeZone: 'Pacific/Kiritimati' }), {
    from: '9999-12-30T10:00:00.000Z',
    before: null,
  });
});

test('O2: in every zone, days follow one another without gap or overlap', () => {
  const zones = fc.constantFrom('Europe/Budapest', 'America/St_Johns', 'Asia/Tehran', 'Australia/Lord_Howe', 'Africa/Cairo');
  const day = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(zones, day, (timeZone, date) => {
      const start = Date.parse(startOfDay(date, timeZone));
      const end = Date.parse(startOfDay(nextDay(date) ?? date, timeZone));
      const dayOf = (ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(ms);
      assert.equal(dayOf(start), date);
      assert.equal(dayOf(end - 1), date);
      assert.notEqual(dayOf(start - 1), date);
    }),
  );
});

test('the starts of days that follow one another are those of each, over changes of the clocks too', () => {
  for (const zone of ['UTC', 'Europe/Budapest', 'America/New_York', 'Australia/Lord_Howe', 'America/Asuncion', 'Africa/Cairo']) {
    const dates = Array.from({ length: 400 }, (_, i) => new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10));
    assert.deepEqual(
      startsOfDays(dates, zone),
      dates.map((date) => startOfDay(date, zone)),
      zone,
    );
  }
});
