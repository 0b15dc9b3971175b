import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { hooks } from '../helpers/hooks.ts';
import { claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';

const LARGE = '12345678901234567890';

onBothStores('numbers that are not what was written', (app) => {
  const send = (method: string, path: string, raw: string, token?: string) =>
    app().request({ method, path: `/admin/api${path}`, raw, ...(token === undefined ? {} : { token }) });
  const pointersOf = (body: unknown) => {
    const errors = field(body, 'errors');
    assert.ok(Array.isArray(errors));
    return errors.map((one) => [field(one, 'pointer'), field(one, 'code')]);
  };

  test('whole numbers that would be changed are refused with their place: parameters, state, variables, views', async () => {
    const task = await makeTask(app(), { parameters: [{ name: 'payload', kind: 'json' }] });
    const cases: [method: string, path: string, body: (number: string) => string, pointer: string][] = [
      ['POST', `/ai-tasks/${task}/runs`, (n) => `{"parameters":{"payload":{"a/b":[1,{"id":${n}}]}}}`, '/parameters/payload/a~1b/1/id'],
      ['PUT', `/ai-tasks/${task}/state/last`, (n) => `{"value":${n}}`, '/value'],
      [
        'POST',
        `/ai-tasks/${task}/schedules`,
        (n) => `{"cron":"0 3 1 1 *","enabled":false,"parameters":{"payload":${n}}}`,
        '/parameters/payload',
      ],
      ['POST', '/me/views', (n) => `{"screen":"orders","name":"${n.length} ${n}","search":{"id":${n}}}`, '/search/id'],
    ];
    for (const [method, path, body, pointer] of cases) {
      for (const number of [LARGE, `-${LARGE}`, '9007199254740993', '9007199254740992', '1234567890123456789.00', '1e400', '-1E+999']) {
        const answer = await send(method, path, body(number));
        assert.equal(answer.status, 422, `${path} ${number} ${answer.text}`);
        // A field that takes no infinite number says so itself.
        const code = /e/i.test(number) && pointer === '/value' ? 'invalid_value' : 'out_of_range';
        assert.deepEqual(pointersOf(answer.body), [[pointer, code]], `${path} ${number}`);
      }
      for (const number of ['9007199254740991', '0.1234567890123456789']) {
        const answer = await send(method, path, body(number));
        assert.ok(answer.status < 300, `${path} ${number} ${answer.text}`);
      }
    }
  });

  test('a value with a type of its own is refused as before, and beside it every large number', async () => {
    const { id } = await app().client.products.create({ name: 'Lamp', slug: `lamp-${app().engine}` });
    const typed = await send('PATCH', `/products/${id}`, `{"low_stock_threshold":${LARGE}}`);
    assert.deepEqual([...new Set(pointersOf(typed.body).map(([pointer]) => pointer))], ['/low_stock_threshold']);
    const task = await makeTask(app());
    const answer = await send('PUT', `/ai-tasks/${task}/state/x`, `{"value":[${LARGE},{"b":${LARGE}}],"expected_version":"x"}`);
    assert.equal(codeOf(answer)[0], 422);
    assert.ok(pointersOf(answer.body).length >= 3);
  });

  test('what a script makes of its own numbers is kept', async () => {
    const run = await claimedRun(app());
    const path = `/ai-tasks/${run.taskId}/state/big`;
    const kept = await run.call('PUT', path, { value: [2 ** 60, 1e300] });
    assert.equal(kept.status, 200, kept.text);
    const read = await run.call('GET', path);
    assert.deepEqual(field(read.body, 'value'), [2 ** 60, 1e300], read.text);
  });

  test('a body full of them is refused with the first ones by an endpoint, and with the first one by a hook', async () => {
    const many = `[${Array(100_000).fill('1e999').join(',')}]`;
    const { id } = await app().client.access_groups.create({ slug: `many-${app().engine}`, name: 'Many' });
    const typed = await send('PUT', `/access-groups/${id}/files`, `{"file_ids":${many}}`);
    assert.equal(typed.status, 422);
    assert.deepEqual(pointersOf(typed.body)[0], ['/file_ids/0', 'out_of_range']);
    const { make, call } = hooks(app);
    const told = await call((await make()).address, many, { 'content-type': 'application/json' });
    assert.deepEqual(codeOf(told), [400, 'malformed_json']);
    assert.deepEqual(pointersOf(told.body), [['/0', 'out_of_range']]);
  });

  test('a hook refuses them with their place, and keeps them as text where it asks for the raw body', async () => {
    const { make, call, runOf } = hooks(app);
    const hook = await make();
    for (const number of [LARGE, '9007199254740993', '1e400']) {
      const answer = await call(hook.address, `{"orders":[{"id":${number}}]}`, { 'content-type': 'application/json' });
      assert.deepEqual(codeOf(answer), [400, 'malformed_json']);
      assert.deepEqual(pointersOf(answer.body), [['/orders/0/id', 'out_of_range']]);
    }
    const raw = await make({ raw_body: true });
    const body = `{"id":${LARGE},"ratio":0.1234567890123456789,"n":7}`;
    const runId = runOf(await call(raw.address, body, { 'content-type': 'application/json' }));
    const { payload } = JSON.parse((await app().client.ai_tasks.get_run(raw.taskId, runId)).parameters);
    assert.deepEqual([payload.body.id, payload.body.n, payload.raw_body], [LARGE, 7, body]);
    assert.equal(codeOf(await call(raw.address, '{"id":1e400}', { 'content-type': 'application/json' }))[0], 400);
  });
});
