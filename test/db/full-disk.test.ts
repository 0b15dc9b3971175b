import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '../../server/db/open.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { createDatabase } from '../helpers/stores.ts';

const LARGEST = 4_294_967_294;

describe('SQLite on a full disk', () => {
  let app: TestApp;
  let customerId: number;
  before(async () => {
    app = await startApp('sqlite');
    customerId = (await app.client.customers.create({ name: 'Ann', email: 'ann@example.com' })).id;
  });
  after(() => app.close());

  /** From now on the file may not grow beyond so many pages, or beyond those that it has. */
  async function limitPages(pages = 1): Promise<void> {
    await app.store.write((db) => sql`PRAGMA max_page_count = ${sql.lit(pages)}`.execute(db));
  }

  test('a write is refused with 503 and changes nothing; with room again the same request succeeds once', async () => {
    const path = `/admin/api/customers/${customerId}/notes`;
    const headers = { 'idempotency-key': '"full"' };
    // Longer than what the pages have left, and shorter than a note may be.
    const asked = (n: number) => ({ method: 'POST' as const, path, body: { body: `${n} ${'x'.repeat(9000)}` } });
    await limitPages();
    const refused = await app.request({ ...asked(0), headers });
    assert.equal(refused.status, 503, JSON.stringify(refused.body));
    assert.match(JSON.stringify(refused.body), /The disk of the server is full/);
    assert.equal((await app.request({ path })).status, 200, 'reads go on');
    assert.deepEqual(await app.client.customers.list_notes(customerId), []);
    await limitPages(LARGEST);
    assert.equal((await app.request({ ...asked(0), headers })).status, 201);
    assert.equal((await app.request({ ...asked(0), headers })).status, 201);
    assert.equal((await app.client.customers.list_notes(customerId)).length, 1);
  });

  test('what follows in a transaction that SQLite has undone fails, and takes no effect of its own', async () => {
    await limitPages();
    const big = 'x'.repeat(500_000);
    const writing = app.store.write(async (db) => {
      await db.updateTable('customers').set({ name: 'Undone' }).where('id', '=', customerId).execute();
      await assert.rejects(db.updateTable('customers').set({ phone: big }).where('id', '=', customerId).execute(), { code: 'SQLITE_FULL' });
      await db.updateTable('customers').set({ name: 'Half' }).where('id', '=', customerId).execute();
    });
    await assert.rejects(writing, { code: 'SQLITE_ABORT_ROLLBACK' });
    await limitPages(LARGEST);
    assert.equal((await app.client.customers.get(customerId)).name, 'Ann');
    await app.client.customers.update(customerId, { name: 'Ann again' });
  });
});

test('a store that was opened and not used is closed, too', async () => {
  const { url, drop } = await createDatabase('sqlite');
  await openStore({ url }).close();
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  assert.deepEqual(
    open.filter((path) => path.startsWith(url)),
    [],
  );
  await drop();
});
