import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { createPulse } from '../../server/background/pulse.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';

/** `/readyz` of a server on SQLite, while its own transactions or those of other processes hold the only writer. */

const DAY_MS = 86_400_000;
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

const readiness = () => app.request({ path: '/readyz', token: null });

/** A connection as another process has it. */
function otherProcess(): SqliteDatabase.Database {
  return new SqliteDatabase(app.databaseUrl, { timeout: 0 });
}

test('while another process writes, the server answers, and a write waits for its turn without holding up anything', async () => {
  const other = otherProcess();
  other.exec('BEGIN IMMEDIATE');
  const body = { name: 'Ann', email: 'ann@example.com', subject: 'A question', body: 'Hello' };
  const write = app.request({ method: 'POST', path: '/admin/api/inquiries', body });
  await until('the write waits', () => app.store.waitingWrites() > 0);
  // A server that waited inside SQLite could answer neither of these before the writer is free.
  for (let n = 0; n < 5; n++) {
    assert.equal((await readiness()).status, 200);
    assert.equal((await app.request({ path: '/admin/api/inquiries' })).status, 200);
  }
  other.exec('COMMIT');
  other.close();
  assert.equal((await write).status, 201);
});

test('a long transaction of this server does not make it unready, and the check does not wait for it', async () => {
  let clock = 0;
  const pulse = createPulse(app.store, () => clock);
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const writing = app.store.write(async () => {
    held();
    await isDone;
  });
  await isHeld;
  for (const at of [0, DAY_MS]) {
    clock = at;
    await pulse.check();
    assert.equal(pulse.readiness().ready, true);
  }
  finish();
  await writing;
});

test('the check delays no writer: after it, another process can write at once, and a dry run’s pass is not asked to give way', async () => {
  await createPulse(app.store).check();
  const other = otherProcess();
  other.exec('BEGIN IMMEDIATE');
  await createPulse(app.store).check();
  assert.equal(app.store.waitingWrites(), 0);
  other.exec('COMMIT');
  other.close();
});

test('a bulk load of another process, seen in a transaction at every look, leaves the server ready; one transaction without an end does not', async () => {
  let clock = 0;
  const pulse = createPulse(app.store, () => clock);
  await pulse.check();
  const other = otherProcess();
  other.exec(`CREATE TABLE loaded (n INTEGER)`);
  for (let batch = 1; batch <= 4; batch++) {
    other.exec(`BEGIN IMMEDIATE; INSERT INTO loaded VALUES (${batch})`);
    clock += 20_000;
    await pulse.check();
    assert.equal(pulse.readiness().ready, true, `in batch ${batch}`);
    other.exec('COMMIT');
  }
  await pulse.check();
  other.exec('BEGIN IMMEDIATE; DROP TABLE loaded');
  await pulse.check();
  clock += 29_000;
  await pulse.check();
  assert.equal(pulse.readiness().ready, true);
  clock += 2000;
  await pulse.check();
  const { ready, checks } = pulse.readiness();
  assert.deepEqual([ready, checks['database']], [false, 'not writable']);
  other.exec('COMMIT');
  other.close();
  await pulse.check();
  assert.equal(pulse.readiness().ready, true);
});

test('without any check for 30 seconds, nothing is known and the server is not ready; a refused check is told at once', async () => {
  let clock = 0;
  const pulse = createPulse(app.store, () => clock);
  assert.equal(pulse.readiness().ready, false, 'before the first check');
  await pulse.check();
  clock = 30_001;
  assert.equal(pulse.readiness().ready, false);
  const broken = { ...app.store, probe: { look: () => Promise.reject(new Error('disk I/O error')), close: async () => undefined } };
  const refused = createPulse(broken, () => clock);
  await assert.rejects(refused.check(), /disk I\/O error/);
  assert.equal(refused.readiness().ready, false);
});
