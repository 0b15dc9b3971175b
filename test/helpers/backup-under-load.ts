import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { makeCustomer, makeVariant } from './builders.ts';
import { until } from './machines.ts';
import { phoneOrder } from './phone-orders.ts';

/** A backup of a shop whose clients go on writing, restored beside it as docs/operations.md tells. */

const WRITERS = 6;
const STOCK = 1_000_000;
/** Each writer has made so many writes before the backup begins, and makes so many more after it has ended. */
const SOME = 5;

/** Finds what was written in a shop; undefined: it is not there. */
type Find = (shop: TestApp) => Promise<unknown>;
/** One write that was acknowledged: when it was sent and answered, in the order of all of them, and what was written. */
type Write = { writer: number; sent: number; answered: number; find: Find; written: unknown };

const at =
  (path: string): Find =>
  async (shop) => {
    const { status, body } = await shop.request({ path });
    assert.ok(status === 200 || status === 404, path);
    return status === 200 ? body : undefined;
  };

type Ways = {
  /** Makes the backup while clients write. */
  backup(app: TestApp): Promise<void>;
  /** Starts a shop with what the backup has, when the clients have stopped. */
  restore(app: TestApp): Promise<TestApp>;
};

/** The restored shop is the other one at one moment: all that was acknowledged before the backup began, and nothing by halves. */
export async function proveBackup(app: TestApp, { backup, restore }: Ways): Promise<void> {
  const variant = await makeVariant(app, { stock: STOCK });
  const { id: customerId } = await makeCustomer(app);
  const writes: Write[] = [];
  let clock = 0;
  let isStopped = false;

  /** An order changes the order, its lines, the stock with its movement, counts and the audit log in one transaction. */
  async function writeOnce(n: number): Promise<Find> {
    if (n % 3 === 0) {
      const { id } = await app.client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 1 }]));
      return at(`/admin/api/orders/${id}`);
    }
    if (n % 3 === 1) {
      const note = await app.client.customers.create_note(customerId, { body: `note ${n}` });
      return async (shop) => (await shop.client.customers.list_notes(customerId)).find(({ id }) => id === note.id);
    }
    const { id } = await app.client.files.create({
      file: { filename: `${n}.pdf`, content: `%PDF-1.7 ${n}`, content_type: 'application/pdf' },
    });
    return at(`/admin/api/files/${id}/content`);
  }
  async function write(writer: number): Promise<void> {
    for (let n = writer; !isStopped; n++) {
      const sent = clock++;
      const find = await writeOnce(n);
      const answered = clock++;
      writes.push({ writer, sent, answered, find, written: await find(app) });
    }
  }
  const byEach = (many: number, from: number) => () =>
    Array.from({ length: WRITERS }, (_, writer) => writes.slice(from).filter((one) => one.writer === writer).length).every(
      (n) => n >= many,
    );

  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  await until('each writer has written', byEach(SOME, 0));
  const began = clock++;
  await backup(app);
  const ended = clock++;
  await until('each writer has written after the backup', byEach(SOME, writes.length));
  isStopped = true;
  await writing;

  const copy = await restore(app);
  const found: { write: Write; isThere: boolean }[] = [];
  for (const one of writes) {
    const copied = await one.find(copy);
    if (copied !== undefined) assert.deepEqual(copied, one.written);
    found.push({ write: one, isThere: copied !== undefined });
  }
  const kept = found.filter(({ isThere }) => isThere).map(({ write: one }) => one);
  const lost = found.filter(({ isThere }) => !isThere).map(({ write: one }) => one);
  assert.ok(kept.length >= SOME * WRITERS && lost.length >= WRITERS, `${kept.length} of ${writes.length} are in the copy`);
  assert.deepEqual(
    lost.filter(({ answered }) => answered < began),
    [],
    'all that was acknowledged before the backup began is in it',
  );
  assert.deepEqual(
    kept.filter(({ sent }) => sent > ended),
    [],
    'nothing is in it that was sent after its end',
  );
  const firstLost = Math.min(...lost.map(({ answered }) => answered));
  assert.deepEqual(
    kept.filter(({ sent }) => sent > firstLost),
    [],
    'where a write is missing, all that were sent after its answer are missing, too',
  );
  const { stock } = await copy.client.products.get_variant(variant.id);
  const { total_items: orders } = await ordersOf(copy);
  assert.equal(STOCK - stock, orders, 'each order has taken its goods');
}

async function ordersOf(shop: TestApp): Promise<{ total_items: number }> {
  const row = await shop.store.reader
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return { total_items: row.n };
}
