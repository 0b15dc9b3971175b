import { orderStatuses, type PaymentProgress, paymentStatuses } from '../../contract/orders.ts';
import { withoutMarks } from '../../contract/texts.ts';
import type { Store } from '../../server/db/open.ts';
import type { NewRow, Row } from '../../server/db/tables.ts';
import type { Random } from './seeded.ts';
import { storeCustomer, storeOrder, storeOrderStatus } from './stored-rows/shop.ts';

const names = [
  'Anna Őrs',
  'anna örs',
  'Bert',
  'Bertram Ann',
  'Straße',
  'STRASSE',
  'Walk-in',
  '100%_real',
  'a"b\\c',
  'x',
  '',
  'Zoë 😀 Moji',
  'Σίσυφος',
];
const emails = ['anna@example.com', 'ann@example.org', 'b_r@example.com', '', 'é@example.net', 'BERT@EXAMPLE.COM'];
const instants = [
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '2026-02-01T10:30:00.000Z',
  '2026-02-02T05:29:59.000Z',
  '2026-02-04T00:00:00.000Z',
];

/** Stores orders with many equal values, so that lists have ties and pages end between equal values. */
export async function insertRandomOrders(store: Store, random: Random, count: number): Promise<Row<'orders'>[]> {
  const rows: Row<'orders'>[] = [];
  const customers = [null, (await storeCustomer(store)).id, (await storeCustomer(store)).id];
  const internal = [null, null, (await storeOrderStatus(store)).id, (await storeOrderStatus(store)).id];
  for (let i = 0; i < count; i++) {
    const values: Partial<NewRow<'orders'>> = {
      customer_name: random.pick(names),
      customer_email: random.pick(emails),
      status: random.pick(orderStatuses),
      payment_status: random.pick(paymentStatuses),
      first_paid_at: random.pick([null, null, ...instants]),
      total: random.pick([0, 999, 1000, 1001, 5000]),
      created_at: random.pick(instants),
      updated_at: random.pick(instants),
      is_test: random.below(4) === 0 ? 1 : 0,
      delivery_date: random.pick([null, null, '2026-02-10', '2026-02-28', '2026-03-01']),
      customer_id: random.pick(customers),
      internal_status_id: random.pick(internal),
      paid_amount: random.pick([null, null, 0, 500, 1000, 5000]),
    };
    rows.push(await storeOrder(store, values));
  }
  return rows;
}

export const searches = [
  'ann',
  'ANNA',
  'örs',
  'ő',
  'e',
  'example.com',
  'STRASSE',
  'straße',
  '%',
  '_',
  '"b\\',
  '😀 M',
  'σίσυφοσ',
  'nobody',
  'a\nb',
  'bert',
  'x',
];

/** How much of the order is paid, decided from its amounts. */
export function progressOf({ total, payment_status, paid_amount }: Row<'orders'>): PaymentProgress {
  const paid = paid_amount ?? (payment_status === 'paid' ? total : 0);
  if (paid === total) return 'paid';
  return paid > total ? 'overpaid' : paid > 0 ? 'partial' : 'unpaid';
}

/** Whether a search finds the order, decided without an index (spec G20, O6). */
export function containsText(row: Row<'orders'>, search: string): boolean {
  const wanted = withoutMarks(search.trim());
  return [row.customer_name, row.customer_email].some((text) => withoutMarks(text).includes(wanted));
}
