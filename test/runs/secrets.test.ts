import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import type { Run } from '../../contract/runs.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { makeTask } from '../helpers/runs.ts';

const VALUE = 'k3y/of"the+mailer';
const MARK = /\d{20}/;

/** What scripts do with secrets, from `secret()` to the request that the other system gets. */
onBothStores(
  'secrets in runs',
  (app) => {
    let there: OtherSystem;
    let runner: InProcessRunner;
    before(async () => {
      there = await openOtherSystem();
      runner = openInProcessRunner(app());
      for (const [name, value] of [
        ['mailer_key', VALUE],
        ['nested', 'a {{secret:mailer_key}} b'],
      ] as const)
        await app().client.task_secrets.create({ name, value, hosts: [`127.0.0.1:${there.port}`] });
    });
    after(async () => {
      await runner.close();
      await there.close();
    });
    beforeEach(() => {
      there.got.length = 0;
      there.decide(() => ({}));
    });

    const makeScript = (source_code: string, values: object = {}) =>
      makeTask(app(), {
        source_code: source_code.replaceAll('$URL', `${there.origin}/v1`),
        permissions: ['http_request', 'admin_api.customers.write', 'admin_api.notifications.write', 'file_download'],
        http_allow: [`GET,POST ${there.origin}/v1/*`],
        secrets: ['mailer_key', 'nested'],
        ...values,
      });
    async function runOf(
      taskId: number,
      body: { parameters?: Record<string, Json>; dry_run?: boolean; resume_run_id?: number } = {},
    ): Promise<Run> {
      const { run_id } = await app().client.ai_tasks.start_run(taskId, body);
      return runner.finish(taskId, run_id);
    }
    async function run(source: string, body = {}): Promise<Run> {
      return runOf(await makeScript(source), body);
    }
    const lastBody = () => there.got.at(-1)?.body;

    test('what only looks like a placeholder stays text, wherever it stands; a real one beside it is filled', async () => {
      const name = 'Eve {{secret:mailer_key}}';
      const { id } = await app().client.customers.create({ name, email: '{{secret:x}}@example.test' });
      const done = await run(`export default async () => {
        const { name, email } = await admin.customers.get(${id});
        const answer = await http.request({
          method: 'POST',
          url: '$URL/x/' + encodeURIComponent(name) + '?email=' + email,
          headers: { 'x-name': name, authorization: 'Bearer ' + secret('mailer_key') },
          body: { name, email, key: secret('mailer_key') },
        });
        const bytes = new TextEncoder().encode(name);
        await http.request({ method: 'POST', url: '$URL/bytes', body: bytes });
        await http.request({ method: 'POST', url: '$URL/text', body: name });
        return [answer.status, answer.url];
      };`);
      assert.deepEqual(
        [done.error_message, done.result],
        [null, [200, `${there.origin}/v1/x/Eve%20%7B%7Bsecret%3Amailer_key%7D%7D?email={{secret:x}}@example.test`]],
      );
      const [first, bytes, text] = there.got;
      assert.equal(decodeURIComponent(first?.target ?? ''), `/v1/x/${name}?email={{secret:x}}@example.test`);
      assert.deepEqual([first?.headers['x-name'], first?.headers.authorization], [name, `Bearer ${VALUE}`]);
      assert.deepEqual(JSON.parse(first?.body ?? ''), { name, email: '{{secret:x}}@example.test', key: VALUE });
      assert.deepEqual([bytes?.body, text?.body], [name, name]);
    });

    test('a placeholder stands for its secret in every form in which texts are built', async () => {
      const done = await run(`export default async () => {
        const key = secret('mailer_key');
        const post = (path: string, body: any, headers: any = {}) => http.request({ method: 'POST', url: '$URL/' + path, body, headers });
        await post('form', new URLSearchParams({ a: '1', key }).toString(), { 'content-type': 'application/x-www-form-urlencoded' });
        await post('form', 'a=1&key=' + key, { 'content-type': 'application/x-www-form-urlencoded' });
        await post('basic', '', { authorization: 'Basic ' + btoa('me:' + key) });
        await post('basic', '', { authorization: 'Basic ' + new TextEncoder().encode('müller:' + key + '!').toBase64() });
        await post('bytes', new Uint8Array([0xc3, 0xbc, ...new TextEncoder().encode(key), 0x21]));
        await post('list', [key, key + key, { [key]: null }]);
        await http.request({ url: '$URL/get/' + encodeURIComponent(key) + '/' + key + '?a=' + encodeURIComponent(key) + '&b=' + key });
        await admin_api.post('/http/send', { method: 'POST', url: '$URL/direct', headers: {}, body: key });
      };`);
      assert.equal(done.error_message, null);
      const encoded = encodeURIComponent(VALUE);
      const inPath = encoded.replaceAll('%2F', '/');
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      assert.deepEqual(
        there.got.map(({ target, body, headers }) => [target, headers.authorization ?? body]),
        [
          ['/v1/form', new URLSearchParams({ a: '1', key: VALUE }).toString()],
          ['/v1/form', `a=1&key=${encoded}`],
          ['/v1/basic', `Basic ${base64(`me:${VALUE}`)}`],
          ['/v1/basic', `Basic ${base64(`müller:${VALUE}!`)}`],
          ['/v1/bytes', `ü${VALUE}!`],
          ['/v1/list', JSON.stringify([VALUE, VALUE + VALUE, { [VALUE]: null }])],
          [`/v1/get/${inPath}/${inPath}?a=${encoded}&b=${encoded}`, ''],
          ['/v1/direct', VALUE],
        ],
      );
      await run(`export default () => http.request({ url: new URL('$URL/' + secret('mailer_key') + '?k=' + secret('mailer_key')).href });`);
      assert.equal(there.got.at(-1)?.target, `/v1/${inPath}?k=${encoded}`);
    });

    test('a placeholder that was cut or encoded otherwise is refused, and nothing of it is sent', async () => {
      const done = await run(`export default async () => {
        const key = secret('mailer_key');
        const said = [];
        for (const body of [key.slice(2), key.toUpperCase(), encodeURIComponent(encodeURIComponent(key)), 'x' + btoa(key)])
          said.push(await http.request({ method: 'POST', url: '$URL/x', body }).catch((error: any) => error.name));
        said.push(await http.request({ url: 'http://' + key + '/v1/' }).catch((error: any) => error.code));
        return said;
      };`);
      assert.deepEqual(done.result, [...Array.from({ length: 4 }, () => 'TypeError'), 'http_not_allowed'], done.error_message ?? '');
      assert.equal(there.got.length, 0);
    });

    test('nothing of the drawn part leaves a run but in its checkpoints: log, result, errors, notes, files, notifications', async () => {
      const { id } = await app().client.customers.create({ name: 'Ann', email: 'ann@example.test' });
      const source = `export default async () => {
        const key = secret('mailer_key');
        log(key, { key }, 'x'.repeat(16 * 1024 - 40) + key);
        console.log(key);
        progress(1, 2, 'y'.repeat(970) + key);
        describe('y'.repeat(150) + key);
        details(key + 'y'.repeat(65_000) + key);
        result('done', key, { key });
        await admin.customers.update(${id}, { name: 'Ann ' + encodeURIComponent(key) + key });
        await notify({ title: key, body: key });
        await files.write('a.txt', key + 'text');
        await state.set('kept', { key });
        await checkpoint({ key });
        if (parameters.fail === 'late') { void Promise.reject(new Error('z' + key)); await sleep(50); }
        if (parameters.fail === 'now') throw new Error(key);
        return { key };
      };`;
      const taskId = await makeScript(source);
      for (const parameters of [{}, { fail: 'now' }, { fail: 'late' }]) {
        const done = await runOf(taskId, { parameters });
        const { log } = await app().client.ai_tasks.get_run(taskId, done.id);
        const artifacts = await app().client.ai_tasks.list_artifacts(taskId, done.id);
        const contents = await Promise.all(
          artifacts.map(
            async (one) =>
              (await app().request({ path: `/admin/api/ai-tasks/${taskId}/runs/${done.id}/artifacts/${one.id}/content` })).text,
          ),
        );
        const shown = JSON.stringify([
          done,
          log,
          contents,
          await app().client.customers.get(id),
          await app().client.notifications.list(),
          await app().client.ai_tasks.list_effects(taskId, done.id),
          await app().client.ai_tasks.list_state(taskId),
        ]);
        assert.equal(contents.length, 1);
        assert.doesNotMatch(shown, /secret:mailer_key:/);
        assert.doesNotMatch(shown, MARK);
        assert.equal(done.last_checkpoint, '{"key":"{{secret:mailer_key}}"}');
        if ('fail' in parameters) assert.match(done.error_message ?? '', /\{\{secret:mailer_key\}\}/);
        else assert.deepEqual(done.result, { key: '{{secret:mailer_key}}' });
      }
    });

    test('a checkpoint and once keep a placeholder for the runs that resume; the task’s state keeps text', async () => {
      const source = `export default async () => {
        const send = (body: string) => http.request({ method: 'POST', url: '$URL/x', body });
        const kept = await once('key', () => secret('mailer_key'));
        await send('once ' + kept);
        await send('state ' + (await state.get('key')));
        if (last_checkpoint) return send('checkpoint ' + last_checkpoint.key).then(() => 'resumed');
        await state.set('key', secret('mailer_key'));
        await checkpoint({ key: kept });
        await send('first ' + kept);
        throw new RetryAfter(1000, 'again');
      };`;
      const taskId = await makeScript(source);
      await app().client.ai_tasks.update(taskId, { settings: { on_interrupt: 'resume' } });
      const { run_id } = await app().client.ai_tasks.start_run(taskId);
      let isKilled = false;
      const done = await runner.finish(taskId, run_id, (message) => {
        if (isKilled || message.type !== 'call' || !message.payload.includes('"first ')) return false;
        isKilled = true;
        return true;
      });
      assert.deepEqual([done.result, done.error_message], ['resumed', null]);
      const bodies = there.got.map(({ body }) => body);
      assert.deepEqual(bodies, [`once ${VALUE}`, 'state null', `once ${VALUE}`, 'state {{secret:mailer_key}}', `checkpoint ${VALUE}`]);
    });

    test('the request of a resumed attempt is the same, and so is that of a replay and of a dry run', async () => {
      const source = `export default async () => {
        const body = { key: secret('mailer_key') };
        const answer = await http.request({ method: 'POST', url: '$URL/x?k=' + secret('mailer_key'), body, sample: { body: 'sample' } });
        await admin.customers.list();
        return answer.body;
      };`;
      there.decide(() => ({ body: String(there.got.length) }));
      const taskId = await makeScript(source);
      await app().client.ai_tasks.update(taskId, { settings: { on_interrupt: 'resume' } });
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true });
      let kills = 0;
      const done = await runner.finish(taskId, run_id, (message) => {
        if (message.type !== 'call' || !message.payload.includes('/customers') || kills > 0) return false;
        kills += 1;
        return true;
      });
      assert.deepEqual([done.result, there.got.length, kills], ['1', 1, 1], done.error_message ?? '');
      const replay = await app().client.replays.start(taskId, run_id, {});
      const replayed = await runner.finish(taskId, replay.run_id);
      assert.deepEqual([replayed.status, replayed.result, there.got.length], ['success', '1', 1], replayed.error_message ?? '');
      const dry = await runOf(taskId, { dry_run: true });
      assert.deepEqual([dry.result, there.got.length], ['sample', 1]);
    });

    test('a placeholder of another run, and one that another system sends back, stay text; a value is never filled again', async () => {
      there.decide(({ body }) => ({ body }));
      const done = await run(
        `export default async () => {
        const send = async (body: any) => (await http.request({ method: 'POST', url: '$URL/x', body })).body;
        const echoed = await send('{{secret:mailer_key}} {{secret:mailer_key:' + '1'.repeat(39) + '}}');
        await send('echo ' + echoed + ' of ' + parameters.given);
        return send(secret('nested'));
      };`,
        { parameters: { given: '{{secret:mailer_key}}' } },
      );
      assert.equal(done.error_message, null);
      assert.equal(there.got[1]?.body, `echo {{secret:mailer_key}} {{secret:mailer_key:${'1'.repeat(39)}}} of {{secret:mailer_key}}`);
      assert.equal(lastBody(), 'a {{secret:mailer_key}} b');
      assert.equal(done.result, '[secret:nested]');
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' } },
);
