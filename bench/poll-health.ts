import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

/** Child process of log-flood.ts and orders.ts: requests /healthz until its standard input ends, then prints each time in ms. */
const [url = ''] = process.argv.slice(2);
const pool = new Pool(url, { connections: 1 });
const EVERY_MS = 2;
const times: number[] = [];
let going = true;
process.stdin.once('end', () => (going = false)).resume();
for (let i = 0; i < 50; i++) await healthMs();
process.stdout.write('"ready"\n');
while (going) {
  times.push(await healthMs());
  await delay(EVERY_MS);
}
await pool.close();
process.stdout.write(`${JSON.stringify(times)}\n`);

async function healthMs(): Promise<number> {
  const began = performance.now();
  const answer = await pool.request({ method: 'GET', path: '/healthz' });
  await answer.body.text();
  return performance.now() - began;
}
