import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { callFingerprint } from '../../runner/call-key.ts';
import { checkStore } from '../../server/check-store.ts';
import { FAULTS_SHOWN } from '../../server/db/checks/check.ts';
import { checkFoldedTexts } from '../../server/db/checks/texts.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { foldings } from '../../server/db/folded-columns.ts';
import { writePlainTexts } from '../../server/db/plain-texts.ts';
import { writeProgress } from '../../server/db/progress.ts';
import { sortKey } from '../../server/values/texts.ts';
import { onBothStores } from '../helpers/app.ts';
import { grantCredits, makeCustomer, makeFile, makeOrder, makeVariant } from '../helpers/builders.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';
import { triggers as triggersOf } from '../helpers/triggers.ts';

/** `backroom db check` on a store in which one thing after the other was made wrong. */
onBothStores('checks of a store', (app, engine) => {
  const wrong = async () => {
    const found: string[] = [];
    for await (const { name, count, faults } of checkStore(app().store, { filesDir: app().filesDir, filesS3: null }))
      if (count > 0) found.push(`${name}: ${faults.join(' | ')}`);
    return found;
  };
  const write = (statement: RawBuilder<unknown>) => app().store.write((db) => statement.execute(db));

  test('a run that waits for a person without a worker is as it should be', async () => {
    const at = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['prompt_input'] }));
    const question = { label: 'Go on?', fields: [{ name: 'sure', kind: 'boolean' }] };
    const body = { key: `${at.claim.epoch}/${callFingerprint('PROMPT', '/prompts', question)}/0`, ...question };
    const path = `/admin/api/runner/runs/${at.runId}/prompts`;
    const asked = await app().request({ method: 'POST', path, token: at.claim.report_token, body });
    assert.equal(asked.status, 200, asked.text);
    const { id } = Object(asked.body);
    assert.equal((await at.report([{ kind: 'wait', prompt_ids: [id] }])).status, 204);
    assert.deepEqual(await wrong(), []);
  });

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
    const failed = await claimedRun(app());
    await failed.report([{ kind: 'finalize', status: 'failed', end_reason: 'script_error', error_message: 'Error: checked' }]);
    const {
      data: [error],
    } = await app().client.ai_tasks.list_errors();
    const [version] = await app().store.reader.selectFrom('task_versions').select('id').limit(1).execute();
    const running = await claimedRun(app());
    const { make, dealtWith } = triggersOf(app);
    const trigger = await make({ event: 'inquiry.received', start: { batch: { max: 2, ms: 3_600_000 } } });
    await app().client.inquiries.create({ name: 'Ann', email: 'ann@example.com', body: 'Why?' });
    await dealtWith();
    assert.deepEqual(await wrong(), []);

    const faults: [break_: RawBuilder<unknown>, mend: RawBuilder<unknown>, told: RegExp][] = [
      [
        sql`UPDATE task_errors SET count = 0`,
        sql`UPDATE task_errors SET count = 1`,
        new RegExp(
          `^an error names a run that ended with it, and counts each that did: error ${error?.id}: counts 0, named by 1, latest run`,
        ),
      ],
      [
        sql`UPDATE task_errors SET last_run_id = ${ended.runId}`,
        sql`UPDATE task_errors SET last_run_id = ${failed.runId}`,
        new RegExp(`^an error names a run that ended with it, and counts each that did: error ${error?.id}: .*latest run ${ended.runId}$`),
      ],
      [
        sql`UPDATE task_errors SET task_id = ${ended.taskId}`,
        sql`UPDATE task_errors SET task_id = ${failed.taskId}`,
        new RegExp(`^a run names an error of its task: run ${failed.runId}: error ${error?.id}, which is of task ${ended.taskId}$`),
      ],
      [
        sql`UPDATE task_errors SET state = 'resolved'`,
        sql`UPDATE task_errors SET state = 'open'`,
        new RegExp(`^an error is resolved exactly when it names the version: error ${error?.id}: resolved, resolved in version none$`),
      ],
      [
        sql`INSERT INTO version_trials (version_id, state, failures, effects, before, reason, run_id, decided_at)
          VALUES (${version?.id}, 'paused', 1, '[]', '{}', NULL, NULL, '2026-01-01T00:00:00.000Z')`,
        sql`DELETE FROM version_trials`,
        /^a trial is decided exactly when it does not go on, .*: version \d+: paused, decided 2026-01-01T00:00:00.000Z, reason none$/,
      ],
      [
        sql`UPDATE stock_movements SET delta = delta + 1 WHERE variant_id = ${variant.id} AND delta > 0`,
        sql`UPDATE stock_movements SET delta = delta - 1 WHERE variant_id = ${variant.id} AND delta > 0`,
        new RegExp(`^the stock of a variant is the sum of its movements: variant ${variant.id}: stock 7, movements 8$`),
      ],
      [
        sql`UPDATE products SET sort_stock = 8 WHERE id = ${variant.product_id}`,
        sql`UPDATE products SET sort_stock = 7 WHERE id = ${variant.product_id}`,
        new RegExp(`^products are sorted by the prices and stock of their variants: product ${variant.product_id}: price 1000, stock 8$`),
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
      [
        sql`UPDATE customers SET name_folded = 'ZOË', phone_digits = '7' WHERE id = ${customer.id}`,
        sql`UPDATE customers SET name_folded = ${sortKey(customer.name)}, phone_digits = NULL WHERE id = ${customer.id}`,
        new RegExp(`^searches look at the texts that are stored: row ${customer.id} of customers: name_folded, phone_digits$`),
      ],
      [
        sql`UPDATE customers SET email_key = 'A@EXAMPLE.COM' WHERE id = ${customer.id}`,
        sql`UPDATE customers SET email_key = NULL WHERE id = ${customer.id}`,
        new RegExp(`^searches look at the texts that are stored: row ${customer.id} of customers: email_key$`),
      ],
      [
        sql`UPDATE variants SET sku_folded = '' WHERE id = ${variant.id}`,
        sql`UPDATE variants SET sku_folded = ${sortKey(variant.sku)} WHERE id = ${variant.id}`,
        new RegExp(`^searches look at the texts that are stored: row ${variant.id} of variants: sku_folded$`),
      ],
      [
        sql`UPDATE gathered_starts SET items = 2 WHERE trigger_id = ${trigger.id}`,
        sql`UPDATE gathered_starts SET items = 1 WHERE trigger_id = ${trigger.id}`,
        /^a start that waits has what it has gathered: start \d+: batch of 2, 1 kept$/,
      ],
      [
        sql`UPDATE gathered_starts SET due_ms = NULL, queued_ms = due_ms WHERE trigger_id = ${trigger.id}`,
        sql`UPDATE gathered_starts SET due_ms = queued_ms, queued_ms = NULL WHERE trigger_id = ${trigger.id}`,
        /^of those that wait for a rate, one is looked at: start \d+: waits behind nobody$/,
      ],
      ...buyers(orderId, engine),
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

  test('of many rows that differ the first are named and the others counted; those that are still to be folded do not count', async () => {
    for (let n = 0; n < 23; n++) await makeCustomer(app(), { name: `Žofie ${n}` });
    const { id } = await makeCustomer(app(), { name: 'Last' });
    const check = async () => {
      const { count, faults } = await checkFoldedTexts(app().store);
      return { count, shown: faults.length };
    };
    await write(sql`UPDATE customers SET name_folded = upper(name)`);
    const { count, shown } = await check();
    assert.ok(count >= 23);
    assert.equal(shown, FAULTS_SHOWN);
    await app().store.write((db) => writeProgress(db, 'plain-texts', { at: 'customers', after: id - 20 }));
    assert.deepEqual(await check(), { count: count - 19, shown: count - 19 });
    await app().store.write((db) => writeProgress(db, 'plain-texts', { at: 'orders', after: 0 }));
    assert.deepEqual(await check(), { count, shown });
    await app().store.write((db) => writeProgress(db, 'plain-texts', { at: 'subscriptions', after: 0 }));
    assert.deepEqual(await check(), { count: 0, shown: 0 });
    await writePlainTexts(app().store);
    assert.deepEqual(await wrong(), []);
  });

  test('each column that searches look at is checked', async () => {
    const { store } = app();
    const { rows } = await (store.dialect.engine === 'sqlite'
      ? sql<{ of: string; name: string }>`SELECT s.name AS "of", c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
          WHERE s.type = 'table' AND s.name NOT LIKE 'order\\_buyers%' ESCAPE '\\'`
      : sql<{ of: string; name: string }>`SELECT table_name AS "of", column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name <> 'order_buyers'`
    ).execute(store.reader);
    const folded = rows.filter(({ name }) => /_folded$|_digits$/.test(name)).map(({ of, name }) => `${of}.${name}`);
    const checked = Object.entries(foldings).flatMap(([of, { columns }]) => Object.keys(columns({})).map((name) => `${of}.${name}`));
    assert.deepEqual(folded.sort(), checked.sort());
  });
});

