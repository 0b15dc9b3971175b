import { join } from 'node:path';
import { showProgress } from '../cli/progress-bar.ts';
import { migrate } from '../server/db/migrate.ts';
import { openStore } from '../server/db/open.ts';
import { fillSampleShop } from '../server/shop-data/sample/fill.ts';

/** Child process of orders-shop.ts: fills a folder as `npm run sample-shop` does; prints the time taken and the largest memory. */
const [folder = '', orders = '0', clock = ''] = process.argv.slice(2);
const began = performance.now();
const progress = showProgress(process.stderr);
const store = openStore({ url: join(folder, 'backroom.db'), bulk: true });
await migrate(store, { leaveAside: true });
await fillSampleShop(store, { seed: 1, now: new Date(clock), orders: Number(orders), onProgress: progress.update });
progress.end();
const seconds = (performance.now() - began) / 1000;
const { count } = await store.reader
  .selectFrom('order_items')
  .select((eb) => eb.fn.countAll<number>().as('count'))
  .executeTakeFirstOrThrow();
await store.close();
process.stdout.write(`${JSON.stringify({ seconds, maxRssMib: process.resourceUsage().maxRSS / 1024, items: count })}\n`);
