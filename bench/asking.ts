import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Pool } from 'undici';
import { startListeningServer } from '../ops/processes.ts';
import { COMMON_PRAGMAS } from '../server/db/sqlite/sqlite-connection.ts';
import { TOKEN } from './backroom.ts';
import { CLOCK } from './orders-shop.ts';
import { median, type Row, row } from './report.ts';

/**
 * A request, and the same question to the database in plain SQL. `most`: the longest median time of the request, in ms;
 * `mostRatio`: the largest ratio of that time to the time of the plain SQL.
 */
export type Case = { name: string; path: string; plain: Plain[]; most: number; mostRatio?: number };
export type Plain = { sql: string; parameters: (string | number)[] };

export type Shop = { url: string; database: SqliteDatabase.Database };

/** Starts a server on a folder with a shop, with the shop's clock, and opens its database file beside it for plain SQL. */
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

/** Requests and plain SQL take turns for this many rounds. */
const ROUNDS = 3;
/** A round of one of them repeats it this many times, or as often as fits into ROUND_MS. */
const TIMES = 20;
const ROUND_MS = 400;
/** A request may take this long even where the plain SQL takes next to no time. */
const HOP_MS = 2;

/** Measures each case over HTTP and in plain SQL. */
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

/** Returns the text of the answer. */
export async function get(pool: Pool, path: string): Promise<string> {
  const answer = await pool.request({ method: 'GET', path: `/admin/api${path}`, headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return text;
}