/** The buyers of orders, with SQLite's index of their trigrams. */
function buyers(orderId: number, engine: Engine): [RawBuilder<unknown>, RawBuilder<unknown>, RegExp][] {
  const isTheirs = sql`email_folded = (SELECT customer_email_folded FROM orders WHERE id = ${orderId})`;
  const merged = engine === 'sqlite' ? sql`` : sql`, merged`;
  const isMerged = engine === 'sqlite' ? sql`` : sql`, 1`;
  return [
    [
      sql`UPDATE order_buyers SET orders = 9 WHERE ${isTheirs}`,
      sql`UPDATE order_buyers SET orders = 1 WHERE ${isTheirs}`,
      new RegExp(`^searches of orders know each buyer: the buyer of order ${orderId}: counted 9 orders and 0 tests, there are 1 and 0$`),
    ],
    [
      sql`INSERT INTO order_buyers (email_folded, name_folded, phone_digits, orders, tests ${merged}) VALUES ('X', 'X', '', 1, 0 ${isMerged})`,
      sql`DELETE FROM order_buyers WHERE email_folded = 'X'`,
      /^searches of orders know each buyer: buyer \S+: counted 1 orders, there is none$/,
    ],
    ...(engine === 'postgres' ? [] : [trigrams]),
  ];
}

const trigrams: [RawBuilder<unknown>, RawBuilder<unknown>, RegExp] = [
  sql`DELETE FROM order_buyers_trigrams`,
  sql`INSERT INTO order_buyers_trigrams (rowid, words)
    SELECT id, name_folded || char(10) || email_folded || char(10) || phone_digits FROM order_buyers`,
  /^searches of orders know each buyer: buyer \d+ is not in the index of trigrams$/,
];
