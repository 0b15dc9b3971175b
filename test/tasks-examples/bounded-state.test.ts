import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, runScripted, scriptedOrder } from './scripted-shop.ts';

/** Examples that remember what they have done keep no more than the state takes, and do nothing that they cannot remember. */

const now = '2026-01-06T12:00:00Z';
const waiting = [1, 2].map((id) =>
  scriptedOrder({ id, public_id: `A${id}`, customer_id: 9_000_000 + id, created_at: '2026-01-03T08:00:00.000Z' }),
);
const isMail = ({ path }: Asked): boolean => path === '/mails';
const isState = ({ path }: Asked): boolean => path.includes('/state/');
const customers = (count: number): number[] => Array.from({ length: count }, (_, n) => 1_000_000 + n);

test('abandoned-cart-mail reminds each customer once in its time, and forgets whom it may remind again', async () => {
  const state = new Map<string, unknown>([['reminded', { '2025-12-22': [5], '2025-12-23': [6], '2026-01-05': [9_000_001] }]]);
  const first = await runScripted('abandoned-cart-mail', { now, rows: waiting, state });
  assert.deepEqual(first.report.result, { waiting: 1, mailed: 1, left_out: 0, left: 0 });
  assert.deepEqual(state.get('reminded'), { '2025-12-23': [6], '2026-01-05': [9_000_001], '2026-01-06': [9_000_002] });
  const second = await runScripted('abandoned-cart-mail', { now, rows: waiting, state });
  assert.deepEqual(second.writes.filter(isMail), []);
});

test('abandoned-cart-mail counts whom an earlier version of it has remembered by customer', async () => {
  const state = new Map<string, unknown>([['reminded', { 5: '2025-12-22', 9000001: '2026-01-05', 9000002: '2026-01-05' }]]);
  assert.deepEqual((await runScripted('abandoned-cart-mail', { now, rows: waiting, state })).writes, []);
});

test('abandoned-cart-mail says before that its state is nearly full, and reminds nobody while it is full', async () => {
  const nearly = new Map<string, unknown>([['reminded', { '2026-01-05': customers(7000) }]]);
  const { report, writes } = await runScripted('abandoned-cart-mail', { now, rows: waiting, state: nearly });
  assert.equal(writes.filter(isMail).length, 2);
  assert.equal(report.logs[0], 'The state is 93 % full: it remembers 7000 customers reminded since 2025-12-23.');

  const full = new Map<string, unknown>([['reminded', { '2026-01-05': customers(8000) }]]);
  const none = await runScripted('abandoned-cart-mail', { now, rows: waiting, state: full });
  assert.deepEqual([none.writes, none.report.result], [[], { waiting: 2, mailed: 0, left_out: 0, left: 2 }]);
  assert.match(none.report.logs.join('\n'), /While it is full, nobody is reminded until it forgets its oldest day\./);
});

test('abandoned-cart-mail mails nobody whom the state refuses to take, and remembers nobody whom it could not mail', async () => {
  const refused = await runScripted('abandoned-cart-mail', { now, rows: waiting, refuse: (asked) => (isState(asked) ? 'too_many' : null) });
  assert.match(refused.report.done.error_message ?? '', /too_many/);
  assert.deepEqual(refused.writes.filter(isMail), []);

  const state = new Map<string, unknown>();
  const limited = await runScripted('abandoned-cart-mail', {
    ...{ now, rows: waiting, state },
    refuse: (asked) => (isMail(asked) ? 'daily_mail_limit_reached' : null),
  });
  assert.match(limited.report.done.error_message ?? '', /daily_mail_limit_reached/);
  assert.deepEqual(state.get('reminded'), { '2026-01-06': [] });
});

test('low-stock-alert remembers as many products as are low, and posts none that it cannot remember', async () => {
  const low = Array.from({ length: 12_000 }, (_, n) => ({
    ...{ id: 1_000_000 + n, name: 'Cup', status: 'active', low_stock_threshold: null },
    variants: [{ active: true, track_stock: true, stock: 0 }],
  }));
  const state = new Map<string, unknown>();
  assert.deepEqual((await runScripted('low-stock-alert', { rows: low, state })).report.result, { low: 12_000, posted: 12_000 });
  assert.deepEqual([...state.keys()], ['low', 'low.1', 'low.2']);
  const again = await runScripted('low-stock-alert', { rows: low, state });
  assert.deepEqual([again.report.result, again.writes], [{ low: 12_000, posted: 0 }, []]);
  assert.deepEqual((await runScripted('low-stock-alert', { rows: low.slice(0, 3), state })).report.result, { low: 3, posted: 0 });
  assert.deepEqual([...state], [['low', [1_000_000, 1_000_001, 1_000_002]]]);

  const refused = await runScripted('low-stock-alert', { rows: low, refuse: (asked) => (isState(asked) ? 'too_many' : null) });
  assert.deepEqual([refused.report.done.error_message?.includes('too_many'), refused.writes], [true, []]);
  const unreached = await runScripted('low-stock-alert', {
    rows: low,
    state,
    refuse: ({ path }) => (path.startsWith('/http/') ? 'http_failed' : null),
  });
  assert.match(unreached.report.done.error_message ?? '', /http_failed/);
  assert.deepEqual([...state], [['low', [1_000_000, 1_000_001, 1_000_002]]]);
});

test('fraud-score takes so many orders in a run, and the next run goes on there', async () => {
  const state = new Map<string, unknown>();
  const rows = Array.from({ length: 450 }, (_, n) => scriptedOrder({ id: n + 1 }));
  const scored = async () => (await runScripted('fraud-score', { rows, state }, { max: 200 })).report.result;
  assert.deepEqual(
    [await scored(), await scored(), await scored()],
    [200, 200, 50].map((orders) => ({ scored: orders, risky: 0 })),
  );
  assert.deepEqual([...state], [['after', 'c']]);
});
