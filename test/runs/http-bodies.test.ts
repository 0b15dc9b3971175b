import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';

const MOST = 1024 * 1024;
const KEY = 'k"y'.repeat(100);

/** The body that a script sends is measured as it is sent, from `http.request` to the other system. */
onBothStores(
  'bodies of requests',
  (app) => {
    let there: OtherSystem;
    let runner: InProcessRunner;
    before(async () => {
      there = await openOtherSystem();
      runner = openInProcessRunner(app());
      await app().client.task_secrets.create({ name: 'key', value: KEY, hosts: [`127.0.0.1:${there.port}`] });
    });
    after(async () => {
      await runner.close();
      await there.close();
    });
    beforeEach(() => {
      there.got.length = 0;
    });
    const make = (source_code: string): Promise<number> =>
      makeTask(app(), {
        source_code: source_code.replaceAll('$URL', `${there.origin}/v1`),
        permissions: ['http_request'],
        http_allow: [`POST ${there.origin}/v1/*`],
        secrets: ['key'],
      });
    async function run(source: string, body = {}): Promise<unknown> {
      const taskId = await make(source);
      const { run_id } = await app().client.ai_tasks.start_run(taskId, body);
      const done = await runner.finish(taskId, run_id);
      assert.equal(done.error_message, null);
      return done.result;
    }
    /** Sends each body, and reports how it was answered. */
    const sending = (bodies: string, type = 'text/plain'): string => `export default async () => {
      const MOST = ${MOST};
      const said = [];
      for (const body of [${bodies}]) {
        const headers = { 'content-type': '${type}' };
        const sent = http.request({ method: 'POST', url: '$URL/x', headers, body, sample: {} });
        said.push(await sent.then(({ status }) => status, (error: any) => error.message));
      }
      return said;
    };`;
    const bodies = (more: number): string => `
      'x'.repeat(MOST + ${more}),
      '"'.repeat(MOST + ${more}),
      '\\n'.repeat(MOST + ${more}),
      '\\u0001'.repeat(MOST + ${more}),
      'é'.repeat(MOST / 2) + 'x'.repeat(${more}),
      new Uint8Array(MOST + ${more}).fill(7),
      { csv: '"'.repeat((MOST - 10) / 2) + 'x'.repeat(${more}) }`;

    test('exactly 1 MiB is sent, whatever JSON makes of it: text, bytes, a value as JSON', async () => {
      assert.deepEqual(await run(sending(bodies(0))), Array(7).fill(200));
      assert.deepEqual(
        there.got.map(({ body }) => Buffer.byteLength(body)),
        Array(7).fill(MOST),
      );
      assert.deepEqual(
        [1, 3].map((index) => new Set(there.got[index]?.body)),
        [new Set('"'), new Set('\u0001')],
      );
    });

    test('one byte more is refused before anything is sent, also in a dry run', async () => {
      const said = 'the body of a request may have at most 1048576 bytes';
      for (const body of [{}, { dry_run: true }]) assert.deepEqual(await run(sending(bodies(1)), body), Array(7).fill(said));
      assert.equal(there.got.length, 0);
    });

    test('the values of secrets count as they are sent, not their placeholders', async () => {
      const withKey = (more: number): string => `'"'.repeat(MOST - ${KEY.length} + ${more}) + secret('key')`;
      assert.deepEqual(await run(sending(withKey(0))), [200]);
      assert.equal(there.got[0]?.body.length, MOST);
      const [said] = [await run(sending(withKey(1)))].flat();
      assert.match(
        String(said),
        /413 body_too_large: The body of the request has 1048577 bytes, with its secrets; it may have at most 1048576/,
      );
      assert.equal(there.got.length, 1);
    });

    test('a secret beside the base64 of a large file is sent', async () => {
      const file = `'QUJD'.repeat(200_000)`;
      const json = `{ file: ${file}, key: secret('key'), auth: 'Basic ' + btoa('me:' + secret('key')) }`;
      const text = `btoa(secret('key')) + '|' + ${file} + '|' + secret('key')`;
      assert.deepEqual(await run(sending(json, 'application/json')), [200]);
      assert.deepEqual(await run(sending(text)), [200]);
      const auth = `Basic ${Buffer.from(`me:${KEY}`).toString('base64')}`;
      assert.deepEqual(JSON.parse(there.got[0]?.body ?? ''), { file: 'QUJD'.repeat(200_000), key: KEY, auth });
      assert.equal(there.got[1]?.body, `${Buffer.from(KEY).toString('base64')}|${'QUJD'.repeat(200_000)}|${KEY}`);
    });

    test('what a request has besides its body is bounded as before, and so is the call', async () => {
      const big = `admin_api.post('/http/send', { method: 'POST', url: '$URL/x', sample: { body: 'x'.repeat(MOST) } })`;
      const said = await run(`export default async () => { const MOST = ${MOST}; return ${big}.catch((error: any) => error.message); };`);
      assert.equal(said, 'what a request has besides its body may have at most 1048576 bytes as JSON');
      const { call } = await claimedRun(app(), {}, await make('log(1)'));
      const send = (body: object) => call('POST', '/http/send', { method: 'POST', url: `${there.origin}/v1/x`, ...body });
      assert.equal((await send({ body: '"'.repeat(MOST) })).status, 200);
      assert.deepEqual(codeOf(await send({ body: 'x'.repeat(MOST + 1) })), [413, 'body_too_large']);
      const { status, body } = await send({ body: '\u0001'.repeat(MOST) });
      assert.deepEqual([status, field(body, 'limit_bytes')], [413, 3.5 * MOST]);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } },
);
