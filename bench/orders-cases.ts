import { orderSorts, orderStatuses, paymentStatuses } from '../contract/orders.ts';
import type { Case, Plain } from './asking.ts';

type Query = Record<string, string | number | boolean>;
type Where = [condition: string, ...parameters: (string | number)[]];

const PER_PAGE = 25;

/** Values of the shop. `rare`: a search term that finds one buyer; `phone`: a phone number with separators; `buyer`: the customer with most orders; `internal`: an internal status. */
export type Known = { orderId: number; rare: string; phone: string; buyer: number; internal: number };

/** The cases of the order list, the calendar and the detail. `orders`: the number of orders in the shop. */
export function ordersCases({ orders, ...known }: { orders: number } & Known): Case[] {
  const { orderId, rare } = known;
  const first = { most: 15, mostRatio: 3 };
  const combined = { most: 50 };
  const deep = Math.min(40_000, Math.floor(orders / PER_PAGE));
  return [
    list('page 1', {}, [], first),
    ...orderStatuses.map((status) => list(`status=${status}`, { status }, [['status = ?', status]], first)),
    ...paymentStatuses.map((status) =>
      list(`payment_status=${status}`, { payment_status: status }, [['payment_status = ?', status]], first),
    ),
    list('one day', { created_from: '2026-06-15', created_to: '2026-06-15' }, [between('2026-06-15', '2026-06-16')], first),
    list('one month', { created_from: '2026-05-01', created_to: '2026-05-31' }, [between('2026-05-01', '2026-06-01')], first),
    list('a year', { created_from: '2025-07-01', created_to: '2026-06-30' }, [between('2025-07-01', '2026-07-01')], first),
    ...orderSorts.map((sort) => list(`sort=${sort}`, { sort }, [], first)),

    list(
      'status and payment',
      { status: 'pending', payment_status: 'paid' },
      [
        ['status = ?', 'pending'],
        ['payment_status = ?', 'paid'],
      ],
      combined,
    ),
    list('needs=sending', { needs: 'sending' }, [["status IN ('pending', 'processing')"]], first),
    list(
      'needs=attention',
      { needs: 'attention', sort: 'created_at' },
      [["status IN ('pending', 'processing') AND (payment_status = 'paid' OR delivery_date < ?)", new Date().toISOString().slice(0, 10)]],
      combined,
    ),
    list(
      'month by total',
      { created_from: '2026-05-01', created_to: '2026-05-31', sort: '-total' },
      [between('2026-05-01', '2026-06-01')],
      combined,
    ),
    list('status by name', { status: 'delivered', sort: 'customer_name' }, [['status = ?', 'delivered']], combined),
    list('total range', { total_min: '20', total_max: '30' }, [['total BETWEEN ? AND ?', 2000, 3000]], combined),
    list(
      'total range by date, paid',
      { total_min: '100', payment_status: 'paid' },
      [
        ['total >= ?', 10_000],
        ['payment_status = ?', 'paid'],
      ],
      combined,
    ),
    list(
      'all filters',
      { status: 'shipped', payment_status: 'paid', total_min: '50', created_from: '2026-01-01', created_to: '2026-06-30', sort: 'total' },
      [['status = ?', 'shipped'], ['payment_status = ?', 'paid'], ['total >= ?', 5000], between('2026-01-01', '2026-07-01')],
      combined,
    ),
    list('with tests', { include_test: true, payment_status: 'failed' }, [['payment_status = ?', 'failed']], { ...combined, tests: true }),
    list('rare search and status', { search: rare, status: 'delivered' }, [searched(rare), ['status = ?', 'delivered']], combined),
    list('common search by total', { search: 'murphy', sort: '-total' }, [searched('MURPHY')], combined),

    ...partCases(known),
    ...wordCases(known),

    list('rare search', { search: rare }, [searched(rare)], { most: 50 }),
    list('common search, one name', { search: 'murphy' }, [searched('MURPHY')], combined),
    list('common search, a syllable', { search: 'mur' }, [searched('MUR')], combined),
    list('common search, half the shop', { search: 'example.com' }, [searched('EXAMPLE.COM')], combined),
    list('search for nothing', { search: 'zzzzqq' }, [searched('ZZZZQQ')], { most: 50 }),

    list(`page ${deep}`, { page: deep, include_test: true }, [], { most: 30, tests: true, page: deep }),
    list(`page ${deep} by total`, { page: deep, include_test: true, sort: 'total' }, [], { most: 30, tests: true, page: deep }),
    calendar('calendar', {}, []),
    calendar('calendar, status', { status: 'delivered' }, [['status = ?', 'delivered']]),
    calendar('calendar, search', { search: 'murphy' }, [searched('MURPHY')]),
    {
      name: 'GET /orders/{id}',
      path: `/orders/${orderId}`,
      plain: [
        { sql: 'SELECT * FROM orders WHERE id = ?', parameters: [orderId] },
        { sql: 'SELECT * FROM order_items WHERE order_id = ? ORDER BY position, id', parameters: [orderId] },
      ],
      most: 3,
    },
  ];
}

