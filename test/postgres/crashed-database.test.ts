import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { holdClaim } from '../../server/calls/journal/claims.ts';
import { signClaim } from '../../server/calls/journal/run-store.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { type Cluster, startCluster } from '../helpers/postgres.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';

/**
 * Reads of a run are committed before they are on PostgreSQL's disk. Here PostgreSQL takes ten seconds until it writes what nobody waits
 * for, so that a crash loses it.
 */
describe('PostgreSQL crashes', () => {
  let cluster: Cluster;
  let app: TestApp;
  before(async () => {
    cluster = await startCluster({ survivesCrash: true, settings: { wal_writer_delay: '10s' } });
    const client = new pg.Client({ connectionString: `${cluster.url}/postgres` });
    await client.connect();
    await client.query('CREATE DATABASE shop');
    await client.end();
    app = await startApp('postgres', { databaseUrl: `${cluster.url}/shop` });
  });
  after(async () => {
    await app.close();
    await cluster.stop();
  });

  async function resumingRun(): Promise<ClaimedRun> {
    return claimedRun(app, {}, await makeTask(app, {}, { on_interrupt: 'resume', max_attempts: 5 }));
  }

  async function startAgain(): Promise<void> {
    await cluster.startAgain();
    await until('the server reaches its database', async () => (await app.request({ path: '/admin/api/me' })).status === 200);
  }

  async function crash(): Promise<void> {
    await cluster.crash();
    await startAgain();
  }

  const notesOf = async (id: number): Promise<string[]> => (await app.client.customers.list_notes(id)).map(({ body }) => body);
  const rename = (id: number, name: string) => app.client.customers.update(id, { name });
  /** The name that the run's next read of the customer says. */
  async function readName(run: Pick<ClaimedRun, 'call'>, id: number, occurrence: number): Promise<unknown> {
    const answer = await run.call('GET', `/customers/${id}`, undefined, { occurrence });
    assert.equal(answer.status, 200, answer.text);
    return field(answer.body, 'name');
  }
  /** How far the log of PostgreSQL is written, and how much of it is on the disk, in bytes. */
  async function wal(): Promise<{ written: number; onDisk: number }> {
    const { rows } = await sql<{ written: number; on_disk: number }>`
      SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS float8) AS written, CAST(pg_current_wal_flush_lsn() - '0/0' AS float8) AS on_disk
    `.execute(app.store.reader);
    const [{ written, on_disk } = { written: 0, on_disk: 0 }] = rows;
    return { written, onDisk: on_disk };
  }

  test('a read does not wait for the disk, and a write takes the reads before it to the disk', async () => {
    const { id } = await makeCustomer(app);
    const run = await resumingRun();
    let reads = 0;
    // A loop of the server that writes something at the same moment takes the read to the disk, too.
    await until('a read is answered before anything of it is on the disk', async () => {
      const before = await wal();
      await readName(run, id, reads++);
      return (await wal()).onDisk <= before.written;
    });
    const { written } = await wal();
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'Hello' })).status, 201);
    assert.ok((await wal()).onDisk >= written);
  });

  test('after a crash, an attempt whose reads may be lost changes nothing; the next one reads anew and has its effect once', async () => {
    const { id } = await makeCustomer(app, { name: 'Ann' });
    const run = await resumingRun();
    await readName(run, id, 0);
    await rename(id, 'Bea');
    assert.equal(await readName(run, id, 1), 'Bea');
    await crash();
    await rename(id, 'Cleo');
    // The script would write what it has read, although nothing says any more that it has read that.
    for (const refused of [
      await run.call('POST', `/customers/${id}/notes`, { body: 'for Bea' }),
      await run.call('GET', `/customers/${id}`, undefined, { occurrence: 2 }),
      await run.report([{ kind: 'log', line: 'seen: Bea' }]),
      await run.report([]),
      await run.report([{ kind: 'end', status: 'success' }]),
    ]) {
      assert.deepEqual(codeOf(refused), [409, 'run_fenced'], refused.text);
    }
    assert.deepEqual(await notesOf(id), []);

    await lapse(app, run);
    const next = await claimRun(app, run);
    await readName(next, id, 0);
    const name = await readName(next, id, 1);
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: `for ${name}` })).status, 201);
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: `for ${name}` })).headers['idempotency-replayed'], 'true');
    assert.deepEqual(await notesOf(id), [`for ${name}`]);
  });

  test('what a run has read before a write is still the answer after a crash, and the write has its effect once', async () => {
    const { id } = await makeCustomer(app, { name: 'Ann' });
    const run = await resumingRun();
    const work = async (attempt: Pick<ClaimedRun, 'call'>): Promise<void> => {
      await readName(attempt, id, 0);
      const name = await readName(attempt, id, 1);
      const answer = await attempt.call('POST', `/customers/${id}/notes`, { body: `for ${name}` });
      assert.equal(answer.status, 201, answer.text);
    };
    await work(run);
    await crash();
    await rename(id, 'Bea');
    await lapse(app, run);
    await work(await claimRun(app, run));
    assert.deepEqual(await notesOf(id), ['for Ann']);
  });

  test('a run that has read nothing in its attempt goes on after a crash', async () => {
    const { id } = await makeCustomer(app);
    const run = await resumingRun();
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'before' })).status, 201);
    await crash();
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'after' })).status, 201);
    assert.deepEqual((await notesOf(id)).sort(), ['after', 'before']);
  });

  test('a run goes on after PostgreSQL was stopped and started in order', async () => {
    const { id } = await makeCustomer(app);
    const run = await resumingRun();
    await readName(run, id, 0);
    await readName(run, id, 1);
    await cluster.stop({ keep: true });
    await startAgain();
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'after' })).status, 201);
    assert.deepEqual(await notesOf(id), ['after']);
  });

  test('a report that waits for the first read of all goes on when it has its sign', async () => {
    const { id } = await makeCustomer(app);
    const run = await resumingRun();
    await crash();
    const { id: claimId } = await app.store.reader
      .selectFrom('run_claims')
      .select('id')
      .where('run_id', '=', run.runId)
      .executeTakeFirstOrThrow();
    const waiting = Promise.withResolvers<void>();
    const signing = app.store.write(async (db) => {
      await holdClaim(db, { claimId }, true);
      await signClaim(db, claimId);
      await waiting.promise;
    });
    const isWaitedFor = async (): Promise<boolean> => {
      const { rows } = await sql`SELECT 1 FROM pg_locks WHERE NOT granted`.execute(app.store.reader);
      return rows.length > 0;
    };
    await until('the claim is held', async () => {
      const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'`.execute(app.store.reader);
      return rows.length > 0;
    });
    const reported = run.report([]);
    await until('the report waits for it', isWaitedFor);
    waiting.resolve();
    await signing;
    assert.equal((await reported).status, 204);
    await readName(run, id, 0);
  });

  test('reads that begin at the same time, the first of their run, are all answered', async () => {
    const { id } = await makeCustomer(app);
    const run = await resumingRun();
    const names = await Promise.all(Array.from({ length: 16 }, (_, n) => readName(run, id, n)));
    assert.equal(new Set(names).size, 1);
  });
});
