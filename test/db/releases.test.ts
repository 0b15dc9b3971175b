import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { checkStore } from '../../server/check-store.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { migrate, schemaGap } from '../../server/db/migrate.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import type { OutgoingRequest } from '../../server/providers/http/send.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { macOf } from '../helpers/hooks.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { storesFolder } from '../helpers/postgres.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { dumpSchema } from '../helpers/schema-dump.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { lostOf, readAll } from './releases/answers.ts';
import { NOTES } from './releases/automation.ts';
import { setClockBack } from './releases/clock.ts';
import { folderOf, type Left, leftOf, migrationDigests, type Release, releases, SECRETS_KEY } from './releases/releases.ts';
import { loadStore } from './releases/store-files.ts';

/** A shop of every released version starts under this one, on both engines. The stores are those that each release has left. */

after(stopPostgres);
let setRight: (() => void) | undefined;
afterEach(() => setRight?.());

/** The schema of a new store, which also brings what later migrations bring, so it changes with them. */
const BASELINE = '0001-baseline';
const LATER = '9999-of-a-later-version';

test('there is a store of a release, and no migration that a release had was changed or removed', async () => {
  assert.ok(releases().length > 0);
  const present = await migrationDigests();
  for (const { version, migrations } of releases()) {
    for (const [name, digest] of Object.entries(migrations)) {
      if (name === BASELINE) continue;
      assert.equal(
        present[name],
        digest,
        `stores of ${version} have the migration ${name} already: write a new one instead of changing it`,
      );
    }
  }
});

for (const engine of engines) {
  for (const release of releases()) {
    test(`a shop of ${release.version} has its data, goes on where it stopped, and has the schema of a new one [${engine}]`, async () => {
      const left = leftOf(release, engine);
      await withStoreOf(release, engine, left, async (app, sent) => {
        assert.deepEqual(lostOf(left.answers, await readAll(app, Object.keys(left.answers))), []);
        await checkSchema(app);
        await useGoods(app, left);
        await useAutomation(app, left, sent);
        assert.deepEqual(await faultsOf(app.store, dirname(app.filesDir)), []);
      });
    });
  }

  test(`a server refuses the store of a later version, and changes nothing of it [${engine}]`, async () => {
    const release = releases().at(-1) ?? assert.fail('there is no release');
    const database = await createDatabase(engine, { empty: true });
    await loadStore(engine, folderOf(release.version), database.url);
    const store = openStore({ url: database.url, poolSize: 2 });
    await store.write((db) => sql`INSERT INTO migrations (name) VALUES (${LATER})`.execute(db));
    const applied = async () => (await sql`SELECT name FROM migrations ORDER BY name`.execute(store.reader)).rows;
    const before = await applied();
    await assert.rejects(
      startApp(engine, { databaseUrl: database.url }),
      /^Error: a later version of Backroom has changed the schema of the store \(9999-of-a-later-version\): start that version or a later one, or restore the backup from before the upgrade$/,
    );
    await assert.rejects(migrate(store), /a later version/);
    assert.deepEqual(await applied(), before);
    await store.close();
    await database.drop();
  });
}

