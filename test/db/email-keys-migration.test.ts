import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { blankCustomer, deleteCustomer, selectByEmail } from '../../server/resources/customers/store.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { applyUpTo, releases } from './old-stores.ts';

/** Customers from a time when emails were compared by their folded form. */

after(stopPostgres);

const AT = '2026-03-01T12:00:00.000Z';
const emails = {
  1: 'ann@xn--mller-kva.example',
  2: 'ann@müller.example',
  3: 'straße@example.com',
  4: 'bo@example.com',
  5: '',
  6: '',
  7: 'cy@bücher.example',
  8: 'CY@xn--bcher-kva.example',
};

for (const engine of engines) {
  test(`customers with the same email stay, and the oldest of them is found [${engine}]`, async () => {
    const database = await createDatabase(engine, { empty: true });
    const store = openStore({ url: database.url, poolSize: 2 });
    await applyUpTo(store, releases[releases.indexOf('0079-email-keys') - 1] ?? '');
    await store.write(async (db) => {
      for (const [id, email] of Object.entries(emails))
        await sql`INSERT INTO customers (id, name, name_folded, email, email_folded, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
          VALUES (${Number(id)}, '', '', ${email}, ${email.toUpperCase()}, 0, 0, '', '', ${AT}, ${AT})`.execute(db);
      await sql`INSERT INTO inquiries (name, email, subject, body, email_folded, search_folded, created_at)
        VALUES ('', 'ann@müller.example', '', '', 'ANN@MüLLER.EXAMPLE', '', ${AT})`.execute(db);
      await sql`INSERT INTO admins (name, name_folded, email, email_folded, role, active, created_at)
        VALUES ('', '', 'straße@shop.example', 'STRASSE@SHOP.EXAMPLE', 'staff', 1, ${AT})`.execute(db);
    });
    await migrate(store);
    const idOf = async (email: string) => (await selectByEmail(store.reader, email))?.id;
    const seen = async () =>
      Promise.all(['Ann@Müller.example', 'STRAßE@example.com', 'strasse@example.com', 'BO@example.com', 'cy@bücher.example'].map(idOf));
    const before = await seen();
    await store.write((db) => deleteCustomer(db, { id: 1, email: emails[1] }));
    await store.write((db) => blankCustomer(db, { id: 7, email: emails[7] }, AT));
    const then = await seen();
    const { rows } = await sql<{ email_folded: string }>`
      SELECT email_folded FROM inquiries UNION ALL SELECT email_folded FROM admins`.execute(store.reader);
    await store.close();
    await database.drop();
    assert.deepEqual(before, [1, 3, undefined, 4, 7]);
    assert.deepEqual(then, [2, 3, undefined, 4, 8]);
    assert.deepEqual(rows.map(({ email_folded }) => email_folded).sort(), [
      'ANN@XN--MLLER-KVA.EXAMPLE',
      'STRASSE@SHOP.EXAMPLE\nSTRAßE@SHOP.EXAMPLE',
    ]);
  });
}
