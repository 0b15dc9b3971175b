import { type EndpointId, endpoints } from '../../contract/index.ts';
import { isObject, type Json } from '../torture/bad-input/samples.ts';
import { Fault } from './fault.ts';
import type { Sent, Session } from './session.ts';

/** Makes one record of each kind, so that the first calls of a sequence find something to work on. */
export async function openShop(session: Session): Promise<void> {
  const make = (id: EndpointId, path: string, body: Json, field = 'id') => send(session, id, { method: 'POST', path, body }, field);
  const put = (id: EndpointId, path: string, body: Json) => send(session, id, { method: 'PUT', path, body }, 'id');

  const group = await make('access_groups.create', '/access-groups', { slug: 'first', name: 'First' });
  const page = await make('pages.create', '/pages', { slug: 'first', title: 'First' });
  await put('access_groups.replace_pages', `/access-groups/${group}/pages`, { page_ids: [page] });
  const theme = await make('themes.create', '/themes', { name: 'Second' });
  await put('themes.save_template', `/themes/${theme}/templates/parts/sample`, { content: 'x' });

  const rate = await make('tax_rates.create', '/tax-rates', { name: 'First', rate_bps: 2000 });
  const method = await make('shipping_methods.create', '/shipping-methods', { name: 'First', price_cents: 500, tax_rate_id: rate });
  await make('pickup_locations.create', '/pickup-locations', { name: 'First', country: 'AT' });
  await make('vouchers.create', '/vouchers', { code: 'FIRST', kind: 'fixed', amount_cents: 100 });
  const discounts = await make('discount_groups.create', '/discount-groups', { name: 'First', percent_bps: 1000 });
  const status = await make('order_statuses.create', '/order-statuses', { name: 'First' });

  const file = await upload(session, 'files.create', '/files');
  await upload(session, 'media.create', '/media');
  const product = await make('products.create', '/products', { slug: 'first', name: 'First', status: 'active' });
  const variant = await make('products.create_variant', `/products/${product}/variants`, { sku: 'FIRST', price_cents: 1000, stock: 20 });
  const plan = { slug: 'plan', name: 'Plan', status: 'active', kind: 'digital', is_subscription: true, file_ids: [file] };
  const planId = await make('products.create', '/products', plan);
  const planVariant = await make('products.create_variant', `/products/${planId}/variants`, { sku: 'PLAN', price_cents: 900 });
  await put('products.replace_access_groups', `/products/${planId}/access-groups`, { assignments: [{ group_id: group }] });

  const customer = await make('customers.create', '/customers', { name: 'Ann', email: 'ann@example.com', registered: true });
  await put('customers.update_b2b', `/customers/${customer}/b2b`, { is_b2b: true, discount_group_id: discounts });
  const address = { line1: '1 High Street', city: 'Vienna', postal_code: '1010', country: 'AT' };
  await make('customers.create_address', `/customers/${customer}/addresses`, address);
  await make('customers.create_note', `/customers/${customer}/notes`, { body: 'First' });
  await upload(session, 'customers.upload_file', `/customers/${customer}/files`);
  await make('customers.adjust_credits', `/customers/${customer}/credits/adjust`, { delta: 50 });
  await make('access_groups.create_grant', `/access-groups/${group}/grants`, { customer_id: customer, expires_at: null });
  await make('inquiries.create', '/inquiries', { name: 'Ann', email: 'ann@example.com', body: 'When?' });

  const buyer = { customer: { name: 'Ann', email: 'ann@example.com', phone: '' }, register_customer: false, send_confirmation_email: true };
  const shipped = { shipping: { kind: 'configured', method_id: method }, shipping_address: address };
  const order = await make('orders.create', '/orders', { ...buyer, ...shipped, items: [{ variant_id: variant, quantity: 2 }] });
  const paid = { ...buyer, shipping: { kind: 'none' }, payment_status: 'paid', items: [{ variant_id: planVariant, quantity: 1 }] };
  await make('orders.create', '/orders', paid);
  await make('orders.create_payment', `/orders/${order}/payments`, { label: 'First', amount_cents: 500 });
  await make('orders.create_comment', `/orders/${order}/comments`, { body: 'First' });
  await make('orders.create_shipment', `/orders/${order}/shipments`, {});
  await send(
    session,
    'orders.update_internal_status',
    { method: 'PATCH', path: `/orders/${order}/internal-status`, body: { internal_status_id: status } },
    'id',
  );

  await openTasks(session, make);
  await make('webhooks.create', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hook', events: ['order.paid'] });
  const admin = await make('admins.create', '/admins', { name: 'Bo', email: 'bo@example.com', role: 'staff', permissions: [] });
  await make('admins.create_token', `/admins/${admin}/tokens`, { name: 'First' });
  await make('me.create_view', '/me/views', { screen: 'orders', name: 'First' });
  session.trace.splice(0, session.trace.length, `(the opening: ${session.trace.length} calls of test/fuzz/opening.ts)`);
}

type Make = (id: EndpointId, path: string, body: Json, field?: string) => Promise<number>;

async function openTasks(session: Session, make: Make): Promise<void> {
  const permissions = ['admin_api.orders.read', 'admin_api.customers.read', 'admin_api.customers.write', 'file_upload', 'prompt_input'];
  const task = { name: 'First', description: '', source_code: 'log(1)', permissions, parameters: [] };
  const id = await make('ai_tasks.create', '/ai-tasks', task, 'task_id');
  const at = `/ai-tasks/${id}`;
  for (const executor of ['external', 'runner']) await make('ai_tasks.start_run', `${at}/runs`, { executor }, 'run_id');
  await make('ai_tasks.start_run', `${at}/runs`, { executor: 'runner', dry_run: true }, 'run_id');
  await make('ai_tasks.create_schedule', `${at}/schedules`, { cron: '0 4 1 1 *' });
  await make('ai_tasks.create_trigger', `${at}/triggers`, { event: 'order.cancelled' });
  await make('ai_tasks.create_hook', `${at}/hooks`, { name: 'First' });
  await send(session, 'ai_tasks.set_state', { method: 'PUT', path: `${at}/state/cursor`, body: { value: 1 } }, 'version');
  await make('task_secrets.create', '/task-secrets', { name: 'first', value: 's', hosts: ['api.example.com'] });
  await make('task_variables.create', '/task-variables', { name: 'first', value: 1 });
}

/** A PNG image of one pixel, in base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function upload(session: Session, id: EndpointId, path: string): Promise<number> {
  return send(session, id, { method: 'POST', path, form: { fields: {}, filename: 'first.png', content: PIXEL } }, 'id');
}

/** Sends one call, which must be accepted; returns the id in its answer. */
async function send(session: Session, id: EndpointId, sent: Sent, field: string): Promise<number> {
  const endpoint = endpoints[id];
  const { status, body, headers, text } = await session.send(endpoint, sent);
  if (status >= 300) throw new Fault(`${id}: ${status} in the opening: ${text}`);
  session.memory.learn(endpoint, sent.path, body, headers['location']);
  return isObject(body) ? Number(body[field]) : 0;
}
