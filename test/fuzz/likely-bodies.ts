import fc from 'fast-check';
import { Seen, type Sketch } from './sketch.ts';

/** Bodies that are hard to hit by their schemas alone, because their parts must fit each other or the shop. By the endpoint's id. */

const seen = (name: string, otherwise: number | string) => fc.nat({ max: 7 }).map((n): Sketch => new Seen(name, n, otherwise));
const variant = seen('variant_id', 1);
const quantity = fc.integer({ min: 1, max: 5 });
const cents = fc.integer({ min: 0, max: 5000 });
const address = fc.constant<Sketch>({ line1: '1 High Street', city: 'Vienna', postal_code: '1010', country: 'AT' });
const email = fc.constantFrom('ann@example.com', 'bo@example.com', '');

const order: fc.Arbitrary<Sketch> = fc.record(
  {
    customer: fc.record({ name: fc.constantFrom('Ann', 'Bo'), email, phone: fc.constant('') }),
    items: fc.array(fc.record({ variant_id: variant, quantity }), { minLength: 1, maxLength: 3 }),
    shipping: fc.oneof<fc.Arbitrary<Sketch>[]>(
      fc.constant({ kind: 'none' }),
      fc.record({ kind: fc.constant('configured'), method_id: seen('method_id', 1) }),
      fc.record({ kind: fc.constant('pickup'), method_id: seen('pickup_location_id', 1) }),
    ),
    shipping_address: address,
    payment_status: fc.constantFrom('none', 'pending', 'paid'),
    register_customer: fc.constant(false),
    send_confirmation_email: fc.boolean(),
    voucher_code: fc.constantFrom<Sketch>(null, 'SPRING'),
    discount: fc.oneof<fc.Arbitrary<Sketch>[]>(fc.record({ kind: fc.constant('fixed'), amount_cents: cents }), fc.constant(null)),
    delivery_date: fc.constantFrom<Sketch>(null, '2026-05-31'),
    notes: fc.constantFrom('', 'Ring twice'),
  },
  { requiredKeys: ['customer', 'items', 'shipping', 'register_customer', 'send_confirmation_email'], noNullPrototype: true },
);

const edit: fc.Arbitrary<Sketch> = fc.record(
  {
    items: fc.array(fc.record({ variant_id: variant, quantity }), { maxLength: 2 }),
    stock_override: fc.boolean(),
    warn_acknowledged: fc.boolean(),
    notify_customer: fc.boolean(),
    discount_amount_cents: cents,
    voucher_code: fc.constantFrom<Sketch>(null, 'SPRING'),
    internal_notes: fc.constantFrom<Sketch>(null, 'fragile'),
    shipping: fc.record({ cost_cents: cents }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const source = fc.constantFrom('log(1)', 'export default () => parameters', 'await sleep(1)');
const permissions = fc.subarray([
  'admin_api.orders.read',
  'admin_api.customers.write',
  'admin_api.customers.read',
  'admin_api.products.read',
  'admin_api.orders.write',
  'file_upload',
  'prompt_input',
]);
const version = { source_code: source, permissions: permissions.map((list): Sketch => list), parameters: fc.constant<Sketch>([]) };

export const likelyBodies: Readonly<Record<string, fc.Arbitrary<Sketch>>> = {
  'orders.create': order,
  'orders.preview': order,
  'orders.edit': edit,
  'orders.preview_edit': edit,
  'products.change_stock': fc.oneof<fc.Arbitrary<Sketch>[]>(
    fc.record({ delta: fc.integer({ min: -20, max: 50 }), reason: fc.constant('count') }),
    fc.record({ delta: fc.integer({ min: -20, max: 0 }), reason: fc.constant('sold'), force: fc.boolean() }),
    fc.record({ stock: fc.integer({ min: -5, max: 50 }), expected_stock: seen('stock', 0) }),
  ),
  'vouchers.create': fc.oneof<fc.Arbitrary<Sketch>[]>(
    fc.record({ code: fc.constantFrom('SPRING', 'SUMMER'), kind: fc.constant('fixed'), amount_cents: fc.integer({ min: 1, max: 5000 }) }),
    fc.record({
      code: fc.constantFrom('SPRING', 'AUTUMN'),
      kind: fc.constant('percent'),
      percent_bps: fc.integer({ min: 1, max: 10_000 }),
    }),
  ),
  'task_secrets.create': fc.record({
    name: fc.constantFrom('first', 'second'),
    value: fc.constant('s'),
    hosts: fc.constant<Sketch>(['api.example.com']),
  }),
  'ai_tasks.create': fc.record({ name: fc.constantFrom('Report', 'Cleanup'), description: fc.constant(''), ...version }),
  'ai_tasks.create_version': fc.record(version),
  'ai_tasks.start_run': fc.record(
    { executor: fc.constantFrom('runner', 'external'), dry_run: fc.boolean(), record: fc.boolean() },
    { requiredKeys: [], noNullPrototype: true },
  ),
  'ai_tasks.restart_run': fc.record(
    { checkpoint: fc.integer({ min: 1, max: 3 }), dry_run: fc.boolean(), version: fc.constant('current') },
    { requiredKeys: ['checkpoint'], noNullPrototype: true },
  ),
  'runner.claim': fc.record({
    runner: fc.constant<Sketch>({ name: 'fuzz', version: '1', isolation: [] }),
    slots: fc.integer({ min: 1, max: 4 }),
    wait_ms: fc.constant(0),
  }),
  'ai_tasks.append_run_events': fc.record({ events: fc.array(runEvents(), { maxLength: 4 }) }),
  'customers.adjust_credits': fc.record({ delta: fc.integer({ min: -20, max: 50 }) }),
};

function runEvents(): fc.Arbitrary<Sketch> {
  return fc.oneof<fc.Arbitrary<Sketch>[]>(
    fc.record({ kind: fc.constant('log'), line: fc.string({ maxLength: 20, unit: 'binary' }) }),
    fc.record({ kind: fc.constant('progress'), current: fc.nat({ max: 5 }), total: fc.nat({ max: 5 }), label: fc.constant('') }),
    fc.record({ kind: fc.constant('result'), status: fc.constant('ok'), item: fc.constant('one'), details: fc.constant<Sketch>({}) }),
    fc.record({ kind: fc.constant('checkpoint'), state: fc.constant<Sketch>({ at: 1 }) }),
    fc.record({ kind: fc.constant('finalize'), status: fc.constantFrom('success', 'failed', 'interrupted') }),
  );
}
