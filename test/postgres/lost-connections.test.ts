import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startApp, type TestApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { YEARLY } from '../helpers/schedules.ts';
import { letBeDueAgo, storeWaitingTimes } from '../helpers/stored-rows/automation.ts';
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

  for (const [code, what] of [
    ['57P02', 'one of its processes died, and PostgreSQL ends all others'],
    ['53100', 'its disk is full'],
  ] as const) {
    test(`${what}: the write gets 503 and can be repeated`, async () => {
      const { id } = await app.client.customers.create({ name: 'Ann', email: `ann-${code}@example.com` });
      // A real crash would end the connections of all other tests too.
      await failInserts('customer_notes', code);
      const path = `/admin/api/customers/${id}/notes`;
      const write = { method: 'POST' as const, path, body: { body: 'Hello' }, headers: { 'idempotency-key': `"${code}"` } };
      const refused = await app.request(write);
      assert.equal(refused.status, 503, JSON.stringify(refused.body));
      await other.query('DROP FUNCTION fail() CASCADE');
      assert.equal((await app.request(write)).status, 201);
      assert.equal((await app.client.customers.list_notes(id)).length, 1);
    });
  }

  test('a run that a trigger starts is opened soon after such an error, not a minute later', async () => {
    const { task_id: taskId } = await app.client.ai_tasks.create({
      ...{ name: 'Greets', description: '', source_code: 'log(1)', permissions: [], parameters: [] },
    });
    await app.client.ai_tasks.create_trigger(taskId, { event: 'customer.created' });
    await failInserts('runs', '53100');
    await app.client.customers.create({ name: 'Ann', email: 'ann-full@example.com' });
    const pauseMs = await until('the event is put off', async () => {
      const { rows } = await other.query<{ ms: number }>(
        'SELECT (due_ms - extract(epoch FROM clock_timestamp()) * 1000)::int AS ms FROM trigger_deliveries WHERE due_ms > 0',
      );
      return rows[0]?.ms;
    });
    assert.ok(pauseMs <= 1000, `it waits for ${pauseMs} ms`);
    await other.query('DROP FUNCTION fail() CASCADE');
    await until('the run is opened', async () => (await app.client.ai_tasks.list_runs(taskId)).length > 0);
  });

  test('a run of a schedule is opened as soon, whether its time is due or was queued', async () => {
    const { task_id: taskId } = await app.client.ai_tasks.create({
      ...{ name: 'Counts', description: '', source_code: 'log(1)', permissions: [], parameters: [] },
    });
    await failInserts('runs', '53100');
    const [due, queued] = [
      await app.client.ai_tasks.create_schedule(taskId, { ...YEARLY, overlap: 'allow' }),
      await app.client.ai_tasks.create_schedule(taskId, { ...YEARLY, overlap: 'queue' }),
    ];
    await letBeDueAgo(app.store, [due.id], 0);
    await storeWaitingTimes(app.store, [queued.id], 1);
    for (const [id, column] of [
      [due.id, 'due_ms'],
      [queued.id, 'queue_due_ms'],
    ] as const) {
      const pauseMs = await until(`${column} is put off`, async () => {
        const { rows } = await other.query<{ ms: number }>(
          `SELECT (${column} - extract(epoch FROM clock_timestamp()) * 1000)::bigint::float8 AS ms FROM schedules WHERE id = $1`,
          [id],
        );
        const ms = rows[0]?.ms ?? 0;
        return ms > 0 && ms;
      });
      assert.ok(pauseMs <= 1000, `${column}: it waits for ${pauseMs} ms`);
    }
    assert.deepEqual(await app.client.ai_tasks.list_runs(taskId), []);
    await other.query('DROP FUNCTION fail() CASCADE');
    await until('both runs are opened', async () => {
      const runs = await app.client.ai_tasks.list_runs(taskId);
      return new Set(runs.map(({ started_by }) => started_by)).size === 2;
    });
  });

  /** From now on, until the function is dropped, inserts into the table fail with the code. */
  async function failInserts(table: string, code: string): Promise<void> {
    await other.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'as in a crash' USING ERRCODE = '${code}'; END $$`);
    await other.query(`CREATE TRIGGER failing BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`);
  }
});
