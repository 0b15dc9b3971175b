import { sql } from 'kysely';
import { z } from 'zod';
import type { AdminApi } from '../../../contract/calls.ts';
import { orderStatuses, paymentStatuses } from '../../../contract/orders.ts';
import type { Db } from '../../../server/db/open.ts';
import type { Row } from '../../../server/db/tables.ts';
import { priceOrder } from '../../../server/resources/order-pricing/rules.ts';
import type { Ledger } from './ledger.ts';
import type { Goods } from './shop.ts';

/** The result of one check. `checked`: how many things were checked. */
export type Check = { name: string; checked: number; faults: string[] };
export type Aftermath = { db: Db; api: AdminApi; ledger: Ledger; goods: Goods };

type Items = Map<number, Row<'order_items'>[]>;
type Books = { orders: Row<'orders'>[]; items: Items; variants: Row<'variants'>[]; movements: Row<'stock_movements'>[] };

/** Checks what must be true of the shop when no client writes any more. */
export async function checkAftermath(aftermath: Aftermath): Promise<Check[]> {
  const books = await readBooks(aftermath);
  const changes = await statusChanges(aftermath.db);
  const shipped = ordersOf(changes, ({ status }) => status === 'shipped' || status === 'delivered');
  return [
    acknowledged(aftermath, books),
    stockIsItsMovements(books),
    correctionsAreKept(aftermath, books),
    ordersHoldTheirStock(shipped, books),
    stockIsNotOversold(aftermath, books),
    totalsAreTheCalculators(books),
    await editsAreAChain(aftermath, books),
    await paymentsAreKept(aftermath, books),
    await vouchersAreCounted(aftermath, books),
    await mailsAreQueued(aftermath),
    await listsCountRight(aftermath),
  ];
}

async function readBooks({ db, ledger, goods }: Aftermath): Promise<Books> {
  const variantIds = goods.variants.map(({ id }) => id);
  const mine = db.selectFrom('orders').where('customer_email', 'like', `soak-%-${goods.mark}@example.com`);
  const orders = await mine.selectAll().orderBy('id').execute();
  const lines = await db
    .selectFrom('order_items')
    .selectAll()
    .where('order_id', 'in', mine.select('id'))
    .orderBy('position')
    .orderBy('id')
    .execute();
  const items: Items = new Map(ledger.orders.map((id) => [id, []]));
  for (const line of lines) items.set(line.order_id, [...(items.get(line.order_id) ?? []), line]);
  const variants = await db.selectFrom('variants').selectAll().where('id', 'in', variantIds).execute();
  const movements = await db.selectFrom('stock_movements').selectAll().where('variant_id', 'in', variantIds).execute();
  return { orders, items, variants, movements };
}

function check<T>(name: string, list: Iterable<T>, faultOf: (one: T) => string | null): Check {
  const all = [...list];
  return { name, checked: all.length, faults: all.flatMap((one) => faultOf(one) ?? []) };
}

function acknowledged({ ledger }: Aftermath, { orders }: Books): Check {
  const found = new Set(orders.map(({ id }) => id));
  const promised = new Set(ledger.orders);
  return check('every order that was acknowledged is there, once, and no other', new Set([...found, ...promised]), (id) =>
    found.has(id) && promised.has(id) ? null : `order ${id} ${found.has(id) ? 'exists, but was not acknowledged' : 'is lost'}`,
  );
}

function sumOf(movements: readonly Row<'stock_movements'>[]): number {
  return movements.reduce((sum, { delta }) => sum + delta, 0);
}

function stockIsItsMovements({ variants, movements }: Books): Check {
  return check('the stock of a variant is the sum of its movements', variants, ({ id, stock }) => {
    const sum = sumOf(movements.filter(({ variant_id }) => variant_id === id));
    return sum === stock ? null : `variant ${id}: stock ${stock}, movements ${sum}`;
  });
}

/** The corrections are the movements without an order, except the first, which was made with the variant. */
function correctionsAreKept({ ledger }: Aftermath, { variants, movements }: Books): Check {
  return check('no correction of the stock is lost', variants, ({ id }) => {
    const [first, ...others] = movements
      .filter(({ variant_id, order_id }) => variant_id === id && order_id === null)
      .sort((a, b) => a.id - b.id);
    const promised = ledger.stock.get(id) ?? 0;
    return first && sumOf(others) === promised ? null : `variant ${id}: corrected by ${sumOf(others)}, acknowledged ${promised}`;
  });
}

