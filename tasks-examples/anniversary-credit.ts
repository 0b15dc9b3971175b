/**
 * Grants anniversary credit: customers whose record was made one year ago, or several, get `credits` store credit once a year. The day is
 * that of `as_of` or one of the `days` days before, so a day on which the task did not run is made up for. The note of the credit names the
 * anniversary. Give it a schedule of once a day.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './anniversary-credit.permissions.ts';

declare const admin: Script['admin'];

type Customer = { id: number; name: string; years: number };

const today = Temporal.PlainDate.from(String(parameters.as_of ?? shop.today()));
const earliest = today.subtract({ days: Math.ceil(Number(parameters.days)) });

export default async function main() {
  const customers = await once('anniversaries', findAnniversaries);
  const max = Number(parameters.max);
  let done = Number(last_checkpoint?.done ?? 0);
  let granted = Number(last_checkpoint?.granted ?? 0);
  while (done < customers.length && granted < max) {
    const outcomes = await Promise.all(customers.slice(done, done + Math.min(10, max - granted)).map(grant));
    done += outcomes.length;
    granted += outcomes.filter(Boolean).length;
    progress(done, customers.length, 'anniversaries');
    await checkpoint({ done, granted });
  }
  const left = customers.length - done;
  if (left > 0) log(`${left} more anniversaries are left for the next run`);
  return { anniversaries: customers.length, granted, had_it: done - granted, left };
}

async function grant({ id, name, years }: Customer): Promise<boolean> {
  const note = `Anniversary credit: ${years} ${years === 1 ? 'year' : 'years'}`;
  try {
    const { transactions } = await admin.customers.list_credit_transactions(id, { limit: 200 });
    if (transactions.some((one) => one.note === note)) return false;
    const expires_in_days = Number(parameters.expires_in_days);
    const { credits } = await admin.customers.adjust_credits(id, { delta: Number(parameters.credits), expires_in_days, note });
    result('granted', name, { customer_id: id, years, balance: credits });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', name, { customer_id: id, code: error.code });
    return false;
  }
}

async function findAnniversaries(): Promise<Customer[]> {
  const created_to = today.subtract({ years: 1 }).toString();
  const found: Customer[] = [];
  for await (const { id, name, created_at } of admin.customers.each({ created_to, sort: 'created_at', per_page: 100 })) {
    const years = yearsSince(Temporal.PlainDate.from(shop.day(created_at)));
    if (years > 0) found.push({ id, name, years });
  }
  return found;
}

/** How many years the anniversary between `earliest` and `today` marks; 0 if there is none. Of 29 February it is also 28 February. */
function yearsSince(day: Temporal.PlainDate): number {
  const years = today.year - day.year;
  const isIn = (count: number): boolean => {
    const anniversary = day.add({ years: count });
    return Temporal.PlainDate.compare(anniversary, earliest) >= 0 && Temporal.PlainDate.compare(anniversary, today) <= 0;
  };
  return [years, years - 1].find((count) => count > 0 && isIn(count)) ?? 0;
}
