import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectShop, type RemoteShop } from '../../cli/remote-shop.ts';
import type { AdminApi } from '../../contract/calls.ts';
import type { CustomerRow } from '../../contract/customers.ts';
import type { Inquiry } from '../../contract/inquiries.ts';
import type { OrderRow } from '../../contract/orders.ts';
import type { Product } from '../../contract/products.ts';
import type { SubscriptionRow } from '../../contract/subscriptions.ts';
import type { Voucher } from '../../contract/vouchers.ts';
import { startListeningServer, startPart } from '../../ops/processes.ts';
import { openStore } from '../../server/db/open.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';

/** The sample shop, with what its wishes need besides, on a server and a runner of its own. */

const TOKEN = 'Token-of-the-evals-0123456789abcdef';
const RUNNER_TOKEN = 'runner-of-the-evals-0123456789abcdef';
const ORDERS = 300;

/** `read`: the text of a file below /admin/api. `secrets`: what no model may be sent. */
export type EvalShop = RemoteShop & {
  data: ShopData;
  secrets: readonly string[];
  read(path: string): Promise<string>;
  close(): Promise<void>;
};

/** What the shop has, as the API tells it; the expectations are computed from it. */
export type ShopData = {
  orders: OrderRow[];
  products: Product[];
  customers: CustomerRow[];
  vouchers: Voucher[];
  inquiries: Inquiry[];
  subscriptions: SubscriptionRow[];
  /** The shop's day; its time zone is UTC. */
  today: string;
  /** The id of a CSV with counts of stock. */
  countsFile: number;
  counts: Map<string, number>;
};

export async function openEvalShop(): Promise<EvalShop> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-evals-'));
  const server = await startListeningServer({
    PORT: '0',
    DATA_DIR: folder,
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    RUNNER_TOKEN,
    RATE_LIMIT: '0',
  });
  const store = openStore({ url: join(folder, 'backroom.db'), poolSize: 2 });
  await fillSampleShop(store, { seed: 1, now: undefined, orders: ORDERS });
  await store.close();
  const ready = Promise.withResolvers<void>();
  const runner = startPart('runner', { SERVER_URL: server.url, RUNNER_TOKEN, RUNNER_CONCURRENCY: '4' }, (line) => {
    if (line.includes('the runner is ready to claim runs')) ready.resolve();
  });
  void runner.exited.then(() => ready.reject(new Error('the runner ended')));
  await ready.promise;
  const shop = connectShop(server.url, TOKEN);
  const made = await addOccasions(shop, folder);
  return {
    ...shop,
    data: { ...(await readAll(shop.client)), ...made },
    secrets: [TOKEN, RUNNER_TOKEN],
    read: async (path) => (await fetch(`${server.url}/admin/api${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })).text(),
    close: async () => {
      await runner.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Made = Pick<ShopData, 'countsFile' | 'counts'>;

/** What the sample shop has none of: vouchers that ended, inquiries that wait, products that are sold out, a file of counts. */
async function addOccasions({ client, upload }: RemoteShop, folder: string): Promise<Made> {
  await client.settings.update({ public_url: 'https://shop.example.com', timezone: 'UTC' });
  for (const [n, subject] of ['Where is my parcel?', 'Does it fit?', 'An invoice, please'].entries()) {
    await client.inquiries.create({ name: `Customer ${n + 1}`, email: `c${n + 1}@example.com`, subject, body: 'Please tell me.' });
  }
  for (const code of ['SPRING-24', 'SUMMER-24', 'AUTUMN-24']) {
    await client.vouchers.create({ code, kind: 'percent', percent_bps: 1000, valid_to: '2024-12-31T00:00:00Z' });
  }
  const { data } = await client.products.list({ status: 'active', per_page: 20, sort: 'created_at' });
  const tracked = data.filter(({ variants }) => variants.some(({ track_stock }) => track_stock));
  for (const { variants } of tracked.slice(0, 2)) {
    for (const { id, stock } of variants) await client.products.change_stock(id, { stock: 0, expected_stock: stock });
  }
  const counted = tracked.slice(2, 6).flatMap(({ variants }) => variants.slice(0, 1));
  const counts = new Map(counted.map(({ sku, stock }, n) => [sku, n === 0 ? stock : stock + n]));
  const content = ['sku;count', ...[...counts].map(([sku, count]) => `${sku};${count}`), 'NOT-A-SKU;4', ''].join('\n');
  const file = join(folder, 'counts.csv');
  await writeFile(file, content);
  return { counts, countsFile: await upload(file) };
}

type Page<T> = { data: T[]; next_cursor: string | null };

async function all<T>(list: (query: { per_page: number; cursor?: string | undefined }) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ per_page: 100, cursor });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

async function readAll(client: AdminApi): Promise<Omit<ShopData, keyof Made>> {
  return {
    orders: await all((query) => client.orders.list(query)),
    products: await all((query) => client.products.list(query)),
    customers: await all((query) => client.customers.list(query)),
    vouchers: await all((query) => client.vouchers.list(query)),
    inquiries: await all((query) => client.inquiries.list(query)),
    subscriptions: await all((query) => client.subscriptions.list(query)),
    today: new Date().toISOString().slice(0, 10),
  };
}
