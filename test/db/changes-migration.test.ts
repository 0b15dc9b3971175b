import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '../../server/db/open.ts';
import { startApp } from '../helpers/app.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

/** A shop from a time when changes had no numbers. */

after(stopPostgres);

const AT = '2026-03-01T12:00:00.000Z';
const THIS = '0054-changes';
const folder = new URL('../../server/db/migrations/', import.meta.url);

for (const engine of engines) {
  test(`a list of changes from the start has the records that were there before, and goes on from them [${engine}]`, async () => {
    const database = await createDatabase(engine, { empty: true });
    const store = openStore({ url: database.url });
    await store.write(async (db) => {
      await sql`CREATE TABLE migrations (name TEXT PRIMARY KEY)`.execute(db);
      for (const file of readdirSync(folder).sort()) {
        const name = file.replace('.ts', '');
        if (name >= THIS) break;
        const { statements }: { statements: readonly (string | Record<string, string[]>)[] } = await import(new URL(file, folder).href);
        const texts = statements.flatMap((one) => (typeof one === 'string' ? [store.dialect.ddl(one)] : (one[engine] ?? [])));
        for (const text of texts) await sql.raw(text).execute(db);
        await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(db);
      }
      for (const n of [1, 2, 3]) {
        await sql`INSERT INTO customers (name, name_folded, email, email_folded, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
          VALUES (${`c${n}`}, ${`C${n}`}, ${`c${n}@example.com`}, ${`C${n}@EXAMPLE.COM`}, 1, 0, '', '', ${AT}, ${AT})`.execute(db);
      }
      await sql`INSERT INTO inquiries (name, email, subject, body, email_folded, search_folded, created_at)
        VALUES ('Ann', 'a@example.com', 's', 'b', 'A@EXAMPLE.COM', '', ${AT})`.execute(db);
    });
    await store.close();
    const app = await startApp(engine, { databaseUrl: database.url });
    const { customers, inquiries } = app.client;
    const first = await customers.list({ after: 'start', per_page: 2 });
    const second = await customers.list({ after: 'start', per_page: 2, cursor: first.next_cursor ?? '' });
    await customers.update(2, { name: 'changed' });
    const changed = await customers.list({ after: first.changes_cursor ?? '' });
    const { data: asked } = await inquiries.list({ after: 'start' });
    await app.close();
    await database.drop();
    assert.deepEqual(
      [first, second, changed].map(({ data }) => data.map(({ id }) => id)),
      [[1, 2], [3], [2]],
    );
    assert.deepEqual(
      asked.map(({ updated_at }) => updated_at),
      [AT],
    );
  });
}
