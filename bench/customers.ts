import type SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import { customerSorts } from '../contract/customers.ts';
import { type Case, measureCases, withShop } from './asking.ts';
import { ordersShop } from './orders-shop.ts';
import type { Row } from './report.ts';

const PER_PAGE = 25;

/** Lists and searches of customers in the shop of `orders` orders (a million by default), with the bounds of the order lists. */
export async function measureCustomers(orders: number): Promise<Row[]> {
  const { folder } = await ordersShop(orders);
  return withShop(folder, (shop) => measureCases(shop, casesOf(shop.database)));
}

function casesOf(database: SqliteDatabase.Database): Case[] {
  const { customers, id, email } = z.object({ customers: z.int(), id: z.int(), email: z.string() }).parse(
    database
      .prepare(
        `SELECT id, email, (SELECT count(*) FROM customers) AS customers FROM customers
          WHERE id >= (SELECT max(id) / 2 FROM customers) AND email <> '' ORDER BY id LIMIT 1`,
      )
      .get(),
  );
  const first = { most: 15, mostRatio: 3 };
  const deep = Math.max(1, Math.floor(customers / PER_PAGE));
  return [
    list('page 1', {}, '', [], first),
    ...customerSorts.map((sort) => list(`sort=${sort}`, { sort }, '', [], first)),
    list('registered', { registered: true }, 'registered = ?', [1], first),
    list(
      'one month',
      { created_from: '2026-05-01', created_to: '2026-05-31' },
      'created_at >= ? AND created_at < ?',
      ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
      first,
    ),
    list('rare search', { search: email }, CONTAINS, [email.toUpperCase(), email.toUpperCase()], { most: 50 }),
    list('common search', { search: 'murphy' }, CONTAINS, ['MURPHY', 'MURPHY'], { most: 150 }),
    list('common search, all', { search: 'example.com' }, CONTAINS, ['EXAMPLE.COM', 'EXAMPLE.COM'], { most: 150 }),
    list('search for nothing', { search: 'zzzzqq' }, CONTAINS, ['ZZZZQQ', 'ZZZZQQ'], { most: 50 }),
    list('words', { q: 'murphy grainne' }, `${CONTAINS} AND ${CONTAINS}`, ['MURPHY', 'MURPHY', 'GRAINNE', 'GRAINNE'], { most: 100 }),
    list('words, the end of a phone number', { q: '9171234' }, 'instr(phone_digits, ?) > 0', ['9171234'], { most: 100 }),
    list(`page ${deep}`, { page: deep }, '', [], { most: 30 }),
    {
      name: 'GET /customers/{id}',
      path: `/customers/${id}`,
      plain: [
        { sql: 'SELECT * FROM customers WHERE id = ?', parameters: [id] },
        { sql: 'SELECT * FROM addresses WHERE customer_id = ?', parameters: [id] },
        { sql: 'SELECT count(*), sum(total) FROM orders WHERE customer_id = ?', parameters: [id] },
      ],
      most: 3,
    },
  ];
}

const CONTAINS = '(instr(name_folded, ?) > 0 OR instr(email_folded, ?) > 0)';

type Query = Record<string, string | number | boolean>;

function list(name: string, query: Query, where: string, parameters: (string | number)[], bounds: Pick<Case, 'most' | 'mostRatio'>): Case {
  const sort = String(query['sort'] ?? '-created_at');
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const column = sort.replace('-', '').replace(/^(name|email)$/, '$1_folded');
  const from = `FROM customers${where === '' ? '' : ` WHERE ${where}`}`;
  const offset = (Number(query['page'] ?? 1) - 1) * PER_PAGE;
  const search = new URLSearchParams(Object.entries({ ...query, per_page: PER_PAGE }).map(([key, value]) => [key, String(value)]));
  return {
    name: `GET /customers, ${name}`,
    path: `/customers?${search}`,
    plain: [
      {
        sql: `SELECT id, name, email, phone, registered, created_at ${from} ORDER BY ${column} ${direction}, id ${direction} LIMIT ${PER_PAGE} OFFSET ${offset}`,
        parameters,
      },
      { sql: `SELECT count(*) ${from}`, parameters },
    ],
    ...bounds,
  };
}
