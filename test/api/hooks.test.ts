import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_HOOKS_OF_TASK } from '../../contract/hooks.ts';
import { OWNER_TOKEN, onBothStores, STOPPED } from '../helpers/app.ts';
import { hooks, macOf } from '../helpers/hooks.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimRun, codeOf, emptyQueue, field, makeTask } from '../helpers/runs.ts';
import { letCallsBeOld } from '../helpers/stored-rows/automation.ts';

const PAYLOAD = [{ name: 'payload', kind: 'json' }];

onBothStores(
  'hooks',
  (app) => {
    const { make, call, runsOf, runOf } = hooks(app);

    test('HK1: a hook is created, read, changed, given a new address and deleted; its address is shown once', async () => {
      const { client } = app();
      const taskId = await makeTask(app(), { parameters: PAYLOAD });
      const { url_path: address, ...made } = await client.ai_tasks.create_hook(taskId, { name: 'Orders', parameter: 'payload' });
      assert.match(address ?? '', /^\/hooks\/\d+\/[A-Za-z0-9]{43}$/);
      assert.deepEqual(
        [made.enabled, made.parameters, made.verify, made.idempotency_header, made.wait, made.rate_per_minute, made.last_error],
        [true, {}, null, null, false, 60, null],
      );
      assert.deepEqual(await client.ai_tasks.get_hook(taskId, made.id), made);
      const changed = await client.ai_tasks.update_hook(taskId, made.id, { name: 'Sold', idempotency_header: 'X-Id', parameter: null });
      assert.deepEqual(changed, { ...made, name: 'Sold', idempotency_header: 'X-Id', parameter: null, updated_at: changed.updated_at });
      assert.deepEqual(await client.ai_tasks.list_hooks(taskId), [changed]);
      await refused(client.ai_tasks.get_hook(await makeTask(app()), made.id), 404, 'not_found');
      const rotated = await client.ai_tasks.rotate_hook(taskId, made.id);
      assert.equal((await call(address ?? '')).status, 404, 'the old address has stopped');
      assert.equal((await call(rotated.url_path ?? '')).status, 202);
      await client.ai_tasks.delete_hook(taskId, made.id);
      assert.equal((await call(rotated.url_path ?? '')).status, 404);
      await refused(client.ai_tasks.get_hook(taskId, made.id), 404, 'not_found');
      const audit = await client.audit_log.list({ resource_type: 'hook', resource_id: made.id });
      assert.deepEqual(audit.data.map(({ action }) => action).sort(), [
        'ai_tasks.create_hook',
        'ai_tasks.delete_hook',
        'ai_tasks.rotate_hook',
        'ai_tasks.update_hook',
      ]);
      const secret = address?.split('/').at(-1) ?? '';
      assert.ok(!JSON.stringify(audit).includes(secret));
    });

    test('giving a hook a new address is a save: it needs the same permissions, and the hook then acts for that admin', async () => {
      const { client, clientFor } = app();
      const taskId = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
      const hook = await make({ wait: true, parameter: null }, taskId);
      const narrow = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
      const wide = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.customers.read'] });
      const refusal = await refused(clientFor(narrow.token).ai_tasks.rotate_hook(taskId, hook.id), 403, 'forbidden');
      assert.match(refusal.message, /admin_api\.customers\.read/);
      assert.equal((await call(hook.address, '', { prefer: 'wait=0' })).status, 202, 'the address has stayed');
      const before = await client.ai_tasks.get_hook(taskId, hook.id);
      const { url_path, ...rotated } = await clientFor(wide.token).ai_tasks.rotate_hook(taskId, hook.id);
      assert.deepEqual(rotated, { ...before, acts_for: wide.adminId, updated_at: rotated.updated_at });
      const opened = await client.ai_tasks.get_run(taskId, runOf(await call(url_path ?? '', '', { prefer: 'wait=0' })));
      assert.equal(opened.started_by, `hook:${hook.id}`);
      const [entry] = (await client.audit_log.list({ resource_type: 'hook', resource_id: hook.id })).data;
      assert.deepEqual(entry?.changes, { address: ['(old)', '(new)'], acts_for: [before.acts_for, wide.adminId] });
      // Switched off, it tells nothing; whoever switches it on again needs the permissions.
      await clientFor(narrow.token).ai_tasks.update_hook(taskId, hook.id, { enabled: false });
      const off = await clientFor(narrow.token).ai_tasks.rotate_hook(taskId, hook.id);
      assert.equal(off.acts_for, narrow.adminId);
      await refused(clientFor(narrow.token).ai_tasks.update_hook(taskId, hook.id, { enabled: true }), 403, 'forbidden');
    });

    test('a repeated creation does not show the address again', async () => {
      const taskId = await makeTask(app());
      const create = () =>
        app().request({
          method: 'POST',
          path: `/admin/api/ai-tasks/${taskId}/hooks`,
          body: { name: 'Once' },
          headers: { 'idempotency-key': `"hook-${taskId}"` },
        });
      const [first, second] = [await create(), await create()];
      assert.match(String(field(first.body, 'url_path')), /^\/hooks\//);
      assert.deepEqual([second.status, field(second.body, 'url_path'), field(second.body, 'id')], [201, null, field(first.body, 'id')]);
    });

    test('what a hook is made with is checked, and each error names what is accepted', async () => {
      const { client, clientFor } = app();
      const taskId = await makeTask(app(), {
        parameters: [...PAYLOAD, { name: 'days', kind: 'number', required: true }],
      });
      const create = (body: object) => client.ai_tasks.create_hook(taskId, { name: 'Hook', parameters: { days: 1 }, ...body });
      const wrong: [body: object, status: number, code: string, pointer: string, detail: RegExp][] = [
        [{ parameter: 'data' }, 422, 'invalid_value', '/parameter', /declares no parameter "data"; of the kind json it has "payload"/],
        [{ parameter: 'days' }, 422, 'invalid_value', '/parameter', /must be of the kind json, not number/],
        [{ parameters: {} }, 422, 'required', '/parameters/days', /required/],
        [
          { parameter: 'payload', parameters: { days: 1, payload: 2 } },
          422,
          'invalid_value',
          '/parameters/payload',
          /cannot have a fixed value/,
        ],
        [{ idempotency_header: 'X Id' }, 422, 'invalid_value', '/idempotency_header', /name of a header/],
        [{ rate_per_minute: 0 }, 422, 'out_of_range', '/rate_per_minute', /1/],
        [{ rate_per_minute: 6001 }, 422, 'out_of_range', '/rate_per_minute', /6000/],
        [{ verify: { preset: 'github' } }, 422, 'required', '/verify/secret', /none is stored yet/],
        [{ verify: { preset: 'custom', secret: 's' } }, 422, 'required', '/verify/header', /preset "custom"/],
        [{ verify: { preset: 'github', secret: 's', encoding: 'base64' } }, 422, 'invalid_value', '/verify/encoding', /always "hex"/],
        [
          { verify: { preset: 'shopify', secret: 's', tolerance_seconds: 9 } },
          422,
          'invalid_value',
          '/verify/tolerance_seconds',
          /only.*stripe/,
        ],
        [
          { verify: { preset: 'stripe', secret: 's', tolerance_seconds: null } },
          422,
          'invalid_value',
          '/verify/tolerance_seconds',
          /never null/,
        ],
        [{ verify: { preset: 'paypal', secret: 's' } }, 422, 'invalid_enum', '/verify/preset', /github/],
        [{ verify: { preset: 'github', secret: '' } }, 422, 'blank', '/verify/secret', /empty/],
        [{ name: ' ' }, 422, 'blank', '/name', /empty/],
      ];
      for (const [body, status, code, pointer, detail] of wrong) {
        const refusal = await refused(create(body), status, code);
        assert.equal(refusal.errors[0]?.pointer, pointer, JSON.stringify(body));
        assert.match(refusal.errors[0]?.detail ?? '', detail);
      }
      const reader = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
      await refused(reader.ai_tasks.create_hook(taskId, { name: 'x' }), 403, 'forbidden');
      await Promise.all(Array.from({ length: MAX_HOOKS_OF_TASK }, () => create({})));
      await refused(create({}), 409, 'too_many');
      await client.ai_tasks.delete(taskId);
      await refused(create({}), 409, 'task_deleted');
    });

    test('the secret of signatures is kept when the rest changes, and nobody is shown it', async () => {
      const { client } = app();
      const hook = await make({ verify: { preset: 'github', secret: 'the-signing-secret' } });
      const verify = {
        preset: 'custom' as const,
        header: 'X-Sum',
        algorithm: 'sha512' as const,
        encoding: 'base64' as const,
        prefix: 'v=',
      };
      const changed = await client.ai_tasks.update_hook(hook.taskId, hook.id, { verify });
      assert.deepEqual(changed.verify, { ...verify, tolerance_seconds: null });
      const signature = `v=${macOf('the-signing-secret', '{}', { algorithm: 'sha512', encoding: 'base64' })}`;
      assert.equal((await call(hook.address, '{}', { 'x-sum': signature })).status, 202);
      const audit = await client.audit_log.list({ resource_type: 'hook', resource_id: hook.id });
      assert.ok(
        !JSON.stringify([audit, await client.ai_tasks.list_hooks(hook.taskId), await client.logs.list({})]).includes('the-signing'),
      );
      assert.equal((await client.ai_tasks.update_hook(hook.taskId, hook.id, { verify: null })).verify, null);
      await refused(client.ai_tasks.update_hook(hook.taskId, hook.id, { verify: { preset: 'github' } }), 422, 'required');
    });

    test('a call opens a run that gets headers, query and body, and acts for the one who made the hook', async () => {
      const staff = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.read'] });
      const taskId = await makeTask(app(), { parameters: [...PAYLOAD, { name: 'days', kind: 'number' }] });
      const hook = await make({ parameters: { days: 3 } }, taskId, app().clientFor(staff.token));
      const answer = await call(`${hook.address}?shop=a&tag=x&tag=y`, '{"order":{"id":7},"__proto__":1}', {
        'x-github-event': 'push',
        authorization: 'Bearer secret-of-the-sender',
        cookie: 'session=secret-of-the-sender',
        'x-hub-signature-256': 'sha256=00',
      });
      const runId = runOf(answer);
      assert.deepEqual([answer.status, answer.headers['location']], [202, `/admin/api/ai-tasks/${taskId}/runs/${runId}`]);
      const run = await app().client.ai_tasks.get_run(taskId, runId);
      assert.equal(run.started_by, `hook:${hook.id}`);
      assert.equal(
        run.parameters,
        '{"days":3,"payload":{"headers":{"content-type":"application/json","x-github-event":"push"},"query":{"shop":"a","tag":["x","y"]},"body":{"order":{"id":7},"__proto__":1}}}',
      );
      await emptyQueue(app());
      const again = await call(hook.address, '{"order":{"id":8}}');
      const side = await claimRun(app(), { taskId, runId: runOf(again), path: again.headers['location'] ?? '' });
      await side.call('POST', '/customers', { name: 'By hook', email: `hook-${app().engine}@example.com` });
      const audit = await app().client.audit_log.list({ resource_type: 'customer' });
      const { actor } = audit.data[0] ?? assert.fail();
      assert.deepEqual([actor.type, actor.id, actor.run_id], ['task', staff.adminId, runOf(again)]);
    });

    test('a body is JSON, a form or text by its type; anything else, and what is no UTF-8, is refused by name', async () => {
      const hook = await make();
      const bodyOf = async (raw: string | Buffer, type: string): Promise<unknown> => {
        const runId = runOf(await call(hook.address, raw, { 'content-type': type }));
        return JSON.parse((await app().client.ai_tasks.get_run(hook.taskId, runId)).parameters).payload.body;
      };
      assert.deepEqual(await bodyOf('[1,null]', 'application/vnd.github+json; charset=utf-8'), [1, null]);
      assert.deepEqual(await bodyOf('a=1&b=x+y&b=%C3%A9', 'application/x-www-form-urlencoded'), { a: '1', b: ['x y', 'é'] });
      assert.equal(await bodyOf('<a>ü\u0000</a>', 'application/xml'), '<a>ü\u0000</a>');
      const wrong: [string | Buffer, Record<string, string>, number, string][] = [
        ['{"a":', {}, 400, 'malformed_json'],
        ['{"a":1e999}', {}, 400, 'malformed_json'],
        ['['.repeat(300), {}, 400, 'malformed_json'],
        [Buffer.from([0xff, 0xfe]), {}, 400, 'malformed_json'],
        [Buffer.from([0xff, 0xfe]), { 'content-type': 'image/png' }, 415, 'unsupported_media_type'],
        ['{}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
        [Buffer.alloc(1024 * 1024 + 1, 32), {}, 413, 'body_too_large'],
        [Buffer.alloc(1024 * 1024, 1), { 'content-type': 'text/plain' }, 413, 'body_too_large'],
      ];
      const before = (await runsOf(hook)).length;
      for (const [raw, headers, status, code] of wrong) assert.deepEqual(codeOf(await call(hook.address, raw, headers)), [status, code]);
      assert.equal((await runsOf(hook)).length, before, 'nothing of it has opened a run');
    });

    test('every address that leads nowhere gets the same refusal, which does not repeat the address', async () => {
      const [hook, off, gone] = [await make(), await make(), await make()];
      await app().client.ai_tasks.update_hook(off.taskId, off.id, { enabled: false });
      await app().client.ai_tasks.delete(gone.taskId);
      const other = hook.address.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
      const paths = [other, off.address, gone.address, `/hooks/999999/${'x'.repeat(43)}`, '/hooks/abc/def', `/hooks/${hook.id}/%00`];
      const answers = await Promise.all(paths.map((path) => call(path, '{}')));
      const first = { ...Object(answers[0]?.body), request_id: '' };
      assert.deepEqual([first.status, first.code, first.instance], [404, 'not_found', '/hooks/…']);
      for (const [index, { body }] of answers.entries()) assert.deepEqual({ ...Object(body), request_id: '' }, first, `${paths[index]}`);
      const get = await app().request({ path: hook.address, token: OWNER_TOKEN });
      assert.deepEqual([get.status, get.headers['allow'], get.text.includes(hook.address)], [405, 'POST', false]);
    });

    test('with a header of its own, equal calls open one run, however many come at once; a call without it is never a repeated one', async () => {
      const hook = await make({ idempotency_header: 'X-Delivery' });
      const delivered = await Promise.all(Array.from({ length: 8 }, (_, n) => call(hook.address, `{"n":${n}}`, { 'x-delivery': 'one' })));
      assert.equal(new Set(delivered.map(runOf)).size, 1);
      const [first] = delivered;
      assert.notEqual(runOf(await call(hook.address, '{"n":0}', { 'x-delivery': 'two' })), runOf(first ?? assert.fail()));
      const unknown = [
        await call(hook.address, '{"n":0}'),
        await call(hook.address, '{"n":0}'),
        await call(hook.address),
        await call(hook.address),
      ];
      assert.equal(new Set(unknown.map(runOf)).size, 4);
      await letCallsBeOld(app().store, hook.id);
      const late = await call(hook.address, '{"n":0}', { 'x-delivery': 'one' });
      assert.notEqual(runOf(late), runOf(first ?? assert.fail()), 'after a day it is another call');
      assert.equal((await runsOf(hook)).length, 7);
    });

    test('a signed body makes a call known, whatever its query; calls that nothing makes known open a run each', async () => {
      const signed = await make({ verify: { preset: 'github', secret: 'its secret' } });
      const send = (query: string, raw: string) =>
        call(`${signed.address}${query}`, raw, { 'x-hub-signature-256': `sha256=${macOf('its secret', raw)}` });
      const same = [
        await send('', '{"n":1}'),
        await send('?again=1', '{"n":1}'),
        ...(await Promise.all(['?a', '?b', '?c'].map((one) => send(one, '{"n":1}')))),
      ];
      assert.equal(new Set(same.map(runOf)).size, 1);
      assert.notEqual(runOf(await send('', '{"n":2}')), runOf(same[0] ?? assert.fail()));
      const plain = await make();
      const constant = await Promise.all(Array.from({ length: 3 }, () => call(plain.address, '{"ping":true}')));
      assert.equal(new Set(constant.map(runOf)).size, 3);
      await app().client.ai_tasks.update_hook(signed.taskId, signed.id, { repeats: 'each' });
      assert.equal(new Set([await send('', '{"n":1}'), await send('', '{"n":1}'), same[0] ?? assert.fail()].map(runOf)).size, 3);
    });

    test('"once" needs what makes a call known; it is the default where there is something', async () => {
      const { client } = app();
      const taskId = await makeTask(app(), { parameters: PAYLOAD });
      const create = (body: object) => client.ai_tasks.create_hook(taskId, { name: 'Hook', ...body });
      const verify = { preset: 'github', secret: 's' };
      const made = [{}, { verify }, { idempotency_header: 'X-Id' }, { verify, repeats: 'each' }, { repeats: 'each' }].map(create);
      assert.deepEqual(
        (await Promise.all(made)).map(({ repeats }) => repeats),
        ['each', 'once', 'once', 'each', 'each'],
      );
      const hook = await create({ verify, idempotency_header: 'X-Id' });
      const change = (body: object) => client.ai_tasks.update_hook(taskId, hook.id, body);
      assert.equal((await change({ verify: null })).repeats, 'once');
      for (const asked of [() => create({ repeats: 'once' }), () => change({ idempotency_header: null, repeats: 'once' })]) {
        const error = await refused(asked(), 422, 'invalid_value');
        assert.equal(error.errors[0]?.pointer, '/repeats');
        assert.match(error.errors[0]?.detail ?? '', /needs an idempotency_header or a signature \(verify\).*"each" is accepted/);
      }
      assert.equal((await change({ idempotency_header: null })).repeats, 'each');
      await refused(change({ repeats: 'never' }), 422, 'invalid_enum');
    });

    test('on wish the script gets the text of the body, byte order mark and all', async () => {
      const hook = await make({ raw_body: true });
      const contentOf = async (raw: string, type = 'application/json') => {
        const runId = runOf(await call(hook.address, raw, { 'content-type': type }));
        return JSON.parse((await app().client.ai_tasks.get_run(hook.taskId, runId)).parameters).payload;
      };
      const { body, raw_body } = await contentOf('{ "a" : 1.50, "a":2 }\n');
      assert.deepEqual([body, raw_body], [{ a: 2 }, '{ "a" : 1.50, "a":2 }\n']);
      assert.equal((await contentOf('\ufeffé', 'text/plain')).raw_body, '\ufeffé');
      assert.equal((await contentOf('')).raw_body, '');
      await app().client.ai_tasks.update_hook(hook.taskId, hook.id, { raw_body: false });
      assert.deepEqual(Object.keys(await contentOf('{}')), ['headers', 'query', 'body']);
    });

    test('a task that has as many runs as it may refuses the call with 409, and the same call succeeds later', async () => {
      const taskId = await makeTask(app(), { parameters: PAYLOAD }, { concurrency: { limit: 1, key: null, overflow: 'skip' } });
      const hook = await make({ idempotency_header: 'X-Id' }, taskId);
      const one = { 'x-id': 'one' };
      const first = runOf(await call(hook.address, '{"n":1}', one));
      assert.deepEqual(codeOf(await call(hook.address, '{"n":2}')), [409, 'concurrency_limit']);
      assert.equal(runOf(await call(hook.address, '{"n":1}', one)), first, 'a repeated call still gets its run');
      await app().client.ai_tasks.cancel_run(taskId, first);
      assert.notEqual(runOf(await call(hook.address, '{"n":2}')), first);
    });

    test('where an admin has to mend something the caller gets 409, and the admins are told once', async () => {
      const staff = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.read'] });
      const taskId = await makeTask(app(), { parameters: PAYLOAD });
      const hook = await make({}, taskId, app().clientFor(staff.token));
      await app().client.admins.update(staff.adminId, { active: false });
      for (const n of [1, 2]) assert.deepEqual(codeOf(await call(hook.address, `{"n":${n}}`)), [409, 'run_not_opened']);
      const told = (await app().client.notifications.list({ limit: 100 })).notifications.filter(
        ({ metadata }) => field(metadata, 'hook_id') === hook.id,
      );
      assert.equal(told.length, 1);
      assert.match((await app().client.ai_tasks.get_hook(taskId, hook.id)).last_error ?? '', /deactivated/);
      await app().client.ai_tasks.update_hook(taskId, hook.id, { name: 'Mine' });
      assert.equal((await call(hook.address, '{"n":1}')).status, 202, 'the refused call was not remembered');
      assert.equal((await app().client.ai_tasks.get_hook(taskId, hook.id)).last_error, null);
    });

    test('calls beyond the rate of a hook get 429 with Retry-After', async () => {
      const hook = await make({ rate_per_minute: 3 });
      const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => call(hook.address, `{"n":${n}}`)));
      const limited = answers.filter(({ status }) => status === 429);
      assert.equal(limited.length, 2);
      for (const { headers } of limited) assert.ok(Number(headers['retry-after']) >= 1);
      assert.equal((await runsOf(hook)).length, 3);
      await app().client.ai_tasks.update_hook(hook.taskId, hook.id, { rate_per_minute: 6000 });
      assert.equal((await call(hook.address, '{"n":9}')).status, 202);
    });
  },
  { rateClock: STOPPED },
);
