import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '../../server/db/open.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

/** Log entries from a time when they did not yet name the customer whose record they are about. */

after(stopPostgres);

const tables = ['0001-shop', '0002-tasks', '0008-mail', '0013-inquiries'];
const AT = '2026-03-01T12:00:00.000Z';

for (const engine of engines) {
  test(`after the migration, older log entries about a customer's records are found by the customer [${engine}]`, async () => {
    const database = await createDatabase(engine, { empty: true });
    const store = openStore({ url: database.url });
    const run = (statement: string) => store.write((db) => sql.raw(statement).execute(db));
    const apply = async (name: string) => {
      const { statements }: { statements: readonly (string | Record<string, string[]>)[] } = await import(
        `../../server/db/migrations/${name}.ts`
      );
      const texts = statements.flatMap((one) => (typeof one === 'string' ? [store.dialect.ddl(one)] : (one[engine] ?? [])));
      for (const text of texts) await run(text);
    };
    for (const name of tables) await apply(name);
    const audit = (type: string, id: number) =>
      run(`INSERT INTO audit_log (at, actor_type, action, resource_type, resource_id, changes, request_id, ip)
        VALUES ('${AT}', 'admin', 'x', '${type}', ${id}, '{}', '', '')`);
    const log = (summary: string, detail: object) =>
      run(`INSERT INTO log_entries (source, action, status, summary, detail, created_at)
        VALUES ('admin', 'admin.x', 'success', '${summary}', '${JSON.stringify(detail)}', '${AT}')`);
    await run(`INSERT INTO customers (name, name_folded, email, email_folded, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
      VALUES ('Ann', 'ANN', 'ann@example.com', 'ANN@EXAMPLE.COM', 0, 0, '', '', '${AT}', '${AT}')`);
    await run(`INSERT INTO addresses (customer_id, address_type, label, line1, city, state, postal_code, country, is_default)
      VALUES (1, 'shipping', '', 'x', 'x', '', '', 'BE', 0)`);
    await audit('customer_note', 5);
    await audit('customer_address', 1);
    await audit('order', 7);
    await log('Customer 1: note 5 deleted', { customer_note_id: 5, body: ['x', null] });
    await log('Customer address 1 created', { customer_address_id: 1 });
    await log('Order 7: no change', { order_id: 7 });
    await log('orders: none', { order_id: null });
    await run(
      `INSERT INTO inquiries (name, email, subject, body, search_folded, created_at) VALUES ('A', ' ann@example.com', '', '', '', '${AT}')`,
    );
    await run(`INSERT INTO domain_events (type, data, at) VALUES ('inquiry.received', '{"inquiry_id":1,"subject":"lost"}', '${AT}')`);
    await run(`INSERT INTO notifications (type, severity, title, message, created_at)
      VALUES ('smtp_error', 'error', 'x', '550 ann@example.com', '${AT}')`);
    await run(`INSERT INTO mails (template, locale, to_name, to_address, subject, text_body, html_body, status, attempts, due_ms, untold, created_at)
      VALUES ('x', 'en', '', 'Ann@example.com', '', '', '', 'sent', 1, 0, 0, '${AT}')`);
    await apply('0018-forgotten-customers');

    const select = async (text: string) =>
      (await sql.raw<Record<string, unknown>>(text).execute(store.reader)).rows.map((row) => Object.values(row));
    const links = 'resource_type, resource_id, customer_id';
    const seen = {
      audit: await select(`SELECT ${links} FROM audit_log ORDER BY id`),
      logs: await select(`SELECT ${links} FROM log_entries ORDER BY id`),
      inquiries: await select('SELECT email_folded FROM inquiries'),
      events: await select('SELECT data FROM domain_events'),
      notifications: await select('SELECT message FROM notifications'),
      mails: await select('SELECT resource_type, resource_id FROM mails'),
    };
    await store.close();
    await database.drop();
    assert.deepEqual(seen.audit, [
      ['customer_note', 5, 1],
      ['customer_address', 1, 1],
      ['order', 7, null],
    ]);
    assert.deepEqual(seen.logs, [...seen.audit, [null, null, null]]);
    assert.deepEqual([seen.inquiries, seen.mails], [[['ANN@EXAMPLE.COM']], [['customer', 1]]]);
    assert.deepEqual(JSON.parse(String(seen.events[0]?.[0])), { inquiry_id: 1 });
    assert.deepEqual(seen.notifications, [['Mails could not be sent.']]);
  });
}
