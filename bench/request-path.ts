import { Pool } from 'undici';
import { z } from 'zod';
import { type Backroom, TOKEN } from './backroom.ts';
import { startChild } from './child.ts';
import { median, type Row, row } from './report.ts';

type Request = { name: string; method: 'GET' | 'POST'; path: string; body: string | null };

const REQUESTS = 1500;
const ROUNDS = 5;

/** Compares requests to the server with requests to a bare node:http server that answers the same bytes; both take turns. */
export async function measureRequestPath(backroom: Backroom): Promise<Row[]> {
  const [order, customer] = [backroom.orderIds[0], backroom.customerIds[0]];
  const requests: Request[] = [
    { name: 'GET /healthz', method: 'GET', path: '/healthz', body: null },
    { name: 'GET /orders/{id}', method: 'GET', path: `/admin/api/orders/${order}`, body: null },
    {
      name: 'POST /customers/{id}/notes',
      method: 'POST',
      path: `/admin/api/customers/${customer}/notes`,
      body: JSON.stringify({ body: 'a note of the bench' }),
    },
  ];
  const rows: Row[] = [];
  for (const request of requests) rows.push(await measureOne(backroom.url, request));
  return rows;
}

async function measureOne(url: string, request: Request): Promise<Row> {
  const pool = new Pool(url, { connections: 1 });
  const sample = await send(pool, request);
  const bareProcess = startChild('bare-server.ts', [sample.status, sample.text]);
  const bareUrl = z.string().parse(await bareProcess.next());
  const barePool = new Pool(bareUrl, { connections: 1 });
  const figures: number[] = [];
  const baselines: number[] = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const [figure, baseline] = [await medianMicros(pool, request), await medianMicros(barePool, request)];
    if (i === 0) continue;
    figures.push(figure);
    baselines.push(baseline);
  }
  await Promise.all([pool.close(), barePool.close()]);
  bareProcess.kill();
  return row({ name: `${request.name} beside bare node:http`, figure: median(figures), unit: 'µs', baseline: median(baselines) });
}

async function medianMicros(pool: Pool, request: Request): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const began = performance.now();
    const { status } = await send(pool, request);
    if (status >= 300) throw new Error(`${request.name} answered ${status}`);
    times.push((performance.now() - began) * 1000);
  }
  return median(times);
}

async function send(pool: Pool, { method, path, body }: Request): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(body !== null && { 'content-type': 'application/json' }) };
  const answer = await pool.request({ method, path, headers, body });
  return { status: answer.statusCode, text: await answer.body.text() };
}
