import assert from 'node:assert/strict';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { openFilling } from '../../server/automation/secrets/filling.ts';
import { closeSideThreads, createQuietServices } from '../../server/create-services.ts';
import type { Ctx } from '../../server/verbs/context.ts';
import { Refusal } from '../../server/verbs/problem.ts';
import { onBothStores } from '../helpers/app.ts';
import { tablesNaming } from '../helpers/dump.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, makeTask } from '../helpers/runs.ts';
import { moveSealedValue } from '../helpers/stored-rows/secrets.ts';

const VALUE = 'sk_live/4eC39Hq+Lyj"WDarjtT1 zdp7dc?';
const lines: string[] = [];

onBothStores(
  'secrets of tasks',
  (app) => {
    const secrets = () => app().client.task_secrets;
    const dataDir = () => dirname(app().filesDir);
    let made = 0;
    const make = (body: Partial<Parameters<ReturnType<typeof secrets>['create']>[0]> = {}) => {
      made += 1;
      return secrets().create({ name: `secret_${made}`, value: VALUE, hosts: ['api.example.com'], ...body });
    };

    /** What the verb of a request does: opens these secrets, in a transaction of a server with this data. */
    async function filling<T>(
      declared: string[],
      names: string[],
      use: (filling: Awaited<ReturnType<typeof openFilling>>) => T,
      { taskId = 1, folder = dataDir() } = {},
    ): Promise<T> {
      const services = await createQuietServices(app().store, folder);
      try {
        return await services.transact('test', async (ctx: Ctx) => use(await openFilling(ctx, { taskId, declared }, names)));
      } finally {
        await closeSideThreads(services);
      }
    }
    const refusal = async (code: string, act: Promise<unknown>): Promise<Refusal> => {
      const error = await act.then(
        () => assert.fail('nothing was refused'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof Refusal && error.code === code, String(error));
      assert.ok(!error.message.includes(VALUE));
      return error;
    };

    test('a secret is stored, changed and deleted; no answer holds its value', async () => {
      const taskId = await makeTask(app());
      const { id, ...rest } = await make({
        name: 'stripe_key',
        task_id: taskId,
        hosts: ['API.example.com:443', 'hooks.example.com:8443'],
        note: 'live',
      });
      const { created_at, updated_at, created_by, created_by_name, ...shown } = rest;
      assert.deepEqual(shown, {
        ...{ name: 'stripe_key', task_id: taskId, hosts: ['api.example.com', 'hooks.example.com:8443'], note: 'live', last_used_at: null },
      });
      assert.deepEqual([created_at, created_by], [updated_at, 1]);
      assert.ok(created_by_name.length > 0);
      const anew = await secrets().update(id, { value: `${VALUE}2`, note: 'newer' });
      assert.deepEqual([anew.note, anew.hosts], ['newer', shown.hosts]);
      assert.deepEqual(await secrets().list({ task_id: taskId }), [anew]);
      for (const path of ['/task-secrets', `/task-secrets/${id}`, '/audit-log?resource_type=task_secret', '/logs'])
        assert.ok(!(await app().request({ path: `/admin/api${path}` })).text.includes('sk_live'), path);
      await secrets().delete(id);
      await refused(secrets().get(id), 404, 'not_found');
    });

    test('only who holds task_secrets reaches them; no task ever does', async () => {
      const { id } = await make();
      const others = app().clientFor(
        (await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.settings.write'] })).token,
      );
      await refused(others.task_secrets.list(), 403, 'forbidden');
      const reader = app().clientFor((await person(app(), { permissions: ['admin_api.task_secrets.read'] })).token);
      assert.equal((await reader.task_secrets.get(id)).id, id);
      await refused(reader.task_secrets.update(id, { hosts: ['evil.example'] }), 403, 'forbidden');
      const wanted = ['admin_api.task_secrets.read'] as Permission[];
      await refused(makeTask(app(), { permissions: wanted }), 422, 'permission_not_grantable');
      const run = await claimedRun(app());
      for (const path of ['/task-secrets', `/task-secrets/${id}`, '/task-variables'])
        assert.deepEqual(codeOf(await run.call('GET', path)), [403, 'forbidden'], path);
    });

    test('wrong values are refused by name, and never shown in the refusal', async () => {
      for (const [body, code] of [
        [{ name: 'Stripe' }, 'invalid_value'],
        [{ name: 'a'.repeat(65) }, 'invalid_value'],
        [{ value: '' }, 'blank'],
        [{ value: `${VALUE}${'x'.repeat(16 * 1024)}` }, 'too_long'],
        [{ value: `${VALUE}\u0000` }, 'invalid_value'],
        [{ hosts: [] }, 'out_of_range'],
        [{ hosts: ['https://api.example.com'] }, 'invalid_value'],
        [{ hosts: ['user@api.example.com'] }, 'invalid_value'],
        [{ hosts: ['*.example.com'] }, 'invalid_value'],
        [{ hosts: ['api.example.com/v1'] }, 'invalid_value'],
        [{ hosts: ['api.example.com:99999'] }, 'invalid_value'],
        [{ task_id: 999_999 }, 'task_not_found'],
      ] as const) {
        const error = await refused(make(body as never), 422, code);
        assert.ok(!JSON.stringify(error.problem).includes('sk_live'), code);
      }
      const taskId = await makeTask(app());
      await make({ name: 'same' });
      await make({ name: 'same', task_id: taskId });
      await refused(make({ name: 'same' }), 422, 'duplicate');
      await refused(make({ name: 'same', task_id: taskId }), 422, 'duplicate');
      await app().client.ai_tasks.delete(taskId);
      await refused(make({ task_id: taskId }), 409, 'task_deleted');
      assert.equal((await make({ name: 'largest', value: 'x'.repeat(16 * 1024) })).name, 'largest');
    });

    test('a request gets the values of declared secrets for their hosts alone; the task’s own secret comes first', async () => {
      const taskId = await makeTask(app());
      await make({ name: 'token', value: 'of the shop' });
      await make({ name: 'token', value: 'of the task', task_id: taskId });
      const other = await make({ name: 'other', value: 'a"b', hosts: ['api.example.com', 'local.example:8080'] });
      const both = ['token', 'other'];
      assert.deepEqual(await filling(both, both, ({ valueFor }) => both.map(valueFor), { taskId }), ['of the task', 'a"b']);
      assert.equal(await filling(['token'], ['token'], ({ valueFor }) => valueFor('token')), 'of the shop');
      assert.equal(await filling([], [], ({ mask }) => mask('y')), 'y');
      assert.notEqual((await secrets().get(other.id)).last_used_at, null);

      assert.match(
        (
          await refusal(
            'secret_not_declared',
            filling(['token'], both, () => 0),
          )
        ).message,
        /"other"; it declares token/,
      );
      assert.match(
        (
          await refusal(
            'secret_not_found',
            filling(['gone'], ['gone'], () => 0),
          )
        ).message,
        /"gone" of task 1/,
      );
      const problem = (url: string) => filling(['other'], ['other'], ({ hostProblem }) => hostProblem(['other'], url));
      for (const url of ['https://api.example.com/v1', 'http://local.example:8080/']) assert.equal(await problem(url), null);
      for (const url of [
        'https://evil.example/',
        'http://api.example.com/',
        'https://api.example.com:8443/',
        'https://api.example.com.evil.example/',
        'https://local.example/',
      ])
        assert.match((await problem(url)) ?? '', /^the secret "other" may be sent to api.example.com, local.example:8080, not to /);
    });

    test('what echoes a secret is masked in every usual form', async () => {
      await make({ name: 'echoed' });
      const bytes = Buffer.from(VALUE);
      const forms = [
        VALUE,
        JSON.stringify(VALUE),
        JSON.stringify(VALUE).replaceAll('/', '\\/'),
        encodeURIComponent(VALUE),
        encodeURIComponent(VALUE).toLowerCase(),
        new URLSearchParams({ v: VALUE }).toString(),
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
        ...['a', 'ab', 'user:'].map((before) => Buffer.from(`${before}${VALUE}:end`).toString('base64')),
      ];
      const masked = await filling(['echoed'], ['echoed'], ({ mask }) => forms.map(mask));
      for (const [n, text] of masked.entries()) {
        assert.ok(text.includes('[secret:echoed]'), `${forms[n]}`);
        assert.doesNotMatch(text, /4eC39Hq|NGVDMzlIc/i, `${forms[n]}`);
      }
    });

    test('a host is added only with the value, which who adds it must know; one is removed without it', async () => {
      const { id } = await make({ hosts: ['api.example.com', 'eu.example.com'] });
      for (const hosts of [['evil.example'], ['api.example.com', 'evil.example'], ['api.example.com:8443']]) {
        const { problem } = await refused(secrets().update(id, { hosts }), 422, 'required');
        assert.match(JSON.stringify(problem), /\/value.*is required where a host is added/);
      }
      assert.deepEqual((await secrets().get(id)).hosts, ['api.example.com', 'eu.example.com']);
      assert.deepEqual((await secrets().update(id, { hosts: ['API.example.com'] })).hosts, ['api.example.com']);
      assert.deepEqual((await secrets().update(id, { hosts: ['eu.example.com'], value: 'anew' })).hosts, ['eu.example.com']);
    });

    test('an echo is masked whatever JSON, URLs, HTML and base64 made of it, one in another, and stays readable JSON', async () => {
      const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADAN+Bgk/q"hk&iG<9w0é😀\n'.repeat(3)}-----END PRIVATE KEY-----\n`;
      const html = (text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;');
      const ascii = (text: string) =>
        JSON.stringify(text).replaceAll(/[^ -~]|[<&]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const base64 = (text: string, before = '') => Buffer.from(before + text).toString('base64');
      const encoders: Record<string, (text: string) => string> = {
        json: (text) => JSON.stringify({ a: text, b: 1 }),
        ascii: (text) => ascii(text).replaceAll('/', '\\/'),
        url: (text) => `k=${encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase())}&b=1`,
        form: (text) => new URLSearchParams({ k: text, b: '1' }).toString(),
        html: (text) => `<p title="${html(text)}">x</p>`,
        base64: (text) => base64(text),
        base64Url: (text) => `id-${Buffer.from(text).toString('base64url')}`,
        base64Lines: (text) => (base64(text, 'u:').match(/.{1,76}/g) ?? []).join('\r\n'),
        hex: (text) => Buffer.from(text).toString('hex'),
      };
      for (const [index, value] of [pem, VALUE, 'pa%41ss\\word "q" &amp; +1'].entries()) {
        const name = `masked_${index}`;
        await make({ name, value });
        const texts = Object.entries(encoders).flatMap(([outer, encode]) => [
          [outer, encode(value)] as const,
          ...Object.entries(encoders)
            .filter(([inner]) => inner !== 'hex' || !outer.startsWith('base64'))
            .map(([inner, first]) => [`${outer} of ${inner}`, encode(first(value))] as const),
        ]);
        const masked = await filling([name], [name], ({ mask }) => texts.map(([how, text]) => [how, mask(text)] as const));
        for (const [how, text] of masked) {
          if (!(how.startsWith('hex') && how !== 'hex')) assert.ok(text.includes(`[secret:${name}]`), `${index} ${how}: ${text}`);
          if (how === 'json' || how.startsWith('json of')) assert.equal(JSON.parse(text).b, 1, how);
        }
        const inner = await filling([name], [name], ({ mask }) => mask(JSON.stringify({ data: JSON.stringify({ k: value, z: 2 }) })));
        assert.deepEqual(JSON.parse(JSON.parse(inner).data), { k: `[secret:${name}]`, z: 2 });
        const plain = 'nothing here: \\u0041 %20 &amp; aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQ= é😀';
        assert.equal(await filling([name], [name], ({ mask }) => mask(plain)), plain);
      }
    });

    test('a sealed value opens with its key at its place alone, and the refusal names the secret', async () => {
      const [one, two] = [await make({ name: 'place_one' }), await make({ name: 'place_two', value: 'other' })];
      const use = (folder?: string) =>
        filling(['place_one'], ['place_one'], ({ valueFor }) => valueFor('place_one'), folder ? { folder } : {});
      assert.equal(await use(), VALUE);
      const unreadable = await refusal('secret_unreadable', use(join(dataDir(), 'elsewhere')));
      assert.match(unreadable.message, /^The secret "place_one" was encrypted with another key than this server has \(SECRETS_KEY/);
      await moveSealedValue(app().store, two.id, one.id);
      await refusal('secret_unreadable', use());
    });

    test('the key file is readable by its owner alone, and refused otherwise', async () => {
      await make();
      const file = join(dataDir(), 'secrets.key');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      await chmod(file, 0o640);
      assert.equal(
        (
          await app().request({
            method: 'POST',
            path: '/admin/api/task-secrets',
            body: { name: 'open', value: VALUE, hosts: ['a.example'] },
          })
        ).status,
        500,
      );
      await chmod(file, 0o600);
      const text = await readFile(file, 'utf8');
      await writeFile(file, 'short');
      await assert.rejects(filling(['secret_1'], [], () => 0).then(() => make()));
      await writeFile(file, text);
    });

    test('no table, no log line and no answer holds a value or the key', async () => {
      await make({ name: 'scanned' });
      await app().request({
        method: 'POST',
        path: '/admin/api/task-secrets',
        body: { name: 'scanned_again', value: VALUE, hosts: ['api.example.com'] },
        headers: { 'idempotency-key': 'scan' },
      });
      await app().request({ method: 'POST', path: '/admin/api/task-secrets', raw: `{"value": ${JSON.stringify(VALUE)}, ` });
      await app().request({ method: 'POST', path: `/admin/api/task-secrets?value=${encodeURIComponent('x')}`, body: { value: VALUE } });
      const key = (await readFile(join(dataDir(), 'secrets.key'), 'utf8')).trim();
      const bytes = Buffer.from(VALUE);
      const texts = [
        VALUE,
        JSON.stringify(VALUE).slice(1, -1),
        bytes.toString('base64').slice(0, 20),
        bytes.toString('hex'),
        'sk_live',
        key,
      ];
      assert.deepEqual(await tablesNaming(app().store, texts), {});
      assert.ok(lines.length > 0);
      for (const text of texts)
        assert.deepEqual(
          lines.filter((line) => line.includes(text)),
          [],
        );
      const { rows } = { rows: await app().store.reader.selectFrom('task_secrets').select(['name', 'sealed']).execute() };
      assert.ok(rows.length > 0 && rows.every(({ sealed }) => !Buffer.from(sealed, 'base64').includes('sk_live')));
    });
  },
  { log: (line) => void lines.push(line) },
);
