import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { after, before, describe, mock, test } from 'node:test';
import { sql } from 'kysely';
import { FormData } from 'undici';
import { z } from 'zod';
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

  async function usedBytes(): Promise<number> {
    return (await app.store.reader.selectFrom('storage_use').select('used_bytes').executeTakeFirstOrThrow()).used_bytes;
  }

  for (const [step, what] of [
    ['appendFile', 'while the file arrives'],
    ['sync', 'at its end'],
  ] as const) {
    test(`an upload for which there is no room ${what} is refused with 503 and leaves nothing; with room again it succeeds`, async () => {
      const upload = () => {
        const form = new FormData();
        form.append('file', new File([`%PDF-1.7 ${step}`], `${step}.pdf`, { type: 'application/pdf' }));
        return app.request({ method: 'POST', path: '/admin/api/files', form, headers: { 'idempotency-key': `"${step}"` } });
      };
      const noRoom = () => Promise.reject(Object.assign(new Error(`ENOSPC: no space left on device, ${step}`), { code: 'ENOSPC' }));
      const faulty = mock.method(await fileHandle(), step, noRoom);
      const refused = await upload();
      assert.ok(faulty.mock.callCount() > 0, 'the upload came so far');
      faulty.mock.restore();
      assert.equal(refused.status, 503, refused.text);
      assert.match(refused.text, /The disk of the server is full/);
      assert.deepEqual([filesIn(app.filesDir), await usedBytes()], [[], 0]);
      const accepted = await upload();
      assert.equal(accepted.status, 201, accepted.text);
      await app.client.files.delete(z.object({ id: z.number() }).parse(accepted.body).id);
    });
  }

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

/** What all handles of files share, so that one method of it can fail as the system would let it fail. */
async function fileHandle(): Promise<FileHandle> {
  await using handle = await open('/dev/null');
  return Object.getPrototypeOf(handle);
}

function filesIn(folder: string): string[] {
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return all.filter((one) => one.isFile()).map(({ name }) => name);
}

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
