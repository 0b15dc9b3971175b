import { createInterface } from 'node:readline';
import { Pool } from 'undici';

/** Child process of read-cost.ts: makes the same reads by undici, one round for each line of its standard input; prints its time in ms. */
const [url = '', token = '', reads = '1', path = '', first = '1', orders = '1'] = process.argv.slice(2);
const pool = new Pool(url, { keepAliveTimeout: 30_000 });
const headers = { authorization: `Bearer ${token}` };
for await (const _ of createInterface({ input: process.stdin })) process.stdout.write(`${await roundMs()}\n`);
await pool.close();

async function roundMs(): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < Number(reads); i++) {
    const answer = await pool.request({
      method: 'GET',
      path: `/admin/api${path.replace('{id}', String(Number(first) + (i % Number(orders))))}`,
      headers,
    });
    await answer.body.json();
    if (answer.statusCode !== 200) throw new Error(`the server answered ${answer.statusCode}`);
  }
  return performance.now() - began;
}
