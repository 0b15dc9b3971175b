import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import type { Run } from '../../contract/runs.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { person } from '../helpers/people.ts';
import { makeTask } from '../helpers/runs.ts';

const VALUE = 'v4lue-of-the-hook';

/** Where a run sends requests is shown: host and path, with the names of secrets; bodies in plans alone. */
onBothStores(
  'shown requests',
  (app) => {
    let there: OtherSystem;
    let runner: InProcessRunner;
    before(async () => {
      there = await openOtherSystem();
      there.decide(({ method }) => ({ status: method === 'GET' ? 203 : 202 }));
      runner = openInProcessRunner(app());
      await app().client.task_secrets.create({ name: 'hook', value: VALUE, hosts: [`127.0.0.1:${there.port}`] });
    });
    after(async () => {
      await runner.close();
      await there.close();
    });

    async function run(source: string, body: { dry_run?: boolean; record?: boolean } = {}): Promise<Run> {
      const taskId = await makeTask(app(), {
        source_code: source.replaceAll('$URL', `${there.origin}/v1`),
        permissions: ['http_request'],
        http_allow: [`GET,POST ${there.origin}/v1/*`],
        secrets: ['hook'],
      });
      const { run_id } = await app().client.ai_tasks.start_run(taskId, body);
      const done = await runner.finish(taskId, run_id);
      assert.equal(done.error_message, null);
      return done;
    }
    const SOURCE = `export default async () => {
      const key = secret('hook');
      const sample = { status: 201 };
      await http.request({ url: '$URL/read/' + key + '?token=plain', headers: { 'x-key': key }, sample });
      await http.request({ method: 'POST', url: '$URL/hooks/' + encodeURIComponent(key), body: { order: 7, key }, sample });
      await http.request({ method: 'POST', url: '$URL/bytes', body: new TextEncoder().encode('a ' + key + ' b'), sample });
      await http.request({ method: 'POST', url: '$URL/bytes', body: new Uint8Array([255, 0]), sample });
      await http.request({ method: 'POST', url: '$URL/basic', headers: { authorization: 'Basic ' + btoa('me:' + key) }, body: btoa('me:' + key), sample });
      await http.request({ method: 'POST', url: '$URL/long', body: 'x'.repeat(30_000), sample });
      await http.request({ url: 'https://elsewhere.example.com/x?y', sample }).catch(() => 0);
      await http.request({ url: 'https://me:password@127.0.0.1/x', sample }).catch(() => 0);
      await admin_api.get('/nothing').catch(() => 0);
    };`;
    const asked = (status: number, read: number) => [
      { method: 'GET', url: `${there.origin}/v1/read/{{secret:hook}}`, status: read },
      { method: 'POST', url: `${there.origin}/v1/hooks/{{secret:hook}}`, status },
      ...['bytes', 'bytes', 'basic', 'long'].map((path) => ({ method: 'POST', url: `${there.origin}/v1/${path}`, status })),
      { method: 'GET', url: 'https://elsewhere.example.com/x', status: null },
      null,
      null,
    ];

    test('calls, timeline and log name method, host, path and the status of the answer; a replay is the same', async () => {
      const done = await run(SOURCE, { record: true });
      const { task_id: taskId, id } = done;
      const calls = await app().client.ai_tasks.list_calls(taskId, id);
      assert.deepEqual(
        calls.map(({ request }) => request),
        asked(202, 203),
      );
      const { data } = await app().client.ai_tasks.get_timeline(taskId, id);
      assert.deepEqual(
        data.flatMap((moment) => (moment.kind === 'call' ? [moment.request] : [])),
        asked(202, 203),
      );
      const { lines } = await app().client.ai_tasks.list_run_lines(taskId, id);
      const logged = lines.flatMap(({ event }) => (event.kind === 'admin_api' ? [event.request ?? null] : []));
      assert.deepEqual(logged, asked(202, 203));
      for (const shown of [done.log, calls, data, lines])
        assert.doesNotMatch(JSON.stringify(shown), new RegExp(`${VALUE}|token|password|order`));
      const { run_id } = await app().client.replays.start(taskId, id);
      await runner.finish(taskId, run_id);
      assert.equal((await app().client.replays.get(taskId, run_id)).identical, true);
      const replayed = await app().client.ai_tasks.list_calls(taskId, run_id);
      assert.deepEqual(
        replayed.map(({ request }) => request),
        asked(202, 203),
      );
    });

    test('a plan shows each request that it would send, with its body; a read is among the calls', async () => {
      there.got.length = 0;
      const { task_id: taskId, id } = await run(SOURCE, { dry_run: true });
      const effects = await app().client.ai_tasks.list_effects(taskId, id);
      const made = effects.map(({ resource, changes }): unknown => {
        const values = Object.entries(changes).map(([name, [before, value]]): [string, Json] => [
          name,
          before === null ? value : 'changed',
        ]);
        return { ...Object.fromEntries(values), type: resource.type };
      });
      const planned = (path: string, content: object) => ({ request: `POST ${there.origin}/v1/${path}`, ...content, type: 'http_request' });
      assert.deepEqual(made, [
        planned('hooks/{{secret:hook}}', { body: '{"order":7,"key":"{{secret:hook}}"}' }),
        planned('bytes', { body: 'a {{secret:hook}} b' }),
        planned('bytes', { body_base64: '/wA=' }),
        planned('basic', { body: 'base64(me:{{secret:hook}})' }),
        planned('long', { body: `${'x'.repeat(20_000)}…` }),
      ]);
      const calls = await app().client.ai_tasks.list_calls(taskId, id);
      assert.deepEqual(
        calls.map(({ request }) => request),
        asked(201, 201),
      );
      assert.equal(there.got.length, 0);
    });

    test('whoever may not see what a run could read sees neither its plan nor where its requests went', async () => {
      const taskId = await makeTask(app(), {
        source_code: `await admin.customers.list(); await http.request({ method: 'POST', url: '${there.origin}/v1/x', body: 'b', sample: {} });`,
        permissions: ['http_request', 'admin_api.customers.read'],
        http_allow: [`POST ${there.origin}/v1/*`],
      });
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { dry_run: true });
      await runner.finish(taskId, run_id);
      const client = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
      const run = await client.ai_tasks.get_run(taskId, run_id);
      assert.deepEqual([run.log, run.withheld.length > 0], ['', true]);
      for (const read of ['list_effects', 'list_calls', 'get_timeline', 'list_run_lines'] as const)
        await assert.rejects(client.ai_tasks[read](taskId, run_id), /customers/, read);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } },
);
