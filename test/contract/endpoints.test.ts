import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrite } from '../../contract/endpoint.ts';
import { errorCodes } from '../../contract/errors.ts';
import { endpointList, endpoints } from '../../contract/index.ts';
import { isKnownPermission, isTaskPermission, taskLiterals } from '../../contract/permissions.ts';
import { appendixA } from './appendix-a.ts';

/** Ids are operationIds, log actions, client and script methods: only ever add to this list. */
const frozenIds = [
  'access_groups.create',
  'access_groups.create_grant',
  'access_groups.delete',
  'access_groups.get',
  'access_groups.list',
  'access_groups.list_members',
  'access_groups.replace_files',
  'access_groups.replace_pages',
  'access_groups.revoke_grant',
  'access_groups.update',
  'admins.create',
  'admins.create_token',
  'admins.delete',
  'admins.get',
  'admins.list',
  'admins.update',
  'ai_tasks.answer_prompt',
  'ai_tasks.append_run_events',
  'ai_tasks.apply_run',
  'ai_tasks.approve_version',
  'ai_tasks.cancel_run',
  'ai_tasks.cancel_runs',
  'ai_tasks.create',
  'ai_tasks.create_schedule',
  'ai_tasks.create_trigger',
  'ai_tasks.create_version',
  'ai_tasks.delete',
  'ai_tasks.delete_schedule',
  'ai_tasks.delete_trigger',
  'ai_tasks.get',
  'ai_tasks.get_artifact_content',
  'ai_tasks.get_run',
  'ai_tasks.get_schedule',
  'ai_tasks.get_trigger',
  'ai_tasks.get_version',
  'ai_tasks.list',
  'ai_tasks.list_approvals',
  'ai_tasks.list_artifacts',
  'ai_tasks.list_effects',
  'ai_tasks.list_prompts',
  'ai_tasks.list_runs',
  'ai_tasks.list_schedules',
  'ai_tasks.list_triggers',
  'ai_tasks.list_upcoming',
  'ai_tasks.list_version_approvals',
  'ai_tasks.reject_version',
  'ai_tasks.revoke_version',
  'ai_tasks.start_run',
  'ai_tasks.stream_run',
  'ai_tasks.update',
  'ai_tasks.update_schedule',
  'ai_tasks.update_trigger',
  'audit_log.list',
  'customers.adjust_credits',
  'customers.create',
  'customers.create_address',
  'customers.create_note',
  'customers.delete',
  'customers.delete_address',
  'customers.delete_file',
  'customers.delete_note',
  'customers.get',
  'customers.get_credits',
  'customers.get_file_content',
  'customers.list',
  'customers.list_access_groups',
  'customers.list_addresses',
  'customers.list_credit_transactions',
  'customers.list_files',
  'customers.list_notes',
  'customers.update',
  'customers.update_address',
  'customers.update_b2b',
  'customers.upload_file',
  'dashboard.get',
  'dashboard.insights',
  'dashboard.subscriptions',
  'dashboard.trends',
  'discount_groups.create',
  'discount_groups.delete',
  'discount_groups.get',
  'discount_groups.list',
  'discount_groups.update',
  'files.create',
  'files.delete',
  'files.get',
  'files.get_content',
  'files.list',
  'files.update',
  'inquiries.answer',
  'inquiries.create',
  'inquiries.delete',
  'inquiries.get',
  'inquiries.list',
  'inquiries.update',
  'llm.complete',
  'logs.list',
  'mails.list',
  'mails.retry',
  'me.create_token',
  'me.get',
  'me.list_tokens',
  'me.revoke_token',
  'media.create',
  'media.delete',
  'media.get',
  'media.list',
  'media.update',
  'notifications.list',
  'notifications.mark_all_read',
  'notifications.mark_read',
  'order_statuses.create',
  'order_statuses.delete',
  'order_statuses.get',
  'order_statuses.list',
  'order_statuses.update',
  'orders.bulk_status',
  'orders.buy_label',
  'orders.calendar',
  'orders.create',
  'orders.create_locker_shipment',
  'orders.create_payment',
  'orders.create_shipment',
  'orders.delete_payment',
  'orders.delete_shipment',
  'orders.edit',
  'orders.get',
  'orders.list',
  'orders.list_edits',
  'orders.list_payments',
  'orders.list_shipments',
  'orders.preview',
  'orders.preview_edit',
  'orders.refresh_shipment',
  'orders.reorder_payments',
  'orders.update_delivery_date',
  'orders.update_internal_status',
  'orders.update_payment',
  'orders.update_payment_status',
  'orders.update_shipping',
  'orders.update_status',
  'orders.update_test_flag',
  'pages.create',
  'pages.delete',
  'pages.get',
  'pages.list',
  'pages.list_translations',
  'pages.preview',
  'pages.replace_translations',
  'pages.update',
  'pickup_locations.create',
  'pickup_locations.delete',
  'pickup_locations.get',
  'pickup_locations.list',
  'pickup_locations.update',
  'preferences.list',
  'preferences.update',
  'products.change_stock',
  'products.create',
  'products.create_variant',
  'products.delete',
  'products.delete_variant',
  'products.get',
  'products.get_variant',
  'products.list',
  'products.list_access_groups',
  'products.list_stock_movements',
  'products.list_variants',
  'products.replace_access_groups',
  'products.update',
  'products.update_variant',
  'replays.get',
  'replays.start',
  'runner.ask_prompt',
  'runner.claim',
  'runner.list_answers',
  'runner.read_file',
  'runner.remember',
  'runner.status',
  'runner.write_artifact',
  'settings.get',
  'settings.update',
  'shipping_methods.create',
  'shipping_methods.delete',
  'shipping_methods.get',
  'shipping_methods.list',
  'shipping_methods.update',
  'subscriptions.activate',
  'subscriptions.cancel',
  'subscriptions.get',
  'subscriptions.list',
  'subscriptions.list_invoices',
  'tax_rates.create',
  'tax_rates.delete',
  'tax_rates.get',
  'tax_rates.list',
  'tax_rates.update',
  'themes.activate',
  'themes.create',
  'themes.delete',
  'themes.get',
  'themes.get_template',
  'themes.list',
  'themes.list_templates',
  'themes.save_template',
  'themes.update',
  'vouchers.create',
  'vouchers.delete',
  'vouchers.get',
  'vouchers.list',
  'vouchers.update',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.get',
  'webhooks.list',
  'webhooks.list_deliveries',
  'webhooks.retry_delivery',
  'webhooks.rotate_secret',
  'webhooks.update',
];

