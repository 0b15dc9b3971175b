import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Pool } from 'undici';
import { z } from 'zod';
import { startListeningServer } from '../scripts/processes.ts';
import { COMMON_PRAGMAS } from '../server/db/sqlite-connection.ts';
import { TOKEN } from './backroom.ts';
import { startChild } from './child.ts';
import { type Case, ordersCases } from './orders-cases.ts';
import { type Filling, ordersShop } from './orders-shop.ts';
import { median, type Row, row } from './report.ts';

/** So many of each, or as many as fit into the time, in turns. */
const ROUNDS = 3;
const TIMES = 20;
const ROUND_MS = 400;
/** What a request may take whatever the database takes. */
const HOP_MS = 2;

type Asked = { case: Case; httpMs: number[]; plainMs: number[] };

/** Lists, searches, calendar and detail over HTTP in a shop of a million orders, each beside the same asked in plain SQL of the same file. */
export async function measureOrders(orders: number): Promise<Row[]> {
  const { folder, filling } = await ordersShop(orders);
  const database = new SqliteDatabase(join(folder, 'backroom.db'), { readonly: true });
  for (const pragma of COMMON_PRAGMAS) database.pragma(pragma);
  const server = await startListeningServer({ DATA_DIR: folder, PORT: '0', RATE_LIMIT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN });
  const pool = new Pool(server.url, { connections: 1 });
  try {
    const cases = ordersCases({ orders, ...someOrder(database) });
    const rows = fillingRows(orders, filling);
    for (const one of cases) rows.push(rowOf(await measure(pool, database, one)));
    rows.push(await longestHealthz(server.url, cases));
    return rows;
  } finally {
    await pool.close();
    await server.stop();
    database.close();
  }
}

function fillingRows(orders: number, { seconds, maxRssMib, items }: Filling): Row[] {
  return [
    row({ name: `sample shop of ${orders} orders with ${items} items`, figure: seconds, unit: 's', figureBound: { most: 120 } }),
    row({ name: 'its memory at most', figure: maxRssMib, unit: 'MiB', figureBound: { most: 300 } }),
  ];
}

/** An order in the middle, and its buyer's address to search for. */
function someOrder(database: SqliteDatabase.Database): { orderId: number; rare: string } {
  const found = z.object({ id: z.int(), customer_email: z.string() }).parse(
    database
      .prepare(
        `SELECT id, customer_email FROM orders
          WHERE id >= (SELECT max(id) / 2 FROM orders) AND customer_email <> '' AND is_test = 0 ORDER BY id LIMIT 1`,
      )
      .get(),
  );
  return { orderId: found.id, rare: found.customer_email };
}

async function measure(pool: Pool, database: SqliteDatabase.Database, one: Case): Promise<Asked> {
  const statements = one.plain.map(({ sql, parameters }) => ({ statement: database.prepare(sql), parameters }));
  const plain = (): void => {
    for (const { statement, parameters } of statements) statement.all(...parameters);
  };
  const asked: Asked = { case: one, httpMs: [], plainMs: [] };
  await get(pool, one.path);
  plain();
  for (let round = 0; round < ROUNDS; round++) {
    await repeat(asked.httpMs, () => get(pool, one.path));
    await repeat(asked.plainMs, plain);
  }
  return asked;
}

async function repeat(times: number[], work: () => unknown): Promise<void> {
  const end = performance.now() + ROUND_MS;
  for (let i = 0; i < TIMES && (i === 0 || performance.now() < end); i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
}

async function get(pool: Pool, path: string): Promise<void> {
  const answer = await pool.request({ method: 'GET', path: `/admin/api${path}`, headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
}

function rowOf({ case: { name, most, mostRatio }, httpMs, plainMs }: Asked): Row {
  return row({
    name: `${name}: p50`,
    figure: median(httpMs),
    unit: 'ms',
    baseline: median(plainMs),
    figureBound: { most },
    ...(mostRatio !== undefined && { ratioBound: { most: mostRatio, unless: HOP_MS } }),
  });
}

/** While all the requests are made once more, several at a time. */
async function longestHealthz(url: string, cases: readonly Case[]): Promise<Row> {
  const poller = startChild('poll-health.ts', [url]);
  await poller.next();
  const others = new Pool(url, { connections: 3 });
  for (let i = 0; i < 3; i++) await Promise.all(cases.map(({ path }) => get(others, path)));
  await others.close();
  poller.finish();
  const waits = z.array(z.number()).parse(await poller.next());
  return row({
    name: `GET /healthz meanwhile: longest of ${waits.length}`,
    figure: Math.max(...waits),
    unit: 'ms',
    figureBound: { most: 50 },
  });
}