/** Starts the server of today on the store; `sent` has the requests of tasks to other systems. */
async function withStoreOf(
  release: Release,
  engine: Engine,
  { files }: Left,
  work: (app: TestApp, sent: OutgoingRequest[]) => Promise<void>,
): Promise<void> {
  const database = await createDatabase(engine, { empty: true });
  await loadStore(engine, folderOf(release.version), database.url);
  const dataDir = await mkdtemp(join(storesFolder(), 'backroom-files-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), Buffer.from(content, 'base64'));
  }
  const sent: OutgoingRequest[] = [];
  const send = async (request: OutgoingRequest) => {
    sent.push(request);
    return { status: 204, headers: {}, body: Buffer.alloc(0) };
  };
  setRight = setClockBack(new Date(release.made_at));
  const env = { DATA_DIR: dataDir, SECRETS_KEY, ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const app = await startApp(engine, { databaseUrl: database.url, env, outgoing: { send } });
  try {
    await work(app, sent);
  } finally {
    await app.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function checkSchema({ store, engine }: TestApp): Promise<void> {
  assert.deepEqual(await schemaGap(store), { missing: [], unknown: [] });
  const database = await createDatabase(engine, { empty: true });
  const fresh = openStore({ url: database.url, poolSize: 2 });
  await migrate(fresh);
  // Of an OR of ORs that was dumped and read again, PostgreSQL leaves out brackets.
  const [present, wanted] = (await Promise.all([dumpSchema(store), dumpSchema(fresh)])).map((text) => text.replaceAll(/[()]/g, ''));
  assert.equal(present, wanted);
  await fresh.close();
  await database.drop();
}

async function faultsOf(store: Store, dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, faults } of checkStore(store, { filesDir: join(dataDir, 'files'), filesS3: null }))
    found.push(...faults.map((fault) => `${name}: ${fault}`));
  return found;
}

/** Tokens sign in, links and files are answered, a webhook is signed as before, and an order goes on. */
async function useGoods(app: TestApp, { goods }: Left): Promise<void> {
  for (const token of [goods.token, goods.session]) assert.equal((await app.clientFor(token).me.get()).name, 'Hanna Helper');
  const download = await app.request({ path: goods.download, token: null });
  assert.deepEqual([download.status, download.text], [200, '%PDF-1.7']);
  assert.equal((await app.request({ path: goods.image, token: null })).status, 200);
  const receiver = await startReceiver();
  await app.client.webhooks.update(goods.webhook.id, { url: receiver.url });
  await app.client.orders.update_payment_status(goods.openOrder, { payment_status: 'paid' });
  await app.client.orders.update_status(goods.openOrder, { status: 'delivered' });
  await receiver.count(1);
  const [{ headers, body } = assert.fail('nothing came')] = receiver.received;
  const key = Buffer.from(goods.webhook.secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  await receiver.close();
}

/** The interrupted run is resumed, the question answered, the waiting plans applied, the hook called, the secret sent. */
async function useAutomation(app: TestApp, { goods, automation }: Left, sent: OutgoingRequest[]): Promise<void> {
  const { ai_tasks: tasks } = app.client;
  const { interrupted, planned, proposal, asking, hook, sender } = automation;
  const runner = openInProcessRunner(app);
  const notes = async () => (await app.client.customers.list_notes(goods.customer)).map(({ body }) => body).reverse();
  try {
    assert.deepEqual(await notes(), ['Likes it strong', ...NOTES.slice(0, 2)]);
    const { run_id: resumed } = await tasks.start_run(interrupted.task, { resume_run_id: interrupted.run });
    assert.equal((await runner.finish(interrupted.task, resumed)).status, 'success');

    const [question = assert.fail('no question waits')] = await tasks.list_prompts(asking.task, asking.run);
    await tasks.answer_prompt(asking.task, asking.run, question.id, { answers: { text: 'answered' } });
    assert.equal((await runner.finish(asking.task, asking.run)).status, 'success');

    await tasks.apply_run(planned.task, planned.run);
    const { source_sha256, permissions } = await tasks.get_version(proposal.task, proposal.version);
    const seen = { source_sha256, permissions: z.array(z.string()).parse(JSON.parse(permissions)) };
    await app.clientFor(goods.owner).proposals.apply(proposal.task, proposal.version, { ...seen, run_id: proposal.run });
    assert.deepEqual(await notes(), ['Likes it strong', ...NOTES, 'answered', 'planned', 'proposed']);

    const raw = '{"amount":1}';
    const call = (secret: string) =>
      app.request({
        method: 'POST',
        path: hook.address,
        raw,
        headers: { 'x-hub-signature-256': `sha256=${macOf(secret, raw)}` },
        token: null,
      });
    assert.deepEqual([(await call('another')).status, (await call(hook.secret)).status], [401, 202]);

    const { run_id } = await tasks.start_run(sender.task, {});
    const ended = await runner.finish(sender.task, run_id);
    assert.equal(ended.status, 'success', `${ended.error_message}`);
    assert.equal(sent[0]?.headers['authorization'], `Bearer ${sender.secret}`);
  } finally {
    await runner.close();
  }
}
