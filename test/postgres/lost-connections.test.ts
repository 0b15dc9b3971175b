import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startApp, type TestApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
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

  test('in the middle of a transaction: the transaction fails and changes nothing, and the server answers the next request', async () => {
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

  test('during requests: each request whose connection was lost gets 503, all others get 200', async () => {
    await other.query('BEGIN; LOCK TABLE pages IN ACCESS EXCLUSIVE MODE');
    const asking = Array.from({ length: 30 }, () => app.request({ path: '/admin/api/pages' }));
    const waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until('requests wait', async () => ((await other.query(waiting)).rowCount ?? 0) > 0);
    const { rowCount } = await other.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS lost`);
    await other.query('ROLLBACK');
    const answers = await Promise.all(asking);
    assert.equal(answers.filter(({ status, headers }) => status === 503 && headers['retry-after'] === '1').length, rowCount);
    assert.equal(answers.filter(({ status }) => status === 200).length, 30 - (rowCount ?? 0));
  });
});