/** Words in any order, of which some may be numbers. The plain SQL reads every order. */
function wordCases({ orderId, rare, phone }: Known): Case[] {
  const number = String(orderId);
  const digits = phone.replaceAll(/\D/g, '');
  const hasPhone = (part: string): Where => ['instr(phone_digits, ?) > 0', part];
  const bound = { most: 100 };
  return [
    list('words', { q: 'murphy grainne' }, [searched('MURPHY'), searched('GRAINNE')], { most: 50 }),
    list('words, rare', { q: `murphy ${rare}` }, [searched('MURPHY'), searched(rare)], { most: 50 }),
    list('words, a phone number', { q: phone }, [hasPhone(digits)], bound),
    list('words, the end of a phone number', { q: digits.slice(-7) }, [hasPhone(digits.slice(-7))], bound),
    list(
      'words, a name and the end of a phone number',
      { q: `murphy ${digits.slice(-4)}` },
      [searched('MURPHY'), hasPhone(digits.slice(-4))],
      bound,
    ),
    list(
      'words, a number',
      { q: number },
      [[`(id = ? OR instr(phone_digits, ?) > 0 OR ${searched('')[0]})`, number, number, number, number]],
      bound,
    ),
    list('words, a letter', { q: 'a' }, [searched('A')], bound),
    list('words, a digit', { q: '7' }, [[`(id = 7 OR ${searched('')[0]})`, '7', '7']], bound),
  ];
}

function partCases({ rare, buyer, internal }: Known): Case[] {
  const alone = { most: 50 };
  const ofBuyer: Where = ['customer_id = ?', buyer];
  const isInternal: Where = ['internal_status_id = ?', internal];
  const hasNone: Where = ['internal_status_id IS NULL'];
  const due = (from: string, to: string): Where => ['delivery_date BETWEEN ? AND ?', from, to];
  const day = { delivery_from: '2026-06-15', delivery_to: '2026-06-15' };
  const oldDay = { delivery_from: '2024-09-02', delivery_to: '2024-09-02' };
  const month = { delivery_from: '2025-03-01', delivery_to: '2025-03-31' };
  const year = { delivery_from: '2025-01-01', delivery_to: '2025-12-31' };
  const inYear = due('2025-01-01', '2025-12-31');
  const paid: Where = ['payment_status = ?', 'paid'];
  return [
    list('a customer', { customer_id: buyer }, [ofBuyer], alone),
    list('a customer by total', { customer_id: buyer, sort: '-total' }, [ofBuyer], alone),
    list('a customer by name, paid', { customer_id: buyer, payment_status: 'paid', sort: 'customer_name' }, [ofBuyer, paid], alone),
    list('a customer, searched', { customer_id: buyer, search: 'example.com' }, [ofBuyer, searched('EXAMPLE.COM')], alone),
    list('no customer', { customer_id: 999_999_999 }, [['customer_id = ?', 999_999_999]], alone),
    list('internal status', { internal_status_id: internal }, [isInternal], alone),
    list('internal status by total', { internal_status_id: internal, sort: 'total' }, [isInternal], alone),
    list('internal status by name', { internal_status_id: internal, sort: 'customer_name' }, [isInternal], alone),
    list('internal status, searched', { internal_status_id: internal, search: 'murphy' }, [isInternal, searched('MURPHY')], alone),
    list('no internal status', { internal_status_id: 'none' }, [hasNone], alone),
    list('no internal status by name', { internal_status_id: 'none', sort: 'customer_name' }, [hasNone], alone),
    list('no internal status, pending', { internal_status_id: 'none', status: 'pending' }, [hasNone, ['status = ?', 'pending']], alone),
    list(
      'no internal status, a month',
      { internal_status_id: 'none', created_from: '2026-05-01', created_to: '2026-05-31' },
      [hasNone, between('2026-05-01', '2026-06-01')],
      alone,
    ),
    list('no internal status, total', { internal_status_id: 'none', total_min: '100' }, [hasNone, ['total >= ?', 10_000]], alone),
    list('delivery day', day, [due('2026-06-15', '2026-06-15')], alone),
    list('delivery day long ago', oldDay, [due('2024-09-02', '2024-09-02')], alone),
    list('delivery day by name', { ...day, sort: 'customer_name' }, [due('2026-06-15', '2026-06-15')], alone),
    list('delivery month', month, [due('2025-03-01', '2025-03-31')], alone),
    list('delivery month, oldest first', { ...month, sort: 'created_at' }, [due('2025-03-01', '2025-03-31')], alone),
    list('delivery year', year, [inYear], alone),
    list('delivery year by total', { ...year, sort: '-total' }, [inYear], alone),
    list('delivery year by name', { ...year, sort: 'customer_name' }, [inYear], alone),
    list('delivery year, delivered', { ...year, status: 'delivered' }, [inYear, ['status = ?', 'delivered']], alone),
    list('delivery year, searched', { ...year, search: rare }, [inYear, searched(rare)], alone),
    list('delivery year, common search', { ...year, search: 'murphy' }, [inYear, searched('MURPHY')], alone),
    list('any delivery date', { delivery_from: '2000-01-01' }, [['delivery_date >= ?', '2000-01-01']], alone),
    list(
      'delivery, internal, total, paid, by total',
      { ...year, internal_status_id: 'none', total_min: '50', payment_status: 'paid', sort: 'total' },
      [inYear, hasNone, ['total >= ?', 5000], paid],
      alone,
    ),
  ];
}

