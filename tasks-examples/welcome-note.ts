/**
 * Writes welcome notes: customers who were created in the `days` days up to `as_of` get a note with `text`, in which {name} is
 * their name, so that the staff see that they are new. A customer who already has that note does not get another.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './welcome-note.permissions.ts';

declare const admin: Script['admin'];

type Customer = { id: number; name: string };

export default async function main() {
  const customers = await once('new customers', findNew);
  const max = Number(parameters.max);
  let done = Number(last_checkpoint?.done ?? 0);
  let welcomed = Number(last_checkpoint?.welcomed ?? 0);
  while (done < customers.length && welcomed < max) {
    const outcomes = await Promise.all(customers.slice(done, done + Math.min(10, max - welcomed)).map(welcome));
    done += outcomes.length;
    welcomed += outcomes.filter(Boolean).length;
    progress(done, customers.length, 'new customers');
    await checkpoint({ done, welcomed });
  }
  const left = customers.length - done;
  if (left > 0) log(`${left} more new customers are left for the next run`);
  return { new_customers: customers.length, welcomed, skipped: done - welcomed, left };
}

async function welcome({ id, name }: Customer): Promise<boolean> {
  const body = String(parameters.text)
    .replaceAll('{name}', () => name || 'a new customer')
    .trim();
  try {
    const notes = await admin.customers.list_notes(id);
    if (notes.some((note) => note.body === body)) return false;
    await admin.customers.create_note(id, { body });
    result('welcomed', name, { customer_id: id });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', name, { customer_id: id, code: error.code });
    return false;
  }
}

async function findNew(): Promise<Customer[]> {
  const created_to = String(parameters.as_of ?? shop.today());
  const created_from = Temporal.PlainDate.from(created_to)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const customers: Customer[] = [];
  for await (const { id, name } of admin.customers.each({ created_from, created_to, sort: 'created_at', per_page: 100 }))
    customers.push({ id, name });
  return customers;
}
