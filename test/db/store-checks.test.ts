import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { checkStore } from '../../server/check-store.ts';
import { onBothStores } from '../helpers/app.ts';
import { grantCredits, makeCustomer, makeFile, makeOrder, makeVariant } from '../helpers/builders.ts';
import { claimedRun } from '../helpers/runs.ts';

/** `backroom db check` on a store in which one thing after the other was made wrong. */
onBothStores('checks of a store', (app) => {
  const wrong = async () => {
    const found: string[] = [];
    for await (const { name, count, faults } of checkStore(app().store, { filesDir: app().filesDir, filesS3: null }))
      if (count > 0) found.push(`${name}: ${faults.join(' | ')}`);
    return found;
  };
  const write = (statement: RawBuilder<unknown>) => app().store.write((db) => statement.execute(db));

  test('a shop with orders, edits, credits, files and runs has no fault; each thing that is made wrong is named', async () => {
    const customer = await makeCustomer(app());
    await grantCredits(app(), customer.id, 40);
    const variant = await makeVariant(app(), { stock: 9 });
    const { id: orderId } = await makeOrder(app(), { customer }, [{ variant, quantity: 2 }]);
    await app().client.vouchers.create({ code: 'CHECKED', kind: 'percent', percent_bps: 1000 });
    await makeFile(app());
    const ended = await claimedRun(app());
    await ended.report([1, 2, 3].map((n) => ({ kind: 'log', line: `line ${n}` })));
    await ended.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', error_message: null }]);
    const running = await claimedRun(app());
    assert.deepEqual(await wrong(), []);

    const faults: [break_: RawBuilder<unknown>, mend: RawBuilder<unknown>, told: RegExp][] = [
      [
        sql`UPDATE variants SET stock = stock + 1 WHERE id = ${variant.id}`,
        sql`UPDATE variants SET stock = stock - 1 WHERE id = ${variant.id}`,
        new RegExp(`^the stock of a variant is the sum of its movements: variant ${variant.id}: stock 8, movements 7$`),
      ],
      [
        sql`UPDATE orders SET total = total + 5 WHERE id = ${orderId}`,
        sql`UPDATE orders SET total = total - 5 WHERE id = ${orderId}`,
        new RegExp(`^the sums of an order add up to its total: order ${orderId}: total \\d+ of subtotal`),
      ],
      [
        sql`UPDATE order_items SET subtotal = subtotal + 5 WHERE order_id = ${orderId}`,
        sql`UPDATE order_items SET subtotal = subtotal - 5 WHERE order_id = ${orderId}`,
        new RegExp(`^the subtotal of an order is the sum of its lines: order ${orderId}: subtotal`),
      ],
      [
        sql`UPDATE order_counts SET n = n + 1 WHERE day = ''`,
        sql`UPDATE order_counts SET n = n - 1 WHERE day = ''`,
        /^lists tell how many orders there are: orders pending\/.*: counted \d+, there are 1/,
      ],
      [
        sql`UPDATE vouchers SET used_count = 3`,
        sql`UPDATE vouchers SET used_count = 0`,
        /^a voucher counts the orders that use it: voucher \d+: counted 3, orders 0$/,
      ],
      [
        sql`UPDATE credit_buckets SET remaining_credits = 41`,
        sql`UPDATE credit_buckets SET remaining_credits = 40`,
        new RegExp(`^the credits that are left are the sum of their ledger: customer ${customer.id}: credit \\d+ has 41, its ledger 40$`),
      ],
      [
        sql`UPDATE storage_use SET used_bytes = used_bytes + 7`,
        sql`UPDATE storage_use SET used_bytes = used_bytes - 7`,
        /^the space that files take is the sum of their sizes: counted \d+ bytes, files have \d+$/,
      ],
      [
        sql`UPDATE runs SET end_reason = 'completed' WHERE id = ${running.runId}`,
        sql`UPDATE runs SET end_reason = NULL WHERE id = ${running.runId}`,
        new RegExp(`^a run has an end exactly when it is not running: run ${running.runId}: running, end completed, finished never$`),
      ],
      [
        sql`UPDATE run_claims SET ended_at = '2026-01-01T00:00:00.000Z' WHERE run_id = ${running.runId}`,
        sql`UPDATE run_claims SET ended_at = NULL WHERE run_id = ${running.runId}`,
        new RegExp(`^a run is driven by the claim that it names, and by no other: run ${running.runId}: its claim \\d+ has ended$`),
      ],
      [
        sql`UPDATE run_events SET seq = 9 WHERE run_id = ${ended.runId} AND seq = (SELECT max(seq) FROM run_events WHERE run_id = ${ended.runId})`,
        sql`UPDATE run_events SET seq = 3 WHERE run_id = ${ended.runId} AND seq = 9`,
        new RegExp(`^the lines of a log have no gap: run ${ended.runId}: \\d lines from \\d to 9$`),
      ],
    ];
    for (const [spoil, mend, told] of faults) {
      await write(spoil);
      const [fault = 'no fault was found', ...others] = await wrong();
      assert.match(fault, told);
      assert.deepEqual(others, []);
      await write(mend);
    }
    assert.deepEqual(await wrong(), []);
  });
});
