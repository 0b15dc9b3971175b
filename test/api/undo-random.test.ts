import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskPermissions } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { type Call, ran, takenBack } from '../helpers/done-runs.ts';
import { changedRows } from '../helpers/dump.ts';
import { dumpRecords } from '../helpers/records-dump.ts';

/** Random writes of a run, taken back, and that too. A failure names its seed. */
const SEEDS = [1, 2, 3];
const WRITES = 20;

/** Numbers that look random and are the same for the same seed (mulberry32). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed * 0x9e3779b9;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

onBothStores('random writes of a run', (app) => {
  type Known = Record<'customer' | 'product' | 'variant' | 'order' | 'group' | 'page', number>;

  async function records(): Promise<Known> {
    const { client } = app();
    const n = `${Date.now()}-${Math.random()}`;
    const product = await makeProduct(app());
    const variant = await makeVariant(app(), { product_id: product.id, stock: 1000 });
    return {
      ...{ product: product.id, variant: variant.id, customer: (await makeCustomer(app(), { is_b2b: true })).id },
      order: (await makeOrder(app(), {}, [{ variant, quantity: 2 }])).id,
      group: (await client.discount_groups.create({ name: `R${n}`, percent_bps: 1 })).id,
      page: (await client.pages.create({ slug: `r-${n.replace('.', '-')}`, title: 'R' })).id,
    };
  }

  /** One write; `n` makes its names unique. */
  function writeOf(pick: (below: number) => number, known: Known, n: string): Call {
    const { customer, product, variant, order, group, page } = known;
    const any = <T>(...all: readonly [T, ...T[]]): T => all[pick(all.length)] ?? all[0];
    const number = pick(1000);
    return any<Call>(
      ['PATCH', `/customers/${customer}`, { name: `N${number}`, phone: any('+43 1', null) }],
      ['PUT', `/customers/${customer}/b2b`, { is_b2b: pick(2) === 1, discount_group_id: any(group, null) }],
      ['POST', `/customers/${customer}/notes`, { body: `note ${n}` }],
      ['POST', `/customers/${customer}/credits/adjust`, { delta: 1 + number }],
      ['POST', '/customers', { name: 'New', email: `random-${n}@example.com` }],
      ['PATCH', `/products/${product}`, { name: `P${number}`, status: any('active', 'draft') }],
      ['POST', `/products/${product}/variants`, { sku: `R-${n}`, price_cents: number, stock: pick(5) }],
      ['PATCH', `/variants/${variant}`, { price_cents: number, label: `L${number}` }],
      ['POST', `/variants/${variant}/stock`, { delta: any(-1, 1 + pick(9)), reason: 'random' }],
      ['PATCH', `/orders/${order}/status`, { status: any('pending', 'processing', 'shipped', 'delivered', 'cancelled') }],
      ['PATCH', `/orders/${order}/payment-status`, { payment_status: any('none', 'paid', 'refunded') }],
      ['PATCH', `/orders/${order}/delivery-date`, { delivery_date: any('2031-01-02', '2031-03-04', null) }],
      ['POST', `/orders/${order}/comments`, { body: `comment ${n}` }],
      ['PATCH', `/discount-groups/${group}`, { percent_bps: number }],
      ['PUT', `/pages/${page}`, { title: `T${number}`, published: pick(2) === 1, content: `<p>${n}</p>` }],
      ['POST', '/vouchers', { code: `R${n}`, kind: 'fixed', amount_cents: 1 + number }],
    );
  }

  for (const seed of SEEDS) {
    test(`UN3: of seed ${seed}, the store is as before once they are taken back, and as after once that is`, async () => {
      const { store } = app();
      const pick = numbersOf(seed);
      const known = await records();
      const stamp = Date.now();
      const calls = Array.from({ length: WRITES }, (_, n) => writeOf(pick, known, `${seed}-${n}-${stamp}`));
      const before = await dumpRecords(store);
      const { taskId, runId } = await ran(app(), calls, { permissions: taskPermissions });
      const after = await dumpRecords(store);
      const told = calls.map((call) => JSON.stringify(call)).join('\n');
      const undone = await takenBack(app(), taskId, runId);
      assert.deepEqual(changedRows(before, await dumpRecords(store)), [], `taken back:\n${told}`);
      await takenBack(app(), taskId, undone);
      assert.deepEqual(changedRows(after, await dumpRecords(store)), [], `done again:\n${told}`);
    });
  }
});
