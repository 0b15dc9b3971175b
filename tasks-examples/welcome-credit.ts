/**
 * Grants welcome credit: customers who registered, and whose record was made in the `days` days up to `as_of`, get `credits` store credit,
 * once. The note of the credit tells that a customer has had it. Give it a trigger on `customer.created`, or a schedule of once a day.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './welcome-credit.permissions.ts';

declare const admin: Script['admin'];

const NOTE = 'Welcome credit';
type Customer = { id: number; name: string };

export default async function main() {
  const customers = await once('new customers', findNew);
  const max = Number(parameters.max);
  let done = Number(last_checkpoint?.done ?? 0);
  let granted = Number(last_checkpoint?.granted ?? 0);
  while (done < customers.length && granted < max) {
    const outcomes = await Promise.all(customers.slice(done, done + Math.min(10, max - granted)).map(grant));
    done += outcomes.length;
    granted += outcomes.filter(Boolean).length;
    progress(done, customers.length, 'new customers');
    await checkpoint({ done, granted });
  }
  const left = customers.length - done;
  if (left > 0) log(`${left} more new customers are left for the next run`);
  return { new_customers: customers.length, granted, had_it: done - granted, left };
}

async function grant({ id, name }: Customer): Promise<boolean> {
  try {
    const { transactions } = await admin.customers.list_credit_transactions(id, { limit: 200 });
    if (transactions.some(({ note }) => note === NOTE)) return false;
    const expires_in_days = Number(parameters.expires_in_days);
    const { credits } = await admin.customers.adjust_credits(id, { delta: Number(parameters.credits), expires_in_days, note: NOTE });
    result('granted', name, { customer_id: id, balance: credits });
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
  const asked = { registered: true, created_from, created_to, sort: 'created_at', per_page: 100 } as const;
  const customers: Customer[] = [];
  for await (const { id, name } of admin.customers.each(asked)) customers.push({ id, name });
  return customers;
}
