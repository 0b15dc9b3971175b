import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Pool } from 'undici';
import { z } from 'zod';
import { type Backroom, TOKEN, withBackroom } from './backroom.ts';
import { startChild } from './child.ts';
import { recordStatements } from './recorded-statements.ts';
import { type Bound, type Row, row } from './report.ts';
import type { Ran } from './statement-probe.ts';
import { inTurns, medianMicros } from './turns.ts';

/** `besideBare`, `besidePlain`: the bounds of the ratios to a bare node:http server and to plain Koa. */
type Request = { name: string; method: 'GET' | 'POST'; path: string; body?: string; besideBare?: Bound; besidePlain?: Bound };
type Sample = { status: number; text: string };

const REQUESTS = 1500;
/** Requests that are under way at a time while throughput is measured. */
const AT_ONCE = 4;

function requestsOf({ orderIds, customerIds }: Pick<Backroom, 'orderIds' | 'customerIds'>): Request[] {
  return [
    { name: 'GET /healthz', method: 'GET', path: '/healthz' },
    { name: 'GET /orders/{id}', method: 'GET', path: `/admin/api/orders/${orderIds[0]}`, besideBare: { most: 3 } },
    { name: 'GET /orders', method: 'GET', path: '/admin/api/orders', besidePlain: { least: 0.6 } },
    {
      name: 'POST /customers/{id}/notes',
      method: 'POST',
      path: `/admin/api/customers/${customerIds[0]}/notes`,
      body: JSON.stringify({ body: 'a note of the bench' }),
      besidePlain: { least: 0.5 },
    },
  ];
}

/**
 * Prints the statements of each request. Compares the time of requests with that of a bare node:http server that answers the same bytes, and
 * the throughput with that of plain Koa that runs the same statements on a copy of the store; they take turns.
 */
export async function measureRequestPath(): Promise<Row[]> {
  const statements = await recordStatements(async (backroom) => {
    const pool = new Pool(backroom.url, { connections: 1 });
    for (const request of requestsOf(backroom)) await send(pool, request);
    await pool.close();
  });
  return withBackroom(async (backroom) => {
    const rows: Row[] = [];
    for (const request of requestsOf(backroom)) {
      const ran = statements.get(`${request.method} ${request.path}`) ?? [];
      process.stdout.write(`\n${request.name}: ${ran.length} statements\n${ran.map(lineOf).join('')}`);
      rows.push(await besideBare(backroom.url, request));
      if (request.besidePlain) rows.push(await besidePlain(backroom, request, ran));
    }
    return rows;
  });
}

const TEXT_MAX = 120;
const lineOf = ({ text }: Ran): string => `  ${text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX)}\n`;

async function besideBare(url: string, request: Request): Promise<Row> {
  const pool = new Pool(url, { connections: 1 });
  const sample = await send(pool, request);
  const bare = startChild('bare-server.ts', [sample.status, sample.text]);
  const barePool = new Pool(z.string().parse(await bare.next()), { connections: 1 });
  const [figure, baseline] = await inTurns(
    () => medianMicros(REQUESTS, () => send(pool, request)),
    () => medianMicros(REQUESTS, () => send(barePool, request)),
  );
  await Promise.all([pool.close(), barePool.close()]);
  bare.kill();
  return row({
    name: `${request.name} beside bare node:http`,
    figure,
    unit: 'µs',
    baseline,
    ...(request.besideBare && { ratioBound: request.besideBare }),
  });
}

async function besidePlain({ url, databaseFile }: Backroom, request: Request, ran: readonly Ran[]): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-plain-'));
  const [copy, list] = [join(folder, 'copy.db'), join(folder, 'statements.json')];
  const store = new SqliteDatabase(databaseFile, { readonly: true });
  store.prepare('VACUUM INTO ?').run(copy);
  store.close();
  writeFileSync(list, JSON.stringify(ran));
  const pool = new Pool(url, { connections: AT_ONCE });
  const sample = await send(pool, request);
  const plain = startChild('plain-koa.ts', [copy, list, sample.status, sample.text]);
  const plainPool = new Pool(z.string().parse(await plain.next()), { connections: AT_ONCE });
  const [figure, baseline] = await inTurns(
    () => perSecond(pool, request),
    () => perSecond(plainPool, request),
  );
  await Promise.all([pool.close(), plainPool.close()]);
  plain.kill();
  rmSync(folder, { recursive: true });
  return row({
    name: `${request.name} beside plain Koa with better-sqlite3, ${AT_ONCE} at a time`,
    figure,
    unit: '/s',
    baseline,
    ...(request.besidePlain && { ratioBound: request.besidePlain }),
  });
}

async function perSecond(pool: Pool, request: Request): Promise<number> {
  const began = performance.now();
  const sender = async (): Promise<void> => {
    for (let i = 0; i < REQUESTS / AT_ONCE; i++) await send(pool, request);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return REQUESTS / ((performance.now() - began) / 1000);
}

async function send(pool: Pool, { name, method, path, body }: Request): Promise<Sample> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.statusCode}`);
  return { status: answer.statusCode, text: await answer.body.text() };
}