const withoutNames = (path: string): string => path.replace(/\{\w+\}/g, '{}');
const rowKey = (row: readonly unknown[]): string => row.join(' ');

test('the documented endpoints are exactly the 81 of Appendix A', () => {
  const declared = endpointList.filter((e) => !e.added).map((e) => [e.method, withoutNames(e.path), e.permission, e.status]);
  assert.equal(appendixA.length, 81);
  assert.deepEqual(declared.map(rowKey).sort(), appendixA.map(rowKey).sort());
});

test('every endpoint is kept under its id', () => {
  for (const [key, e] of Object.entries(endpoints)) assert.equal(key, e.id);
});

test('ids never change', () => {
  assert.deepEqual(Object.keys(endpoints).sort(), frozenIds);
});

test('no two endpoints share a method and path', () => {
  const routes = endpointList.map((e) => `${e.method} ${withoutNames(e.path)}`);
  assert.equal(new Set(routes).size, routes.length);
});

test('codes and permissions are known', () => {
  for (const e of endpointList) {
    for (const code of e.refusals ?? []) assert.ok(code in errorCodes, `${e.id}: ${code}`);
    if (e.permission !== null) assert.ok(isKnownPermission(e.permission), e.id);
    if (e.taskPermission != null) assert.ok(isTaskPermission(e.taskPermission), e.id);
    if (e.permission === null) assert.notEqual(e.taskPermission, undefined, `${e.id} says what a task needs`);
  }
});

test('writes need a write permission, reads a read permission', () => {
  for (const e of endpointList) {
    const permission = e.permission ?? e.taskPermission;
    if (permission == null || e.id.startsWith('runner.')) continue;
    if (taskLiterals.some((literal) => literal === permission)) continue;
    assert.match(permission, isWrite(e) ? /\.(write|approve)$/ : /\.read$/, e.id);
  }
});

test('a success that carries a body says so, and only that one', () => {
  for (const e of endpointList) assert.equal(e.response !== undefined, e.status !== 204 && !e.stream && !e.binary, e.id);
});

test('a Location leads to a GET of the contract', () => {
  const readable = new Set(endpointList.filter((e) => e.method === 'GET').map((e) => withoutNames(e.path)));
  for (const e of endpointList) if (e.location) assert.ok(readable.has(withoutNames(e.location)), e.id);
});

test('a record stands in its path', () => {
  for (const e of endpointList) {
    if (e.id.startsWith('runner.')) continue;
    if (e.record === 'settings') continue;
    if (e.record) assert.match(e.path, /\{/, e.id);
    else assert.doesNotMatch(e.path, /\{/, `${e.id} has a path parameter but no record`);
  }
});
