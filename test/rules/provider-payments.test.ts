import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isNewRefund, isNews, type ProviderPayment, paymentOf } from '../../server/resources/provider-payments/rules.ts';

const STATES = ['processing', 'failed', 'succeeded'] as const;
type Event = { state: (typeof STATES)[number]; told_at: string } | { refunded: number; told_at: string };

const at = fc.integer({ min: 0, max: 3 }).map((second) => `2026-03-01T12:00:0${second}.000Z`);
/** The events that a provider may send about one payment: at most one attempt succeeds, and after it come only refunds, which grow. */
const story = fc
  .tuple(
    fc.uniqueArray(fc.record({ state: fc.constantFrom('processing' as const, 'failed' as const), told_at: at }), {
      maxLength: 4,
      selector: ({ state, told_at }) => `${state}${told_at}`,
    }),
    fc.boolean(),
    fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 3 }),
  )
  .map(([before, succeeds, refunds]): Event[] => {
    if (!succeeds) return before;
    const given = refunds.toSorted((a, b) => a - b).map((refunded, n) => ({ refunded, told_at: `2026-03-02T12:00:0${n}.000Z` }));
    return [...before, { state: 'succeeded', told_at: '2026-03-01T12:00:05.000Z' }, ...given];
  });

/** What the server stores of a payment after each event. */
function keep(events: readonly Event[]): ProviderPayment | null {
  let known: ProviderPayment | null = null;
  for (const event of events) {
    const base: ProviderPayment = known ?? {
      state: 'processing',
      amount_cents: 1000,
      refunded_cents: 0,
      currency: 'EUR',
      told_at: event.told_at,
      refund_told_at: null,
    };
    if ('refunded' in event) {
      if (known && !isNewRefund(known, event.refunded, event.told_at)) continue;
      known = { ...base, state: 'succeeded', refunded_cents: event.refunded, refund_told_at: event.told_at };
    } else if (!known || isNews(known, event.state, event.told_at)) known = { ...base, state: event.state, told_at: event.told_at };
  }
  return known;
}

test('an order ends as paid, failed or refunded independently of the order in which events arrive', () => {
  const orders = story.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
  fc.assert(
    fc.property(orders, ([events, shuffled]) => {
      const order = { total: 1000, currency: 'EUR' };
      const rank = (event: Event) => ('refunded' in event ? 3 : STATES.indexOf(event.state));
      const own = events.toSorted((a, b) => (a.told_at === b.told_at ? rank(a) - rank(b) : a.told_at < b.told_at ? -1 : 1));
      const [wanted, found] = [keep(own), keep(shuffled)];
      assert.deepEqual(found && paymentOf(order, [found]), wanted && paymentOf(order, [wanted]));
    }),
  );
});

test('of several payments of an order, the successful ones are added; a failure counts only if none succeeded', () => {
  const order = { total: 1000, currency: 'EUR' };
  const payment = (values: Partial<ProviderPayment>): ProviderPayment => ({
    state: 'succeeded',
    amount_cents: 1000,
    refunded_cents: 0,
    currency: 'EUR',
    told_at: '2026-03-01T12:00:00.000Z',
    refund_told_at: null,
    ...values,
  });
  const late = '2026-03-02T12:00:00.000Z';
  assert.equal(paymentOf(order, []), null);
  assert.deepEqual(paymentOf(order, [payment({ amount_cents: 400 }), payment({ amount_cents: 599 })]), { status: 'pending', paid: 999 });
  assert.deepEqual(paymentOf(order, [payment({ amount_cents: 400 }), payment({ amount_cents: 600 })]), { status: 'paid', paid: 1000 });
  assert.deepEqual(paymentOf(order, [payment({}), payment({ state: 'failed', told_at: late })]), { status: 'paid', paid: 1000 });
  assert.deepEqual(paymentOf(order, [payment({ refunded_cents: 1000 }), payment({})]), { status: 'paid', paid: 1000 });
  assert.deepEqual(paymentOf(order, [payment({ refunded_cents: 1000 })]), { status: 'refunded', paid: 0 });
  assert.deepEqual(paymentOf(order, [payment({ state: 'failed' }), payment({ state: 'processing', told_at: late })]), {
    status: 'pending',
    paid: 0,
  });
  assert.deepEqual(paymentOf({ ...order, total: 0 }, [payment({ amount_cents: 0 })]), { status: 'paid', paid: 0 });
});
