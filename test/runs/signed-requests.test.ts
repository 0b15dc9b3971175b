import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { Run } from '../../contract/runs.ts';
import { loadExample } from '../../ops/example-tasks.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { makeTask } from '../helpers/runs.ts';
import { type S3, startS3 } from '../helpers/s3.ts';

const KEY = 'h00k-key-of-the-shop';

/** Scripts whose requests the server signs, from `http.request` to what the other system gets. */
onBothStores(
  'signed requests of runs',
  (app) => {
    let there: OtherSystem;
    let s3: S3;
    let runner: InProcessRunner;
    before(async () => {
      [there, s3] = await Promise.all([openOtherSystem(), startS3()]);
      runner = openInProcessRunner(app());
      const { port } = new URL(s3.settings.endpoint ?? '');
      for (const [name, value, at] of [
        ['hook_key', KEY, there.port],
        ['exports_key_id', s3.settings.accessKeyId, port],
        ['exports_secret_key', s3.settings.secretAccessKey, port],
      ] as const)
        await app().client.task_secrets.create({ name, value, hosts: [`127.0.0.1:${at}`] });
    });
    after(async () => {
      await runner.close();
      await Promise.all([there.close(), s3.close()]);
    });
    beforeEach(() => {
      there.got.length = 0;
      there.decide(({ headers }) => ({ body: `${String(headers['x-signature'])} ${String(headers.authorization)}` }));
    });

    async function runOf(taskId: number, body: { dry_run?: boolean; record?: boolean } = {}): Promise<Run> {
      const { run_id } = await app().client.ai_tasks.start_run(taskId, body);
      return runner.finish(taskId, run_id);
    }
    const makeScript = (source: string, secrets = ['hook_key']) =>
      makeTask(app(), {
        source_code: `const url = '${there.origin}/v1/x'; const sample = {};\n${source}`,
        permissions: ['http_request'],
        http_allow: [`GET,POST ${there.origin}/v1/*`],
        secrets,
      });
    const hmac = (text: string): string => createHmac('sha256', KEY).update(text).digest('hex');

    test('SF21: export-orders puts its CSV into S3-compatible storage by itself, signed as the SDK of AWS signs it', async () => {
      const { endpoint, bucket, region, ...credentials } = s3.settings;
      const order = await makeOrder(app());
      const { source_code, permissions, secrets } = await loadExample('export-orders');
      const at = `${endpoint}/${bucket}`;
      const taskId = await makeTask(app(), {
        source_code: source_code.replace('https://exports.s3.example.com', at),
        permissions,
        secrets,
        http_allow: [`PUT ${at}/orders/*`],
      });
      const dry = await runOf(taskId, { dry_run: true });
      assert.equal(dry.error_message, null);
      const [planned] = await app().client.ai_tasks.list_effects(taskId, dry.id);
      assert.deepEqual(planned?.changes['signed'], [null, 'aws-sigv4 with {{secret:exports_key_id}}, {{secret:exports_secret_key}}']);
      assert.deepEqual([s3.requests.length, JSON.stringify(dry).includes('AWS4')], [0, false]);

      const done = await runOf(taskId);
      assert.deepEqual([done.error_message, JSON.stringify(done.result)], [null, '{"orders":1,"files":1}']);
      const client = new S3Client({ region, endpoint: String(endpoint), forcePathStyle: true, credentials });
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'orders/' }));
      assert.equal(Contents.length, 1);
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: Contents[0]?.Key }));
      const [, line = ''] = ((await Body?.transformToString()) ?? '').split('\n');
      assert.ok(line.startsWith(`"${order.id}","${order.public_id}"`), line);

      const [put] = s3.requests;
      const [, names = ''] = /SignedHeaders=([^,]+)/.exec(String(put?.headers.authorization)) ?? [];
      const headers = Object.fromEntries(names.split(';').map((name) => [name, String(put?.headers[name])]));
      const { hostname } = new URL(at);
      const time = String(put?.headers['x-amz-date']).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z');
      const signer = await client.config.signer({ name: 'sigv4', signingName: 's3', signingRegion: region, properties: {} });
      const request = { method: 'PUT', protocol: 'http:', hostname, path: String(put?.url), query: {}, headers };
      const theirs = await signer.sign(request, { signingDate: new Date(time) });
      assert.equal(put?.headers.authorization, theirs.headers['authorization']);
    });

    test('SF21: the script names secrets and sees no signature, in its own run, its replay, its log and its journal', async () => {
      const taskId = await makeScript(`export default async () => {
        const answer = await http.request({ method: 'POST', url, body: { order: 7 }, sign: { scheme: 'hmac-sha256', secret: 'hook_key' }, sample });
        log(answer);
        return answer.body;
      };`);
      const done = await runOf(taskId, { record: true });
      assert.deepEqual([done.error_message, done.result], [null, '[secret:hook_key] undefined']);
      assert.equal(there.got[0]?.headers['x-signature'], hmac('{"order":7}'));
      const calls = await app().client.ai_tasks.list_calls(taskId, done.id);
      assert.ok(!JSON.stringify([done, calls]).includes(hmac('{"order":7}')));
      const { run_id } = await app().client.replays.start(taskId, done.id);
      assert.equal((await runner.finish(taskId, run_id)).result, done.result);
      assert.equal((await app().client.replays.get(taskId, run_id)).identical, true);
      assert.equal(there.got.length, 1);
    });

    test('SF21: what is signed is what is sent, whatever the script does with getters, later changes and computed schemes', async () => {
      const taskId = await makeScript(`export default async () => {
        let reads = 0;
        const body = { get n() { reads += 1; return reads; } };
        const sign = { get scheme() { return ['hmac', 'sha256'].join('-'); }, get secret() { return 'hook_' + 'key'; } };
        const asked: any = { method: 'POST', url, sign, sample };
        await http.request({ ...asked, body });
        const kept = { text: 'first' };
        const sending = http.request({ ...asked, body: kept });
        kept.text = 'second';
        sign.header = 'x-other';
        await sending;
        const said = [];
        let turns = 0;
        const turning = { ...asked, sign: { scheme: 'hmac-sha256', get secret() { turns += 1; return turns > 1 ? 'hook_key' : 'other' } } };
        for (const wrong of [
          { ...asked, sign: { scheme: 'hmac-sha256', secret: secret('hook_key') } },
          { ...asked, sign: { scheme: 'basic', user: 'x' + secret('hook_key'), password: 'hook_key' } },
          { ...asked, sign: { scheme: 'jwt-hs256', secret: 'hook_key', claims: { iss: encodeURIComponent(secret('hook_key')) } } },
          { ...asked, sign: new Proxy({}, { ownKeys() { throw new Error('mine') } }) },
          { ...asked, sign: { scheme: 'none' } },
          turning,
        ])
          said.push(await http.request(wrong).then(() => 'sent', (error: any) => error.code ?? error.message));
        return said;
      };`);
      const done = await runOf(taskId);
      assert.equal(done.error_message, null);
      const names = 'sign takes the name of a secret, such as "signing_key", and no secret()';
      assert.deepEqual(done.result, [names, names, names, 'mine', 'invalid_enum', 'secret_not_declared']);
      assert.deepEqual(
        there.got.map(({ body }) => body),
        ['{"n":1}', '{"text":"first"}'],
      );
      for (const { body, headers } of there.got) assert.equal(headers['x-signature'], hmac(body));
    });

    test('SF21: a version that does not declare the secret signs nothing with it, and reviews show the secret as a permission', async () => {
      const taskId = await makeScript(
        `export default () => http.request({ url, sign: { scheme: 'jwt-hs256', secret: 'hook_key' }, sample })`,
        [],
      );
      for (const body of [{}, { dry_run: true }])
        assert.match((await runOf(taskId, body)).error_message ?? '', /secret_not_declared|does not declare the secret "hook_key"/);
      assert.equal(there.got.length, 0);
      const { permissions_diff } = await app().client.ai_tasks.create_version(taskId, {
        source_code: 'export default () => 1',
        permissions: ['http_request'],
        http_allow: [`GET,POST ${there.origin}/v1/*`],
        secrets: ['hook_key'],
        parameters: [],
      });
      assert.deepEqual(permissions_diff.added, ['secret:hook_key']);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' } },
);
