import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { onBothStores, startApp } from '../helpers/app.ts';
import { openCommandLine } from '../helpers/command-line.ts';
import { tablesNaming } from '../helpers/dump.ts';
import { hooks, macOf } from '../helpers/hooks.ts';
import { codeOf } from '../helpers/runs.ts';
import { moveSealedSigning } from '../helpers/stored-rows/secrets.ts';

const SECRET = 'signing-secret-of-the-tests';
const { type } = openCommandLine();

onBothStores('secrets of signatures', (app) => {
  const { make, call, runsOf, rejections } = hooks(app);
  const signed = (body: string, secret = SECRET) => ({ 'x-hub-signature-256': `sha256=${macOf(secret, body)}` });
  const verify = { preset: 'github', secret: SECRET } as const;
  const dataDir = () => dirname(app().filesDir);
  const tables = () => tablesNaming(app().store, [SECRET]);
  const rotate = () => {
    const url = app().engine === 'sqlite' ? `sqlite:${app().databaseUrl}` : app().databaseUrl;
    return type(['secrets', 'rotate'], { env: { DATABASE_URL: url, DATA_DIR: dataDir() } });
  };
  const status = async (address: string, body: string, secret?: string) => (await call(address, body, signed(body, secret))).status;

  test('no table has the secret, and a signed call is accepted before and after a rotation of the key', async () => {
    const hook = await make({ verify });
    assert.deepEqual(await tables(), {});
    assert.equal(await status(hook.address, '{"n":1}'), 202);
    const turned = await rotate();
    assert.match(turned.stdout, /^1 secret is encrypted with the new key\./);
    assert.equal(await status(hook.address, '{"n":2}'), 202);
    assert.equal(await status(hook.address, '{"n":3}', 'another secret'), 401);
    assert.deepEqual(await tables(), {});
  });

  test('a change keeps the secret, replaces it or removes it', async () => {
    const { ai_tasks } = app().client;
    const hook = await make({ verify });
    await ai_tasks.update_hook(hook.taskId, hook.id, { name: 'Renamed', verify: { preset: 'github' } });
    assert.equal(await status(hook.address, '{"n":1}'), 202);
    const entries = async () =>
      (await app().client.audit_log.list({ resource_type: 'hook', resource_id: hook.id })).data.filter(({ changes }) =>
        JSON.stringify(changes).includes('verify_secret'),
      ).length;
    await ai_tasks.update_hook(hook.taskId, hook.id, { verify });
    assert.equal(await entries(), 0, 'the same secret is no change');
    await ai_tasks.update_hook(hook.taskId, hook.id, { verify: { preset: 'github', secret: 'a new one' } });
    assert.equal(await entries(), 1);
    assert.deepEqual([await status(hook.address, '{"n":2}'), await status(hook.address, '{"n":2}', 'a new one')], [401, 202]);
    await ai_tasks.update_hook(hook.taskId, hook.id, { verify: null });
    assert.equal((await call(hook.address, '{"n":3}')).status, 202);
    assert.deepEqual(await tablesNaming(app().store, ['a new one']), {});
  });

  test('where the key is another one, or the secret that of another hook, no call is accepted, and the log says why', async () => {
    const [hook, other] = [await make({ verify }), await make({ verify: { preset: 'github', secret: 'of the other' } })];
    const stranger = await startApp(app().engine, {
      databaseUrl: app().databaseUrl,
      env: { SECRETS_KEY: randomBytes(32).toString('hex') },
    });
    const raw = '{"n":1}';
    const answer = await stranger.request({ method: 'POST', path: hook.address, raw, headers: signed(raw), token: null });
    await stranger.close();
    assert.deepEqual(codeOf(answer), [409, 'secret_unreadable']);
    assert.ok(!answer.text.includes(SECRET));
    assert.equal((await rejections(hook)).length, 1);
    await moveSealedSigning(app().store, other.id, hook.id);
    assert.deepEqual(codeOf(await call(hook.address, raw, signed(raw, 'of the other'))), [409, 'secret_unreadable']);
    assert.deepEqual(await runsOf(hook), []);
    await app().client.ai_tasks.update_hook(hook.taskId, hook.id, { verify });
    assert.equal(await status(hook.address, raw), 202);
  });
});
