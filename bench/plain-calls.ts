import { createInterface } from 'node:readline';
import { Pool } from 'undici';

/**
 * Child process of call-cost.ts: makes the same requests by undici, `atOnce` at a time, one round for each line of its standard input; prints
 * its time in ms. `{id}` in the path stands for one id after the other. With a body, they are POST requests.
 */
const [url = '', token = '', calls = '1', path = '', first = '1', ids = '1', atOnce = '1', body = ''] = process.argv.slice(2);
const pool = new Pool(url, { keepAliveTimeout: 30_000 });
const headers = { authorization: `Bearer ${token}`, ...(body !== '' && { 'content-type': 'application/json' }) };
for await (const _ of createInterface({ input: process.stdin })) process.stdout.write(`${await roundMs()}\n`);
await pool.close();

async function roundMs(): Promise<number> {
  const began = performance.now();
  let next = 0;
  const inTurn = async (): Promise<void> => {
    while (next < Number(calls)) await call(next++);
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, inTurn));
  return performance.now() - began;
}

async function call(i: number): Promise<void> {
  const answer = await pool.request({
    method: body === '' ? 'GET' : 'POST',
    path: `/admin/api${path.replace('{id}', String(Number(first) + (i % Number(ids))))}`,
    headers,
    body: body === '' ? null : body,
  });
  await answer.body.json();
  if (answer.statusCode >= 300) throw new Error(`the server answered ${answer.statusCode}`);
}
