import type { EndpointId } from '../../contract/index.ts';
import { endpoints } from '../../contract/index.ts';
import { isObject, type Json } from '../../scripts/bad-input/samples.ts';
import { Fault, type Session } from './session.ts';

/** Makes a small shop, so that the first calls of a sequence find something to work on. */
export async function openShop(session: Session): Promise<void> {
  const product = await make(session, 'products.create', '/products', { slug: 'first', name: 'First', status: 'active' });
  const variant = { sku: 'FIRST', price_cents: 1000, track_stock: true, stock: 20 };
  const variantId = await make(session, 'products.create_variant', `/products/${product}/variants`, variant);
  await make(session, 'customers.create', '/customers', { name: 'Ann', email: 'ann@example.com', registered: true });
  await make(session, 'orders.create', '/orders', {
    customer: { name: 'Ann', email: 'ann@example.com', phone: '' },
    items: [{ variant_id: variantId, quantity: 2 }],
    shipping: { kind: 'none' },
    register_customer: false,
    send_confirmation_email: false,
  });
  const permissions = ['admin_api.orders.read', 'admin_api.customers.read', 'admin_api.customers.write', 'file_upload', 'prompt_input'];
  const task = { name: 'First', description: '', source_code: 'log(1)', permissions, parameters: [] };
  const taskId = await make(session, 'ai_tasks.create', '/ai-tasks', task, 'task_id');
  await make(session, 'ai_tasks.start_run', `/ai-tasks/${taskId}/runs`, { executor: 'external' }, 'run_id');
  await make(session, 'ai_tasks.start_run', `/ai-tasks/${taskId}/runs`, { executor: 'runner' }, 'run_id');
}

async function make(session: Session, id: EndpointId, path: string, body: Json, idField = 'id'): Promise<number> {
  const endpoint = endpoints[id];
  const answer = await session.send(endpoint, { method: 'POST', path, body });
  if (answer.status !== 201 || !isObject(answer.body)) throw new Fault(`${id}: ${answer.status} in the opening`);
  session.memory.learn(endpoint, path, answer.body, answer.headers['location']);
  return Number(answer.body[idField]);
}
