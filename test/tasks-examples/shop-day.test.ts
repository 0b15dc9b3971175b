import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import { scriptedOrder as order, type Row, runScripted, type ScriptedRun } from './scripted-shop.ts';

/** The examples count days as the shop does, also at hours at which UTC has another day. */

type Clock = { timezone: string; now: string };
/** 10:30 in the morning of Tuesday 6 January in UTC, and half an hour past midnight of the Tuesday in Auckland. */
const auckland: Clock = { timezone: 'Pacific/Auckland', now: '2026-01-05T11:30:00Z' };
/** Late in the evening of Monday 5 January there, when UTC has the 6th. */
const losAngeles: Clock = { timezone: 'America/Los_Angeles', now: '2026-01-06T06:30:00Z' };
/** Just after midnight there. */
const losAngelesMorning: Clock = { timezone: 'America/Los_Angeles', now: '2026-01-06T08:05:00Z' };

const runAt = (clock: Clock, name: string, rows: readonly Row[] = [], parameters: JsonObject = {}): Promise<ScriptedRun> =>
  runScripted(name, { ...clock, rows }, parameters);
const daysOf = ({ reads }: ScriptedRun): (string | null)[] => [reads[0]?.get('created_from') ?? null, reads[0]?.get('created_to') ?? null];
const pathsOf = ({ writes }: ScriptedRun, part: string): string[] => writes.flatMap(({ path }) => (path.includes(part) ? [path] : []));

test('weekly-report takes the last week that is over for the shop', async () => {
  const sunday = { timezone: 'America/Los_Angeles', now: '2026-01-05T05:00:00Z' };
  const monday = { timezone: 'Pacific/Auckland', now: '2026-01-04T11:30:00Z' };
  assert.deepEqual(daysOf(await runAt(sunday, 'weekly-report', [], { to: 'a@example.com' })), ['2025-12-22', '2025-12-28']);
  assert.deepEqual(daysOf(await runAt(monday, 'weekly-report', [], { to: 'a@example.com' })), ['2025-12-29', '2026-01-04']);
});

test('revenue-by-country takes the shop’s year', async () => {
  const newYear = { timezone: 'Pacific/Auckland', now: '2025-12-31T11:30:00Z' };
  assert.deepEqual(daysOf(await runAt(newYear, 'revenue-by-country')), ['2026-01-01', '2026-12-31']);
  assert.deepEqual(daysOf(await runAt({ timezone: 'America/Los_Angeles', now: '2026-01-01T05:00:00Z' }, 'revenue-by-country')), [
    '2025-01-01',
    '2025-12-31',
  ]);
});

test('welcome-note takes the customers of the shop’s days', async () => {
  assert.deepEqual(daysOf(await runAt(auckland, 'welcome-note')), ['2025-12-30', '2026-01-06']);
  assert.deepEqual(daysOf(await runAt(losAngeles, 'welcome-note')), ['2025-12-29', '2026-01-05']);
});

test('cancel-unpaid-orders cancels an order after whole days: not one of five minutes that was made before midnight', async () => {
  const parameters = { days: 1 };
  const fresh = order({ created_at: '2026-01-06T07:58:00.000Z' });
  for (const clock of [losAngeles, losAngelesMorning]) {
    assert.deepEqual(pathsOf(await runAt(clock, 'cancel-unpaid-orders', [fresh], parameters), '/orders/'), [], clock.now);
  }
  const old = order({ created_at: '2026-01-05T06:29:00.000Z' });
  const ran = await runAt(losAngeles, 'cancel-unpaid-orders', [old], parameters);
  assert.deepEqual([daysOf(ran), pathsOf(ran, '/orders/')], [[null, '2026-01-04'], ['/orders/1/status']]);
  assert.deepEqual(ran.results, [
    { kind: 'result', status: 'cancelled', item: 'A1', details: { order_id: 1, total: '€1.00', ordered: '2026-01-04' } },
  ]);
  assert.deepEqual(daysOf(await runAt(auckland, 'cancel-unpaid-orders', [], { days: 1, as_of: '2026-01-06' })), [null, '2026-01-05']);
});

test('tag-late-orders: an order is late after its day at the shop, or after whole days', async () => {
  const dueToday = order({ delivery_date: '2026-01-05' });
  const tagged = async (clock: Clock, one: Row) => pathsOf(await runAt(clock, 'tag-late-orders', [one], { days: 1 }), '/orders/');
  assert.deepEqual(await tagged(losAngeles, dueToday), []);
  assert.equal((await tagged(auckland, dueToday)).length, 1);
  const fresh = order({ created_at: '2026-01-06T07:58:00.000Z' });
  assert.deepEqual(await tagged(losAngelesMorning, fresh), []);
  assert.equal((await tagged(losAngelesMorning, order({ created_at: '2026-01-05T08:00:00.000Z' }))).length, 1);
});

test('abandoned-cart-mail reminds after whole days, of the shop’s last days', async () => {
  const mails = async (created_at: string) =>
    pathsOf(await runAt(losAngelesMorning, 'abandoned-cart-mail', [order({ created_at })]), '/mails');
  assert.deepEqual(daysOf(await runAt(losAngeles, 'abandoned-cart-mail')), ['2025-12-22', '2026-01-03']);
  assert.deepEqual(await mails('2026-01-04T08:06:00.000Z'), []);
  assert.equal((await mails('2026-01-04T08:04:00.000Z')).length, 1);
});

test('win-back-credit counts the days since a purchase as the shop does', async () => {
  const rows = [order({ name: 'Ann', created_at: '2026-01-05T06:30:00.000Z', credits: 0 })];
  const absent = async (clock: Clock) => (await runAt(clock, 'win-back-credit', rows, { days: 1, max: 0 })).report.result;
  // The purchase was on the 4th in Los Angeles: a day ago, not two.
  assert.deepEqual(await absent(losAngeles), { absent: 0, granted: 0, had_it: 0, left: 0 });
  assert.deepEqual(await absent({ ...losAngeles, now: '2026-01-06T08:05:00Z' }), { absent: 1, granted: 0, had_it: 0, left: 1 });
  assert.deepEqual(await absent({ ...losAngeles, timezone: 'UTC' }), { absent: 0, granted: 0, had_it: 0, left: 0 });
});
