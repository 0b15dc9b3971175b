/**
 * Finds duplicate customers: records that probably belong to one person, because they share an email (ignoring case, a +tag
 * and Gmail's dots), a phone number (comparing its last nine digits) or, with `by_name`, a name. The task only reads.
 */
import { log, parameters, progress, result } from 'backroom';
import type { Script } from './find-duplicate-customers.permissions.ts';

declare const admin: Script['admin'];

type Customer = { id: number; name: string; email: string; phone: string | null };
type Group = { reason: 'email' | 'phone' | 'name'; value: string; customers: Customer[] };

export default async function main() {
  const customers = await readCustomers();
  const keys = [
    { reason: 'email', keyOf: (customer: Customer) => emailKey(customer.email) },
    { reason: 'phone', keyOf: (customer: Customer) => phoneKey(customer.phone ?? '') },
    ...(parameters.by_name === false ? [] : [{ reason: 'name', keyOf: (customer: Customer) => nameKey(customer.name) } as const]),
  ] as const;
  const groups = keys.flatMap(({ reason, keyOf }): Group[] =>
    [...Map.groupBy(customers, keyOf)]
      .filter(([value, same]) => value !== '' && same.length > 1)
      .map(([value, same]) => ({ reason, value, customers: same })),
  );
  for (const { reason, value, customers: same } of groups) {
    result(`same ${reason}`, value, { customers: same.slice(0, 20).map(({ id, name, email }) => ({ id, name, email })) });
  }
  const involved = new Set(groups.flatMap(({ customers: same }) => same.map(({ id }) => id)));
  log(`${groups.length} groups with ${involved.size} of ${customers.length} customers`);
  const count = (reason: Group['reason']) => groups.filter((group) => group.reason === reason).length;
  return {
    customers: customers.length,
    groups: { email: count('email'), phone: count('phone'), name: count('name') },
    involved: involved.size,
    first: groups
      .slice(0, 100)
      .map(({ reason, value, customers: same }) => ({ reason, value, ids: same.slice(0, 20).map(({ id }) => id) })),
  };
}

async function readCustomers(): Promise<Customer[]> {
  const customers: Customer[] = [];
  let cursor: string | undefined;
  do {
    const page = await admin.customers.list({ sort: 'created_at', per_page: 100, cursor });
    customers.push(...page.data.map(({ id, name, email, phone }) => ({ id, name, email, phone })));
    progress(customers.length, page.total, 'customers read');
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return customers;
}

function emailKey(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const untagged = local.split('+', 1)[0] ?? '';
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return domain === '' ? '' : isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}

const phoneKey = (phone: string): string => (/(?:\D*\d){7}/.test(phone) ? phone.replace(/\D/g, '').slice(-9) : '');
const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
