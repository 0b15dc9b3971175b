import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApp, type TestApp } from '../helpers/app.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';
import { STRIPE_SECRET } from '../helpers/stripe-double.ts';
import { exercise } from './exercised-server.ts';

/** The statements that the server prepares while runs are opened, claimed, executed, watched and ended: none may scan a table. */

/** Tables that may be scanned, because they have few rows or only the sweeper reads them. */
const SMALL = new Set(['settings', 'runners', 'admins', 'migrations', 'sqlite_schema', 'tax_rates', 'themes', 'leases', 'change_numbers']);

/** The end of the statement that looks through the whole journal of one run for calls that a replay did not make, and sorts them. */
const OF_ONE_RUN = 'ORDER BY journal.epoch, journal.at, journal.key';

let seen: string[];
let database: TestDatabase;
let app: TestApp;
let plans: Plans;

before(async () => {
  database = await createDatabase('sqlite');
  app = await startApp('sqlite', { databaseUrl: database.url, env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } });
  const watch = watchStatements(database.url);
  await exercise(app);
  // Some of the statements below are those of loops, the last of which begins some time after the server.
  await app.firstRounds;
  watch.stop();
  seen = [...new Set(watch.seen)];
  plans = openPlans(database.url);
});

after(async () => {
  plans.close();
  await app.close();
  await database.drop();
});

test('the statements of requests and runs were seen', () => {
  for (const part of [
    'FROM run_claims JOIN lineages',
    'INSERT INTO "journal"',
    'INSERT INTO run_events',
    'FROM tokens LEFT JOIN admins',
    'UPDATE lineages SET host_calls',
    'UPDATE run_effects',
    'FROM started_calls LEFT JOIN',
    'FROM started_calls WHERE lineage_id',
    'FROM idempotency',
    'FROM replay_calls LEFT JOIN journal',
  ]) {
    assert.ok(
      seen.some((text) => plans.plain(text).includes(part)),
      `no statement with ${part}`,
    );
  }
  assert.ok(seen.length > 40, `${seen.length} statements`);
});

test('no statement scans a table, or sorts what an index has in order', () => {
  const faults = seen
    // Temporary tables are the writer's own, with a few rows of one transaction; what a table is made of has no index.
    .filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text) && !/\btemp\.|\bpragma_/.test(text))
    .flatMap((text) =>
      plans
        .planOf(text)
        .filter((step) => isFault(step, text))
        .map((step) => `${step}: ${plans.plain(text)}`),
    );
  assert.deepEqual(faults, []);
});