const StatusChange = z.object({ order_id: z.int(), status: z.string(), previous_status: z.string() });
type StatusChange = z.infer<typeof StatusChange>;

async function statusChanges(db: Db): Promise<StatusChange[]> {
  const rows = await db.selectFrom('domain_events').select('data').where('type', '=', 'order.status_changed').execute();
  return rows.map(({ data }) => StatusChange.parse(JSON.parse(data)));
}

function ordersOf(changes: readonly StatusChange[], which: (change: StatusChange) => boolean): Set<number> {
  return new Set(changes.filter(which).map(({ order_id }) => order_id));
}

/**
 * An order that was never shipped holds exactly the quantities of its lines. Shipped goods do not come back into the stock,
 * whatever happens to the order, so such an order may hold more.
 */
function ordersHoldTheirStock(shipped: ReadonlySet<number>, { orders, items, movements }: Books): Check {
  const held = new Map<string, number>();
  for (const { order_id, variant_id, delta } of movements) {
    if (order_id !== null) held.set(`${order_id}/${variant_id}`, (held.get(`${order_id}/${variant_id}`) ?? 0) - delta);
  }
  return check('an order holds the stock of its lines', orders, ({ id, status }) => {
    const wanted = new Map<string, number>();
    for (const line of items.get(id) ?? []) {
      const key = `${id}/${line.variant_id}`;
      wanted.set(key, (wanted.get(key) ?? 0) + (status === 'cancelled' ? 0 : line.quantity));
    }
    const keys = new Set([...wanted.keys(), ...[...held.keys()].filter((key) => key.startsWith(`${id}/`))]);
    const wrong = [...keys].filter((key) => {
      const [has, wants] = [held.get(key) ?? 0, wanted.get(key) ?? 0];
      return shipped.has(id) ? has < wants : has !== wants;
    });
    const words = wrong.map((key) => `holds ${held.get(key) ?? 0} of variant ${key.split('/')[1]} for ${wanted.get(key) ?? 0} ordered`);
    return wrong.length === 0 ? null : `order ${id} (${status}): ${words.join(', ')}`;
  });
}

function stockIsNotOversold({ goods }: Aftermath, { variants }: Books): Check {
  const backorders = new Set(goods.variants.filter(({ backorder }) => backorder).map(({ id }) => id));
  return check('nothing was sold that is not there', variants, ({ id, stock }) =>
    stock >= 0 || backorders.has(id) ? null : `variant ${id}: stock ${stock}`,
  );
}

const Terms = z.object({
  kind: z.enum(['percent', 'fixed', 'free_shipping']),
  percent_bps: z.int().nullable(),
  amount_cents: z.int().nullable(),
});

function totalsAreTheCalculators({ orders, items }: Books): Check {
  return check("an order's sums are the calculator's and add up", orders, (order) => {
    const lines = items.get(order.id) ?? [];
    const sums = priceOrder({
      lines: lines.map((line) => ({ unitPrice: line.unit_price, quantity: line.quantity, taxRateBps: line.tax_rate })),
      voucher: order.voucher_terms === null ? null : Terms.parse(JSON.parse(order.voucher_terms)),
      discount: { kind: 'fixed', amount_cents: order.manual_discount ?? 0 },
      shipping: {
        price_cents: order.shipping_cost + order.waived_shipping,
        free_over_cents: null,
        tax_rate_bps: order.shipping_tax_rate,
      },
      pricesIncludeTax: order.prices_include_tax === 1,
    });
    const { subtotal, discount_amount: discount, shipping_cost: shipping, tax_amount: tax, total } = order;
    const faults = [];
    const own = { subtotal, discount, shipping, tax, total };
    for (const [name, value] of Object.entries(own)) {
      const expected = Reflect.get(sums, name);
      if (expected !== value) faults.push(`${name} ${value} instead of ${expected}`);
    }
    if (total !== subtotal - discount + shipping + (order.prices_include_tax ? 0 : tax))
      faults.push(`${JSON.stringify(own)} do not add up`);
    for (const [i, line] of lines.entries()) {
      const expected = sums.lines[i];
      const same =
        line.subtotal === expected?.subtotal &&
        line.discount_amount === expected.discount_amount &&
        line.tax_amount === expected.tax_amount;
      if (!same) faults.push(`line ${line.id} instead of ${JSON.stringify(expected)}`);
    }
    return faults.length === 0 ? null : `order ${order.id}: ${faults.join('; ')}`;
  });
}

