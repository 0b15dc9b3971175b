import { Pool } from 'undici';
import { get, repeat, type Shop, withShop } from './asking.ts';
import { type Growth, growthRows, type Measured, startBare, upTo } from './growth.ts';
import { someOrder } from './orders.ts';
import { ordersShop } from './orders-shop.ts';
import { median, type Row } from './report.ts';

const SIZES = [1000, 10_000, 100_000, 1_000_000];
const ROUNDS = 5;
const PER_PAGE = 25;

type Known = { orders: number; orderId: number; rare: string };
/** `most`: see Measured; a page that needs no count or scan may take twice as long, since a B-tree gets two levels deeper. */
type Question = { name: string; path: (known: Known) => string; most?: number; unless?: number };

const questions: Question[] = [
  { name: 'list, page 1', path: () => `/orders?per_page=${PER_PAGE}`, most: 2, unless: 5 },
  { name: 'list, last page', path: ({ orders }) => `/orders?include_test=true&per_page=${PER_PAGE}&page=${Math.floor(orders / PER_PAGE)}` },
  { name: 'search for one buyer', path: ({ rare }) => `/orders?per_page=${PER_PAGE}&search=${encodeURIComponent(rare)}` },
  { name: 'search for a name', path: () => `/orders?per_page=${PER_PAGE}&search=murphy` },
  { name: 'detail', path: ({ orderId }) => `/orders/${orderId}`, most: 2, unless: 3 },
  { name: 'dashboard', path: () => '/dashboard', most: 2, unless: 5 },
  { name: 'trends, 90 days', path: () => '/dashboard/trends?days=90' },
];

/** Requests of an admin in shops of a thousand to a million orders. All shops are asked in turns, so that noise meets each of them. */
export async function measureOrdersGrowth(largest: number): Promise<Row[]> {
  const { sizes, isWhole } = upTo(SIZES, largest);
  const folders: string[] = [];
  for (const size of sizes) folders.push((await ordersShop(size)).folder);
  return withShops(folders, [], async (shops) => {
    const asked = shops.map((shop, n) => ({
      size: sizes[n] ?? 0,
      pool: new Pool(shop.url, { connections: 1 }),
      known: knownOf(shop, sizes[n] ?? 0),
    }));
    const bare = await startBare(await textOf(shops[0], `/orders?per_page=${PER_PAGE}`));
    const barePool = new Pool(bare.url, { connections: 1 });
    try {
      const lines: Measured[] = [];
      for (const { name, path, most, unless } of questions) {
        const times = await inTurns(
          asked.map(
            ({ pool, known }) =>
              () =>
                get(pool, path(known)),
          ),
        );
        const points = asked.map(({ size }, n) => ({ size, value: median(times[n] ?? []) }));
        lines.push({ name, points, ...(most !== undefined && { most }), ...(unless !== undefined && { unless }) });
      }
      const [bareTimes = []] = await inTurns([() => get(barePool, '/orders')]);
      lines.push({ name: 'bare node:http', isBaseline: true, points: sizes.map((size) => ({ size, value: median(bareTimes) })) });
      return await growthRows({ ...chart, lines, isWhole });
    } finally {
      await Promise.all([...asked.map(({ pool }) => pool.close()), barePool.close()]);
      bare.stop();
    }
  });
}

const chart: Omit<Growth, 'lines' | 'isWhole'> = {
  file: 'orders',
  unit: 'ms',
  title: 'Requests of an admin, by the number of orders',
  x: 'orders',
  y: 'ms, median',
  method:
    'One request at a time over HTTP, one server for each size on SQLite, all in turns. Dashed: bare node:http that answers the bytes of a list.',
};

/** Calls `work` with a running server for each folder. */
function withShops(folders: readonly string[], shops: readonly Shop[], work: (shops: readonly Shop[]) => Promise<Row[]>): Promise<Row[]> {
  const [folder, ...others] = folders;
  return folder === undefined ? work(shops) : withShop(folder, (shop) => withShops(others, [...shops, shop], work));
}

function knownOf({ database }: Shop, orders: number): Known {
  const { orderId, rare } = someOrder(database);
  return { orders, orderId, rare };
}

async function textOf(shop: Shop | undefined, path: string): Promise<string> {
  const pool = new Pool(shop?.url ?? '', { connections: 1 });
  const text = await get(pool, path);
  await pool.close();
  return text;
}

/** Does each work for a while, then the next one, several times over. The first round only warms up. */
async function inTurns(works: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = works.map(() => []);
  for (const work of works) await work();
  for (let round = 0; round < ROUNDS; round++) for (const [n, work] of works.entries()) await repeat(times[n] ?? [], work);
  return times;
}
