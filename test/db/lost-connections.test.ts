import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startApp, type TestApp } from '../helpers/app.ts';
import { stopPostgres } from '../helpers/stores.ts';

describe('connections that PostgreSQL ends', () => {
  let app: TestApp;
  let other: pg.Client;
  before(async () => {
    app = await startApp('postgres');
    other = new pg.Client({ connectionString: app.databaseUrl });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await app.close();
    await stopPostgres();
  });

  test('in the middle of a transaction: it fails, leaves nothing, and the server answers the next request', async () => {
    const { email } = await app.client.me.get();
    const writing = app.store.write(async (db) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
      await db.updateTable('admins').set({ email: 'lost@example.com' }).execute();
      await other.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
      await sql`SELECT 1`.execute(db);
    });
    await assert.rejects(writing, /terminat|connection/i);
    assert.equal((await app.client.me.get()).email, email);
  });

  test('all of them, under requests: each is answered, and those after it succeed', async () => {
    const asking = Array.from({ length: 30 }, () => app.request({ path: '/admin/api/pages' }));
    await other.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    for (const { status } of await Promise.all(asking)) assert.ok([200, 500, 503].includes(status), String(status));
    assert.equal((await app.request({ path: '/admin/api/pages' })).status, 200);
  });
});
