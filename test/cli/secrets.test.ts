import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { open } from '../../server/automation/secrets/sealing.ts';
import { readConfig } from '../../server/config.ts';
import { createKeyring } from '../../server/process/keyring.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';

const { type } = openCommandLine();
let app: TestApp;
before(async () => {
  app = await startApp('sqlite');
});
after(() => app.close());

const dataDir = (): string => dirname(app.filesDir);
const store = (more: Record<string, string> = {}) => ({ env: { DATABASE_URL: `sqlite:${app.databaseUrl}`, DATA_DIR: dataDir(), ...more } });
const shop = (input = '') => ({ env: { SERVER_URL: app.url, BACKROOM_TOKEN: OWNER_TOKEN }, input });
const file = (): string => join(dataDir(), 'secrets.key');

/** The values of all secrets, as a server with this environment opens them. */
async function values(env: Record<string, string> = {}): Promise<(string | null)[]> {
  const keys = createKeyring(readConfig({ DATA_DIR: dataDir(), ...env })).all();
  const rows = await app.store.reader.selectFrom('task_secrets').selectAll().orderBy('id').execute();
  return rows.map((row) => open(keys, row, row));
}

test('secret set takes the value from standard input, never as an argument; list and delete show none', async () => {
  const missing = await type(['secret', 'set', 'stripe_key'], shop('sk_live_1\n'));
  assert.deepEqual([missing.code, missing.stderr.split(':')[0]], [2, '--host is missing']);
  assert.equal((await type(['secret', 'set', 'stripe_key', '--host', 'api.example.com'], shop(''))).code, 2);
  assert.equal((await type(['secret', 'set', 'stripe_key', 'sk_live_1', '--host', 'api.example.com'], shop())).code, 2);
  const stored = await type(['secret', 'set', 'stripe_key', '--host', 'api.example.com', '--note', 'live'], shop('sk_live_1\nline 2\n'));
  assert.deepEqual([stored.code, stored.stdout], [0, 'Stored: stripe_key  shop, for api.example.com, never used: live\n']);
  assert.deepEqual(await values(), ['sk_live_1\nline 2']);
  const anew = await type(['secret', 'set', 'stripe_key'], shop('sk_live_2'));
  assert.deepEqual([anew.code, anew.stdout], [0, 'Set anew: stripe_key  shop, for api.example.com, never used: live\n']);
  assert.equal((await type(['secret', 'set', 'other', '--host', 'b.example'], shop('second'))).code, 0);
  const listed = await type(['secret', 'list'], shop());
  assert.equal(listed.stdout, 'other  shop, for b.example, never used\nstripe_key  shop, for api.example.com, never used: live\n');
  const gone = await type(['secret', 'delete', 'nothing'], shop());
  assert.deepEqual([gone.code, gone.stderr], [1, 'there is no secret "nothing" of the shop\n']);
  assert.deepEqual(await values(), ['sk_live_2', 'second']);
});

test('secrets rotate puts a new key into the file; a rotation that was stopped is continued; the server goes on', async () => {
  const before = await readFile(file(), 'utf8');
  const turned = await type(['secrets', 'rotate'], store());
  assert.deepEqual([turned.code, turned.stderr], [0, '']);
  assert.match(turned.stdout, /^2 secrets are encrypted with the new key\.\nThe new key is in .*secrets\.key\. Keep a copy of it/);
  assert.notEqual(await readFile(file(), 'utf8'), before);
  assert.deepEqual([(await stat(file())).mode & 0o777, existsSync(`${file()}.old`)], [0o600, false]);
  assert.deepEqual(await values(), ['sk_live_2', 'second']);
  await app.client.task_secrets.create({ name: 'third', value: 'third', hosts: ['c.example'] });
  assert.deepEqual(await values(), ['sk_live_2', 'second', 'third']);

  // Stopped after the new key was put in place: the old one is still beside it, and no secret is encrypted anew.
  const old = join(dataDir(), 'kept');
  await mkdir(old);
  await copyFile(file(), join(old, 'secrets.key'));
  await copyFile(file(), `${file()}.old`);
  const again = await type(['secrets', 'rotate'], store());
  assert.match(again.stdout, /^3 secrets are/);
  await copyFile(join(old, 'secrets.key'), `${file()}.old`);
  assert.match((await type(['secrets', 'rotate'], store())).stdout, /^0 secrets are/);
  assert.deepEqual(await values(), ['sk_live_2', 'second', 'third']);
});

test('secrets rotate with SECRETS_KEY takes over what the file or SECRETS_KEY_OLD opens, and names what nothing opens', async () => {
  const [one, two] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')];
  const first = await type(['secrets', 'rotate'], store({ SECRETS_KEY: one }));
  assert.match(
    first.stdout,
    /^3 secrets are encrypted with the new key\.\nThe key is that of SECRETS_KEY;.*\n.*secrets\.key is no longer used: delete it\.\n$/,
  );
  const lost = await type(['secrets', 'rotate'], store({ SECRETS_KEY: two }));
  assert.equal(lost.code, 1);
  assert.match(
    lost.stderr,
    /^0 secrets are encrypted with the new key\. No key that is known here opens stripe_key, other, third: give the old key in SECRETS_KEY_OLD/,
  );
  const second = await type(['secrets', 'rotate'], store({ SECRETS_KEY: two, SECRETS_KEY_OLD: one }));
  assert.match(second.stdout, /^3 secrets are/);
  assert.deepEqual(await values({ SECRETS_KEY: two }), ['sk_live_2', 'second', 'third']);
  for (const { stdout, stderr } of [first, lost, second]) for (const key of [one, two]) assert.ok(!(stdout + stderr).includes(key));
  assert.equal((await type(['secrets', 'turn'], store())).code, 2);
});
