import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { HARMLESS_FIELDS, PERSONAL_COLUMNS } from '../../server/db/queries/personal-columns.ts';
import { startApp } from '../helpers/app.ts';

/** Tables whose rows about a customer are deleted with the customer; buyers for searches follow their orders by triggers. */
const DELETED = [
  'addresses',
  'customer_files',
  'customer_notes',
  'effect_images',
  'mails',
  'order_buyers',
  'order_comments',
  'unsubscribe_links',
];

/** Tables whose texts may be about anybody; their rows go when their time ends, or a task deletes them (docs/customers.md). */
const KEPT_FOR_A_TIME = [
  ...[
    'answer_orders',
    'artifacts',
    'assistant_items',
    'assistant_threads',
    'gathered_items',
    'gathered_starts',
    'hook_calls',
    'idempotency',
    'journal',
    'lineage_checkpoints',
    'lineage_memory',
    'notifications',
    'planned_writes',
    'recorded_answers',
  ],
  ...[
    'recorded_epochs',
    'replay_calls',
    'run_checkpoints',
    'run_details',
    'run_events',
    'run_prompts',
    'run_results',
    'run_signals',
    'runs',
    'start_times',
    'started_calls',
    'task_state',
  ],
];

/** Logs, which lose the values of all fields but the harmless ones. */
const LOGS = { audit_log: ['changes'], log_entries: ['summary', 'detail'], run_effects: ['changes'] };

/** Texts of the shop itself, of its admins and of its tasks. */
const OF_THE_SHOP = [
  ...[
    'access_groups',
    'admin_invitations',
    'admins',
    'compiled_sources',
    'decisions',
    'discount_groups',
    'files',
    'gestures',
    'hooks',
    'imports',
    'media',
    'one_time_links',
    'plan_requests',
    'policy_changes',
    'passkeys',
    'sessions',
  ],
  ...[
    'order_statuses',
    'page_translations',
    'pages',
    'pickup_locations',
    'products',
    'roles',
    'runners',
    'saved_views',
    'schedules',
    'settings',
  ],
  ...['shipping_methods', 'task_secrets', 'task_variables', 'task_versions', 'tasks', 'tax_rates', 'theme_templates', 'themes', 'tokens'],
  ...['page_drafts', 'triggers', 'variants', 'version_approvals', 'version_comments', 'vouchers', 'webhook_endpoints'],
  'webhook_subscriptions',
];

/** Tables of the machinery, which has no texts of people. */
const OF_THE_MACHINE = [
  ...[
    'assistant_days',
    'change_numbers',
    'domain_events',
    'downloads',
    'entitlements',
    'leases',
    'lineage_causes',
    'lineages',
    'migrations',
  ],
  ...['passkey_challenges', 'passkey_codes', 'recovery_codes', 'session_tokens'],
  ...['notification_preferences', 'run_chains', 'run_claims', 'run_permissions', 'storage_use', 'stored_objects', 'task_mail_days'],
  ...[
    'task_error_counts',
    'task_errors',
    'task_state_marks',
    'version_trials',
    'webhook_deliveries',
    'oauth_records',
    'webhook_events',
    'order_counts',
    'order_part_counts',
    'order_quarters',
  ],
];

/** Columns of the other tables that say nothing about a person: names of kinds and states, codes of others, times, goods. */
const HARMLESS: Record<string, string> = {
  access_group_members: 'until',
  audit_log: 'actor_type action resource_type request_id ip',
  credit_transactions: 'kind created_by',
  label_refunds: 'provider provider_key provider_shipment_id courier_name tracking_number perhaps_until status last_error',
  log_entries: 'source action status resource_type admin_name',
  order_edits: 'edit_source summary',
  order_items: 'product_name product_sku variant_label',
  orders:
    'public_id status payment_status shipping_country currency voucher_code shipping_method payment_provider pickup_location_name tracking_number delivery_date voucher_terms base_payment_status',
  provider_payments: 'provider external_id state currency',
  run_figures: 'day outcome',
  run_effects: 'lineage_id method path resource_type',
  shipments:
    'status provider provider_key provider_shipment_id courier_id courier_name tracking_number options wanted_courier_id purchase_scope',
  stock_movements: 'reason actor',
  subscription_invoices: 'external_invoice_id external_payment_intent currency status period_start period_end',
  // The words of a search are made anew, without the person.
  subscriptions:
    'public_id status product_name variant_label provider external_subscription_id external_customer_id billing_interval cancellation_policy currency current_period_start current_period_end last_event_id search_folded',
};

const TIME = /(?:^|_)at$/;

function isNamed(table: string, column: string): boolean {
  const logged: Record<string, readonly string[]> = LOGS;
  const personal: Record<string, object | undefined> = PERSONAL_COLUMNS;
  return (
    [DELETED, KEPT_FOR_A_TIME, OF_THE_SHOP, OF_THE_MACHINE].some((tables) => tables.includes(table)) ||
    TIME.test(column) ||
    column in (personal[table] ?? {}) ||
    logged[table]?.includes(column) === true ||
    HARMLESS[table]?.split(' ').includes(column) === true
  );
}

test('each column with texts is blanked with its person, or is known to hold nothing about a person', async () => {
  const app = await startApp('sqlite');
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'order_buyers_trigrams%' AND c.type = 'TEXT'`.execute(app.store.reader);
  await app.close();
  assert.ok(rows.length > 300);
  assert.deepEqual(
    rows.filter(({ table, column }) => !isNamed(table, column)),
    [],
  );
  const known = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  const blanked = Object.entries(PERSONAL_COLUMNS).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  const harmless = Object.entries(HARMLESS).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`));
  assert.deepEqual(
    [...blanked, ...harmless].filter((column) => !known.has(column)),
    [],
    'columns that do not exist',
  );
});

test('no field that stays in the logs is a personal column', () => {
  const personal = Object.values(PERSONAL_COLUMNS).flatMap((columns) => Object.keys(columns));
  assert.deepEqual(
    HARMLESS_FIELDS.filter((field) => personal.includes(field)),
    [],
  );
});