const COLUMNS = `id, status, payment_status, customer_name, customer_email, total, created_at, public_id, is_test, delivery_date,
  internal_status_id, customer_id, shipping_country, currency`;

type ListOptions = { most: number; mostRatio?: number; tests?: boolean; page?: number };

function list(name: string, query: Query, where: Where[], { tests, page = 1, ...targets }: ListOptions): Case {
  const sort = String(query['sort'] ?? '-created_at');
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const column = sort.replace('-', '').replace('customer_name', 'customer_name_folded');
  const from = fromOrders([...(tests ? [] : [['is_test = 0'] satisfies Where]), ...where]);
  return {
    name: `GET /orders, ${name}`,
    path: pathOf('/orders', { ...query, per_page: PER_PAGE }),
    plain: [
      {
        sql: `SELECT ${COLUMNS} ${from.sql} ORDER BY ${column} ${direction}, id ${direction} LIMIT ${PER_PAGE} OFFSET ${(page - 1) * PER_PAGE}`,
        parameters: from.parameters,
      },
      { sql: `SELECT count(*) ${from.sql}`, parameters: from.parameters },
    ],
    ...targets,
  };
}

function calendar(name: string, query: Query, where: Where[]): Case {
  const excluded: Where[] = 'status' in query ? [] : [["status <> 'cancelled'"], ["payment_status <> 'refunded'"]];
  const shown = [['is_test = 0'] satisfies Where, ...where, ...excluded];
  const days = fromOrders([...shown, ['delivery_date BETWEEN ? AND ?', '2026-06-01', '2026-07-05']]);
  const none = fromOrders([...shown, ['delivery_date IS NULL']]);
  return {
    name: `GET /orders/calendar${name.replace('calendar', '')}`,
    path: pathOf('/orders/calendar', { ...query, month: '2026-06' }),
    plain: [
      { sql: `SELECT delivery_date, count(*) ${days.sql} GROUP BY delivery_date`, parameters: days.parameters },
      { sql: `SELECT count(*) ${none.sql}`, parameters: none.parameters },
    ],
    most: 50,
  };
}

function fromOrders(where: Where[]): Plain {
  const conditions = where.map(([condition]) => condition);
  return {
    sql: `FROM orders${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}`,
    parameters: where.flatMap(([, ...parameters]) => parameters),
  };
}

const between = (from: string, before: string): Where => [
  'created_at >= ? AND created_at < ?',
  `${from}T00:00:00.000Z`,
  `${before}T00:00:00.000Z`,
];
const searched = (term: string): Where => [
  '(instr(customer_name_folded, ?) > 0 OR instr(customer_email_folded, ?) > 0)',
  term.toUpperCase(),
  term.toUpperCase(),
];

function pathOf(path: string, query: Query): string {
  return `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
}
