import { createServer } from 'node:net';
import { showProgress } from '../cli/progress-bar.ts';
import { migrate } from '../server/db/migrate.ts';
import { openStore } from '../server/db/open.ts';
import { CommandError } from '../server/shop-data/command.ts';
import { fillSampleShop } from '../server/shop-data/sample/fill.ts';

/** The shop of `npm run demo` and `npm run dev`. */

const SEED = 1;
const DEFAULT_PORT = 8787;

/** The orders of the shop, which are made over 18 months. */
export const DEMO_ORDERS = 2000;

/** Makes the shop in the SQLite file, which does not exist yet, and shows its progress. */
export async function fillDemoShop(file: string, out: NodeJS.WriteStream): Promise<void> {
  const bar = showProgress(out);
  const store = openStore({ url: file, poolSize: 2, synchronous: 'NORMAL' });
  try {
    await migrate(store);
    await fillSampleShop(store, { seed: SEED, now: new Date(), orders: DEMO_ORDERS, onProgress: bar.update });
  } finally {
    bar.end();
    await store.close();
  }
}

/** Returns PORT where it is given, else 8787 if that is free, else 0 for any free port. */
export async function choosePort(): Promise<string> {
  const given = process.env['PORT'];
  if (!given) return (await isFree(DEFAULT_PORT)) ? String(DEFAULT_PORT) : '0';
  const port = Number(given);
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new CommandError(`PORT is ${given}: a port from 0 to 65535 is expected`);
  if (!(await isFree(port))) throw new CommandError(`PORT ${port} is taken; leave PORT out to get a free one`);
  return given;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
