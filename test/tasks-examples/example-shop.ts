import { after, before, describe } from 'node:test';
import type { SettingsPatch } from '../../contract/settings.ts';
import type { Engine } from '../../server/db/dialect.ts';
import type { Store } from '../../server/db/open.ts';
import type { Row } from '../../server/db/tables.ts';
import { expireCredits } from '../../server/resources/credits/expiry.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { startTaskRuns, type TaskRuns } from '../helpers/run-task.ts';
import { servicesOf } from '../helpers/services.ts';
import { stopPostgres } from '../helpers/stores.ts';

export const AS_OF = '2026-06-30';

export type ExampleShop = { app: TestApp; store: Store; runs: TaskRuns };

/** Starts a server with the sample shop as of `AS_OF`, and a runner, for the tests of a file. */
export function inSampleShop(
  engine: Engine,
  orders: number,
  tests: (shop: () => ExampleShop) => void,
  { currency = 'EUR', ...settings }: SettingsPatch = {},
): void {
  describe(`sample shop [${engine}, ${currency}]`, () => {
    let shop: ExampleShop | undefined;
    before(async () => {
      const app = await startApp(engine);
      await app.client.settings.update({ currency, ...settings });
      await fillSampleShop(app.store, { seed: 1, now: new Date(`${AS_OF}T12:00:00Z`), orders });
      // The server writes credits that expired since `AS_OF` to the ledger at some time after its start. No test is to see it happen.
      await expireCredits(await servicesOf(app.store));
      // Without it no mail can have a link to opt out.
      await app.client.settings.update({ public_url: app.url });
      shop = { app, store: app.store, runs: startTaskRuns(app) };
    });
    after(async () => {
      await shop?.runs.close();
      await shop?.app.close();
      if (engine === 'postgres') await stopPostgres();
    });
    tests(() => {
      if (!shop) throw new Error('the shop is not open');
      return shop;
    });
  });
}

/** The day `days` before `AS_OF`. */
export function daysBefore(days: number): string {
  return new Date(Date.parse(AS_OF) - days * 86_400_000).toISOString().slice(0, 10);
}

/** All stored orders, without test orders. */
export function readOrders(store: Store): Promise<Row<'orders'>[]> {
  return store.reader.selectFrom('orders').selectAll().where('is_test', '=', 0).orderBy('id').execute();
}

/** Customers whose last order that was not cancelled is older than this number of days. */
export async function absentCustomers(store: Store, days: number): Promise<number[]> {
  const lastDays = new Map<number, string>();
  for (const { customer_id, status, created_at } of await readOrders(store)) {
    if (customer_id === null || status === 'cancelled') continue;
    const day = created_at.slice(0, 10);
    if (day > (lastDays.get(customer_id) ?? '')) lastDays.set(customer_id, day);
  }
  return [...lastDays].flatMap(([id, day]) => (day < daysBefore(days) ? [id] : [])).sort((a, b) => a - b);
}

/** Orders that still wait for their payment this number of days after they came in. */
export async function unpaidOrders(store: Store, days: number): Promise<number[]> {
  const orders = await readOrders(store);
  const isUnpaid = ({ status, payment_status }: Row<'orders'>): boolean =>
    status === 'pending' && (payment_status === 'pending' || payment_status === 'failed');
  return orders.filter((order) => isUnpaid(order) && order.created_at.slice(0, 10) <= daysBefore(days)).map(({ id }) => id);
}

/** The number of win-back credits of each customer. */
export async function winBackGrants(store: Store): Promise<Map<number, number>> {
  const rows = await store.reader.selectFrom('credit_transactions').select('customer_id').where('note', 'like', 'We miss you%').execute();
  return countOf(rows.map(({ customer_id }) => customer_id));
}

/** The number of each customer's notes that begin with this text. */
export async function notesThatBegin(store: Store, start: string): Promise<Map<number, number>> {
  const rows = await store.reader.selectFrom('customer_notes').select(['customer_id', 'body']).execute();
  return countOf(rows.filter(({ body }) => body.startsWith(start)).map(({ customer_id }) => customer_id));
}

function countOf(ids: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
