import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Pool } from 'undici';
import { startListeningServer } from '../scripts/processes.ts';
import { COMMON_PRAGMAS } from '../server/db/sqlite-connection.ts';
import { TOKEN } from './backroom.ts';
import { CLOCK } from './orders-shop.ts';
import { median, type Row, row } from './report.ts';

/** A request, and the same asked of the database in plain SQL, as one would write it by hand. */
export type Case = { name: string; path: string; plain: Plain[]; most: number /** Of the plain SQL's time. */; mostRatio?: number };
export type Plain = { sql: string; parameters: (string | number)[] };

export type Shop = { url: string; database: SqliteDatabase.Database };

/** A server, whose clock is the shop's, on a folder with a shop, and its file beside it. */
export async function withShop(folder: string, work: (shop: Shop) => Promise<Row[]>): Promise<Row[]> {
  const database = new SqliteDatabase(join(folder, 'backroom.db'), { readonly: true });
  for (const pragma of COMMON_PRAGMAS) database.pragma(pragma);
  const clock = new URL('shop-clock.ts', import.meta.url).href;
  const server = await startListeningServer({
    DATA_DIR: folder,
    PORT: '0',
    RATE_LIMIT: '0',
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    NODE_OPTIONS: `--import=${clock}`,
    SHOP_CLOCK: CLOCK,
  });
  try {
    return await work({ url: server.url, database });
  } finally {
    await server.stop();
    database.close();
  }
}

/** So many of each, or as many as fit into the time, in turns. */
const ROUNDS = 3;
const TIMES = 20;
const ROUND_MS = 400;
/** What a request may take whatever the database takes. */
const HOP_MS = 2;

/** Each over HTTP, beside the same in plain SQL. */
export async function measureCases({ url, database }: Shop, cases: readonly Case[]): Promise<Row[]> {
  const pool = new Pool(url, { connections: 1 });
  try {
    const rows: Row[] = [];
    for (const one of cases) rows.push(await measure(pool, database, one));
    return rows;
  } finally {
    await pool.close();
  }
}

async function measure(pool: Pool, database: SqliteDatabase.Database, { name, path, plain, most, mostRatio }: Case): Promise<Row> {
  const statements = plain.map(({ sql, parameters }) => ({ statement: database.prepare(sql), parameters }));
  const askPlainly = (): void => {
    for (const { statement, parameters } of statements) statement.all(...parameters);
  };
  const httpMs: number[] = [];
  const plainMs: number[] = [];
  await get(pool, path);
  askPlainly();
  for (let round = 0; round < ROUNDS; round++) {
    await repeat(httpMs, () => get(pool, path));
    await repeat(plainMs, askPlainly);
  }
  return row({
    name: `${name}: p50`,
    figure: median(httpMs),
    unit: 'ms',
    baseline: median(plainMs),
    figureBound: { most },
    ...(mostRatio !== undefined && { ratioBound: { most: mostRatio, unless: HOP_MS } }),
  });
}

export async function repeat(times: number[], work: () => unknown): Promise<void> {
  const end = performance.now() + ROUND_MS;
  for (let i = 0; i < TIMES && (i === 0 || performance.now() < end); i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
}

export async function get(pool: Pool, path: string): Promise<void> {
  const answer = await pool.request({ method: 'GET', path: `/admin/api${path}`, headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
}