/** Only edits change a total, so each edit must begin with the total with which the one before it ended. */
async function editsAreAChain({ db, ledger }: Aftermath, { orders }: Books): Promise<Check> {
  const ids = orders.map(({ id }) => id);
  const edits = ids.length === 0 ? [] : await db.selectFrom('order_edits').selectAll().where('order_id', 'in', ids).orderBy('id').execute();
  return check('no edit is lost, and each begins where the one before it ended', orders, ({ id, total }) => {
    const own = edits.filter(({ order_id }) => order_id === id);
    const promised = ledger.edits.get(id) ?? 0;
    if (own.length !== promised) return `order ${id}: ${own.length} edits, acknowledged ${promised}`;
    const broken = own.some((edit, n) => n > 0 && edit.total_before_cents !== own[n - 1]?.total_after_cents);
    const last = own.at(-1);
    return broken || (last && last.total_after_cents !== total) ? `order ${id}: the edits do not lead to its total ${total}` : null;
  });
}

async function paymentsAreKept({ db, ledger }: Aftermath, { orders }: Books): Promise<Check> {
  const ids = orders.map(({ id }) => id);
  const payments = ids.length === 0 ? [] : await db.selectFrom('payments').selectAll().where('order_id', 'in', ids).execute();
  const there = new Set(payments.map(({ id }) => id));
  const lost = [...ledger.payments].filter((id) => !there.has(id)).map((id) => `payment ${id} is lost`);
  const unknown = [...there].filter((id) => !ledger.payments.has(id)).map((id) => `payment ${id} exists, but was not acknowledged`);
  const followed = check('no payment is lost, and the payment status follows them', orders, (order) => {
    const own = payments.filter(({ order_id }) => order_id === order.id);
    if (own.length === 0) return null;
    const paid = own.reduce((sum, payment) => sum + (payment.paid ? payment.amount_cents : 0), 0);
    const expected = paid >= order.total ? 'paid' : 'pending';
    return order.payment_status === expected ? null : `order ${order.id}: ${order.payment_status} with ${paid} of ${order.total} paid`;
  });
  return { ...followed, faults: [...lost, ...unknown, ...followed.faults] };
}

/** A reopened order uses its voucher again, so it counts against the limit as any other. */
async function vouchersAreCounted({ db, goods }: Aftermath, { orders }: Books): Promise<Check> {
  const vouchers = await db.selectFrom('vouchers').selectAll().where('code', 'in', goods.vouchers).execute();
  const allUses = await db.selectFrom('voucher_uses').selectAll().execute();
  return check(
    'a voucher is used by exactly the orders that have it and are not cancelled, within its limit',
    vouchers,
    ({ id, code, used_count, usage_limit }) => {
      const carrying = orders.filter((order) => order.voucher_code === code && order.status !== 'cancelled').length;
      const uses = allUses.filter(({ voucher_id }) => voucher_id === id);
      if (used_count !== uses.length || used_count !== carrying)
        return `${code}: counted ${used_count}, ${uses.length} uses, ${carrying} orders`;
      return usage_limit !== null && used_count > usage_limit ? `${code}: ${used_count} of ${usage_limit}` : null;
    },
  );
}

async function mailsAreQueued({ db, ledger, goods }: Aftermath): Promise<Check> {
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('to_address', 'like', `%-${goods.mark}@example.com`)
    .where('template', '!=', 'set_password')
    .execute();
  const fault = `${mails.length} mails for ${ledger.mails} that were asked for`;
  return {
    name: 'every mail that was asked for is queued, once',
    checked: mails.length,
    faults: mails.length === ledger.mails ? [] : [fault],
  };
}

/** The totals of lists are stored separately from the orders; they must equal a plain count. */
async function listsCountRight({ db, api }: Aftermath): Promise<Check> {
  const faults: string[] = [];
  const compare = async (query: { status?: (typeof orderStatuses)[number]; payment_status?: (typeof paymentStatuses)[number] }) => {
    const { total } = await api.orders.list({ ...query, per_page: 1 });
    const conditions = Object.entries(query).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const where = sql.join([sql`is_test = 0`, ...conditions], sql` AND `);
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM orders WHERE ${where}`.execute(db);
    if (rows[0]?.n !== total) faults.push(`${JSON.stringify(query)}: ${total} instead of ${rows[0]?.n}`);
  };
  await compare({});
  for (const status of orderStatuses) await compare({ status });
  for (const payment_status of paymentStatuses) await compare({ payment_status });
  return { name: 'lists tell the number of orders that there are', checked: 1 + orderStatuses.length + paymentStatuses.length, faults };
}
