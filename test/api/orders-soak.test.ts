import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { cookBooks } from '../helpers/stored-rows/faults.ts';
import { checkAftermath } from '../torture/soak/checks.ts';
import { soak } from '../torture/soak/soak.ts';

/** Runs `npm run soak` for one second. */
onBothStores('orders under load', (app) => {
  test('32 clients change orders at once: stock, totals, payments, vouchers, mails and lists stay right', async () => {
    const { url, store } = app();
    const report = await soak({ url, token: OWNER_TOKEN, store, clients: 32, seconds: 1, seed: 1, atLeast: 300 });
    assert.deepEqual(report.ledger.faults, []);
    for (const { name, checked, faults } of report.checks) {
      assert.deepEqual(faults, [], name);
      assert.ok(checked > 0, `the check covered nothing: ${name}`);
    }
    assert.ok(report.ledger.orders.length > 5, `${report.requests} requests`);

    // The checks must find wrong data: here rows are falsified, and all checks but two report faults.
    const { goods, ledger } = report;
    const [variant, order] = [goods.variants[0]?.id ?? 0, ledger.orders[0] ?? 0];
    await cookBooks(store, { variant, order, voucher: goods.vouchers[0] ?? '' });
    ledger.edits.set(order, 1000);
    ledger.orders.push(1_000_000);
    ledger.stock.set(variant, 1_000_000);
    ledger.payments.add(1_000_000);
    ledger.mails += 1;
    const cooked = await checkAftermath({ db: store.reader, api: app().client, ledger, goods });
    const unseen = cooked.filter(({ faults }) => faults.length === 0).map(({ name }) => name);
    assert.deepEqual(unseen, ['nothing was sold that is not there', 'lists tell the number of orders that there are']);
  });
});
