import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startApp, type TestApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { PasskeyBrowser } from '../helpers/passkey-browser.ts';
import { person } from '../helpers/people.ts';
import { codeOf, field } from '../helpers/runs.ts';
import { stopPostgres } from '../helpers/stores.ts';

let app: TestApp;

before(async () => {
  app = await startApp('postgres');
});

after(async () => {
  await app.close();
  await stopPostgres();
});

/** A passkey that somebody has made by a link of an owner, before it is sent. */
async function unvouched() {
  const { adminId } = await person(app);
  const { code: link } = await app.client.admins.create_sign_in_link(adminId, {});
  const signedIn = await app.request({ method: 'POST', path: '/admin/api/sign-in', body: { code: link }, token: null });
  const code = String(field(signedIn.body, 'passkey_code'));
  const browser = new PasskeyBrowser(app);
  const credential = await browser.made(code);
  return () => browser.ask('POST', '/passkeys', { code, credential, name: 'Laptop', device: 'Chrome, Linux' });
}

test('AU22 of two who make the first passkey of the shop at the same time, by links that nobody vouched for, one gets it', async () => {
  const enrolments = [await unvouched(), await unvouched()];
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  try {
    // With its passkey comes the first one's recovery codes, which it cannot store before the other has come as far as it gets.
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE recovery_codes IN SHARE MODE');
    const done = Promise.all(enrolments.map((enrol) => enrol()));
    await until('both wait', async () => {
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      return (await holder.query(waiting)).rows.length === 2;
    });
    await holder.query('COMMIT');
    const answers = await done;
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422]);
    assert.deepEqual(answers.filter(({ status }) => status === 422).map(codeOf), [[422, 'invalid_code']]);
  } finally {
    await holder.end();
  }
});