const expected: [part: string, step: RegExp][] = [
  ['FROM tokens LEFT JOIN admins', /SEARCH tokens USING INDEX sqlite_autoindex_tokens_1 \(token_hash=\?\)/],
  [
    'runs.lineage_id AS replay_of_lineage_id',
    /SEARCH run_claims USING INDEX (sqlite_autoindex_run_claims_1 \(token_hash|run_claims_by_report_token \(report_token_hash)=\?\)/,
  ],
  [
    'LEFT JOIN journal ON journal.lineage_id = lineages.id',
    /SEARCH journal USING INDEX sqlite_autoindex_journal_1 \(lineage_id=\? AND epoch=\? AND key=\?\)/,
  ],
  [
    'SELECT 1 FROM journal WHERE lineage_id',
    /SEARCH journal (EXISTS )?USING INDEX sqlite_autoindex_journal_1 \(lineage_id=\? AND epoch=\?\)/,
  ],
  ['SELECT body FROM journal', /SEARCH journal USING INDEX journal_writes \(lineage_id=\? AND epoch=\? AND method=\? AND path=\?\)/],
  ['SELECT count(*) AS depth, min(started_at)', /SEARCH runs USING INDEX runs_open \(executor=\?\)/],
  ['SELECT count(*) AS claims FROM run_claims', /^SCAN run_claims USING (COVERING )?INDEX run_claims_active$/],
  ['SELECT runner_name FROM run_claims', /^SCAN run_claims USING (COVERING )?INDEX run_claims_active$/],
  ['SELECT 1 AS open FROM runs', /USING (COVERING )?INDEX runs_open /],
  ['traceparent, priority FROM runs WHERE status', /^SEARCH runs USING INDEX runs_free \(executor=\?\)$/],
  ['traceparent, priority FROM runs WHERE id IN', /^SEARCH runs USING INTEGER PRIMARY KEY \(rowid=\?\)$/],
  ['WITH RECURSIVE found', /^SEARCH runs USING INDEX runs_limited \(executor=\? AND task_id>\?\)$/],
  ['WITH RECURSIVE found', /^SEARCH runs USING INDEX runs_keyed \(executor=\? AND task_id>\?\)$/],
  ['FROM runs INDEXED BY "runs_taken"', /^SEARCH runs USING INDEX runs_taken \(task_id=\?\)$/],
  ['concurrency_key IS NULL AND task_id =', /^SEARCH runs USING INDEX runs_limited \(executor=\? AND task_id=\?\)$/],
  ['concurrency_key IS NOT NULL AND task_id =', /^SEARCH runs USING INDEX runs_keyed \(executor=\? AND task_id=\?\)$/],
  ['SELECT 1 AS due FROM runs', /SEARCH runs USING COVERING INDEX runs_retries \(retry_due_ms<\?\)/],
  ['SELECT id FROM runs WHERE retry_due_ms', /SEARCH runs USING (COVERING )?INDEX runs_retries \(retry_due_ms<\?\)/],
  ['lease_until < CAST', /SEARCH run_claims USING (COVERING )?INDEX run_claims_active/],
  ['SELECT seq, line FROM run_events', /SEARCH run_events USING INDEX sqlite_autoindex_run_events_1 \(run_id=\? AND seq>\?\)/],
  [
    'SELECT seq, at, line, call_number, duration_ms',
    /SEARCH run_events USING INDEX sqlite_autoindex_run_events_1 \(run_id=\? AND seq>\?\)/,
  ],
  ['SELECT seq, at, line, call_number, call_at', /SEARCH run_events USING INDEX run_events_calls \(run_id=\? AND call_number>\?\)/],
  [
    'JOIN run_checkpoints ON run_checkpoints.run_id = runs.id',
    /SEARCH run_checkpoints USING INDEX sqlite_autoindex_run_checkpoints_1 \(run_id=\? AND epoch>\?\)/,
  ],
  ['FROM run_effects LEFT JOIN effect_images', /SEARCH run_effects USING INDEX run_effects_by_run \(run_id=\? AND id>\? AND id<\?\)/],
  ['UPDATE run_effects', /SEARCH run_effects USING INDEX run_effects_by_resource \(resource_type=\? AND resource_id=\?\)/],
  ['FROM started_calls LEFT JOIN', /SEARCH started_calls USING INDEX started_calls_by_lineage \(lineage_id=\?\)/],
  ['SELECT body FROM started_calls', /SEARCH started_calls USING INDEX started_calls_by_lineage \(lineage_id=\? AND epoch=\?\)/],
  ['UPDATE lineages SET host_calls', /SEARCH lineages USING INDEX sqlite_autoindex_lineages_1 \(id=\?\)/],
  ['LEFT JOIN run_claims ON run_claims.id', /SEARCH run_claims USING COVERING INDEX run_claims_by_run \(run_id=\?\)/],
  ['FROM order_items WHERE order_id =', /SEARCH order_items USING INDEX order_items_by_order \(order_id=\?\)/],
  ['from "order_items" where "product_id" =', /USING COVERING INDEX order_items_by_product/],
  ['from "order_items" where "variant_id" =', /USING COVERING INDEX order_items_by_variant/],
  ['from "orders" where "pickup_location_id" =', /USING COVERING INDEX orders_by_pickup_location/],
  ['update "customers" set "discount_group_id"', /USING (COVERING )?INDEX customers_by_discount_group/],
  ['from "products" order by "created_at" desc', /USING COVERING INDEX products_by_created/],
  [
    'FROM webhook_events WHERE provider = ? AND waits_for',
    /SEARCH webhook_events USING INDEX webhook_events_waiting \(provider=\? AND waits_for=\?\)/,
  ],
  ['FROM subscription_invoices WHERE subscription_id', /USING INDEX subscription_invoices_by_subscription \(subscription_id=\?\)/],
  ['FROM downloads JOIN files', /SEARCH downloads USING INDEX downloads_by_order \(order_id=\?\)/],
  ['"downloads"."token" =', /SEARCH downloads USING INDEX sqlite_autoindex_downloads_1 \(token=\?\)/],
  ['SELECT content_type FROM media', /SEARCH media USING INDEX sqlite_autoindex_media_1 \(storage_key=\?\)/],
  ['from "shipments" where "status" = \'purchasing\'', /USING INDEX shipments_purchasing/],
  ['from "shipments" where "order_id" =', /USING (COVERING )?INDEX shipments_by_order \(order_id=\?\)/],
  ['from "label_refunds" where "status" = \'pending\'', /USING (COVERING )?INDEX label_refunds_due/],
  ['from "payments" where "order_id" =', /USING INDEX payments_by_order \(order_id=\?\)/],
  ["FROM mails WHERE status = 'queued' AND due_ms <=", /SEARCH mails USING (COVERING )?INDEX mails_due \(status=\? AND due_ms<\?\)/],
  ['FROM mails WHERE untold = 1 LIMIT', /USING (COVERING )?INDEX mails_untold/],
  ["task_versions.may_start <> '[]'", /^SCAN task_versions USING COVERING INDEX task_versions_starting$/],
  ["task_versions.may_start <> '[]'", /^SEARCH tasks USING INTEGER PRIMARY KEY \(rowid=\?\)$/],
  ['SELECT min(hooks.id) FROM hooks', /^SEARCH hooks USING INDEX hooks_by_task \(task_id=\?\)$/],
  ['FROM idempotency WHERE scope =', /SEARCH idempotency USING INDEX sqlite_autoindex_idempotency_1 \(scope=\?\)/],
];

for (const [part, step] of expected) {
  test(`"${part}" uses its index`, () => {
    const found = seen.filter((text) => plans.plain(text).includes(part));
    assert.ok(found.length > 0, 'the statement was not seen');
    for (const text of found)
      assert.ok(
        plans.planOf(text).some((one) => step.test(one)),
        `${plans.plain(text)}\n${plans.planOf(text).join('\n')}`,
      );
  });
}

/** A part of the statement (`WITH …`, a function) may be scanned, because the tables that it reads have their own steps in the plan. */
function isFault(step: string, text: string): boolean {
  const scanned = /^SCAN (\w+)\b(?! USING (?:COVERING )?INDEX)/.exec(step)?.[1];
  const isScan = scanned !== undefined && plans.isTable(scanned) && !SMALL.has(scanned);
  return isScan || (step === 'USE TEMP B-TREE FOR ORDER BY' && !plans.plain(text).includes(OF_ONE_RUN));
}
