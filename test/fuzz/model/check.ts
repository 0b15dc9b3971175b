import { isObject } from '../../torture/bad-input/samples.ts';
import { Fault } from '../fault.ts';
import type { Session } from '../session.ts';
import { isSame } from '../sketch.ts';
import { expectList, expectRecord, read, readAll } from './act.ts';
import { shownCustomer } from './customers.ts';
import { shownVariant } from './goods.ts';
import type { Model, Play } from './model.ts';
import { shownOrder } from './orders.ts';
import { shownGroup } from './pages.ts';

/** Compares the whole shop with the model: every list, and every record. */
export async function checkAll({ session, model }: Play): Promise<void> {
  await checkLists(session, model);
  for (const [id, page] of model.pages) await expectRecord(session, `/pages/${id}`, page);
  for (const [id, group] of model.groups) {
    await expectRecord(session, `/access-groups/${id}`, { ...shownGroup(group), page_count: group.pages.length });
    const { body } = await read(session, `/access-groups/${id}`);
    const shown =
      isObject(body) && Array.isArray(body['pages']) ? body['pages'].flatMap((page) => (isObject(page) ? [Number(page['id'])] : [])) : [];
    if (!isSame(sorted(shown), sorted(group.pages)))
      throw new Fault(`access group ${id} has the pages ${shown}, expected are ${group.pages}`);
  }
  for (const [id, customer] of model.customers) {
    await expectRecord(session, `/customers/${id}`, shownCustomer(customer));
    const notes = await readAll(session, `/customers/${id}/notes`);
    const found = notes.map((note) => [Number(note['id']), note['body'] ?? null]).sort();
    if (!isSame(found, [...customer.notes].sort())) throw new Fault(`customer ${id} has the notes ${JSON.stringify(found)}`);
  }
  for (const [id, { name }] of model.statuses) {
    const order_count = [...model.orders.values()].filter(({ internal_status_id }) => internal_status_id === id).length;
    await expectRecord(session, `/order-statuses/${id}`, { name, order_count });
  }
  for (const [id, { ordered: _, ...product }] of model.products) await expectRecord(session, `/products/${id}`, product);
  for (const [id, variant] of model.variants) await checkStock(session, id, shownVariant(variant));
  for (const [id, order] of model.orders) await expectRecord(session, `/orders/${id}`, shownOrder(order));
  for (const [id, task] of model.tasks) await checkTask(session, id, task);
}

async function checkLists(session: Session, model: Model): Promise<void> {
  await expectList(session, '/pages', model.pages.keys());
  await expectList(session, '/access-groups', model.groups.keys());
  await expectList(session, '/customers', [...model.customers.keys(), ...model.forgotten]);
  await expectList(session, '/order-statuses', model.statuses.keys());
  await expectList(session, '/products', model.products.keys());
  const live = [...model.orders].filter(([, { is_test }]) => !is_test).map(([id]) => id);
  await expectList(session, '/orders', live);
  await expectList(session, '/orders?include_test=true', model.orders.keys());
  const alive = [...model.tasks].filter(([, { deleted }]) => !deleted).map(([id]) => id);
  await expectList(session, '/ai-tasks?limit=200', alive);
  await expectList(session, '/ai-tasks?limit=200&include_deleted=true', model.tasks.keys());
}

/** The stock of a variant is what the model says, and the sum of its movements. */
async function checkStock(session: Session, id: number, variant: ReturnType<typeof shownVariant>): Promise<void> {
  await expectRecord(session, `/variants/${id}`, variant);
  const { body } = await read(session, `/variants/${id}/stock-movements?limit=200`);
  const movements = Array.isArray(body) ? body.filter(isObject) : [];
  const sum = movements.reduce((total, { delta }) => total + Number(delta), 0);
  if (sum !== variant.stock) throw new Fault(`variant ${id}: its stock is ${variant.stock}, and its movements add up to ${sum}`);
}

async function checkTask(session: Session, id: number, task: Model['tasks'] extends Map<number, infer T> ? T : never): Promise<void> {
  const { body, text } = await read(session, `/ai-tasks/${id}`);
  const shown = isObject(body) && isObject(body['task'] ?? null) ? body : null;
  const versions = shown && Array.isArray(shown['versions']) ? shown['versions'].filter(isObject) : [];
  const states = versions.map((version) => [Number(version['id']), version['approval'] ?? null]).sort();
  const expected = [...task.versions].map(([version, { state }]) => [version, state]).sort();
  if (!isSame(states, expected))
    throw new Fault(`task ${id} has the versions ${JSON.stringify(states)}, expected are ${JSON.stringify(expected)}`);
  const row = shown?.['task'];
  if (row === undefined || !isObject(row)) throw new Fault(`task ${id}: ${text.slice(0, 300)}`);
  const found = [row['name'], row['description'], row['current_version_id'], row['deleted_at'] !== null];
  if (!isSame(JSON.stringify(found), JSON.stringify([task.name, task.description, task.current, task.deleted])))
    throw new Fault(`task ${id} is ${JSON.stringify(found)}, expected is ${JSON.stringify(task)}`);
}

const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);
