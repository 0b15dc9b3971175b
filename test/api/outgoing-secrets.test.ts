import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { type Got, type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { placed } from '../helpers/placed.ts';
import { type ClaimedRun, claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';

const KEY = 's3cr"et/value+1';

/** Where secrets go with requests of runs, and what comes back of them. */
onBothStores(
  'secrets in outgoing requests',
  (app) => {
    let there: OtherSystem;
    let elsewhere: OtherSystem;
    before(async () => {
      [there, elsewhere] = [await openOtherSystem(), await openOtherSystem()];
      await makeSecret('key', KEY);
      await makeSecret('of_both', KEY, [there, elsewhere]);
    });
    after(() => Promise.all([there.close(), elsewhere.close()]));
    beforeEach(() => {
      for (const one of [there, elsewhere]) {
        one.got.length = 0;
        one.decide(() => ({}));
      }
    });

    const makeSecret = (name: string, value: string, hosts = [there]) =>
      app().client.task_secrets.create({ name, value, hosts: hosts.map(({ port }) => `127.0.0.1:${port}`) });
    async function open(secrets: string[]): Promise<ClaimedRun> {
      const http_allow = [there, elsewhere].map(({ origin }) => `GET,HEAD,POST,PUT,PATCH,DELETE ${origin}/v1/*`);
      return claimedRun(app(), {}, await makeTask(app(), { permissions: ['http_request'], http_allow, secrets }));
    }
    const ask = (run: ClaimedRun, method: string, path: string, values: Record<string, Json> = {}) =>
      run.call('POST', method === 'GET' || method === 'HEAD' ? '/http/fetch' : '/http/send', {
        method,
        url: placed(`${there.origin}/v1/${path}`),
        ...values,
      });
    const valuesIn = ({ target, headers, body }: Got) => JSON.stringify([decodeURIComponent(target), headers, body]);
    /** Every answer redirects to the other host. */
    const redirect = (status: number, location = (_: Got) => '/v1/end') =>
      there.decide((got) => ({ status, headers: { location: `${elsewhere.origin}${location(got)}` } }));

    test('a secret in any header stays behind when a request is redirected to another host, which gets the rest', async () => {
      const run = await open(['key']);
      for (const [method, status, next] of [
        ['GET', 302, 'GET'],
        ['HEAD', 307, 'HEAD'],
        ['POST', 301, 'GET'],
        ['POST', 302, 'GET'],
        ['PUT', 303, 'GET'],
        ['POST', 307, 'POST'],
        ['DELETE', 308, 'DELETE'],
      ] as const) {
        redirect(status);
        for (const name of ['authorization', 'User-Agent', 'accept', 'Accept-Language', 'x-request-id', 'Content-Type']) {
          elsewhere.got.length = 0;
          const headers = { [name]: placed('x {{secret:key}}'), ...(name === 'accept' ? {} : { accept: 'text/plain' }) };
          const answer = await ask(run, method, `${status}/${name}`, { headers });
          const [got] = elsewhere.got;
          assert.deepEqual([answer.status, got?.method], [200, next], `${method} ${status} ${name} ${answer.text}`);
          assert.equal(field(answer.body, 'url'), `${elsewhere.origin}/v1/end`);
          assert.ok(got && !valuesIn(got).includes('s3cr'), `${method} ${status} ${name}`);
          assert.equal(got.headers.accept, name === 'accept' ? undefined : 'text/plain');
        }
      }
      assert.ok(there.got.every(({ headers }) => JSON.stringify(headers).includes('s3cr')));
    });

    test('an address or a body with a secret is redirected to hosts of the secret alone; otherwise the call says which it is', async () => {
      const run = await open(['key', 'of_both']);
      const echoes: ((got: Got) => string)[] = [
        ({ target }) => target,
        ({ target }) => `/v1/go?back=${target}`,
        () => `/v1/go?key=${encodeURIComponent(KEY)}`,
        () => `/v1/${Buffer.from(`me:${KEY}`).toString('base64url')}`,
      ];
      for (const [method, status] of [
        ['GET', 302],
        ['POST', 303],
        ['POST', 302],
        ['POST', 308],
      ] as const) {
        for (const [index, location] of echoes.entries()) {
          redirect(status, location);
          const refused = await ask(run, method, `{{secret:key}}/${index}/${status}`);
          assert.deepEqual(codeOf(refused), [403, 'secret_host_not_allowed'], `${method} ${status} ${index} ${refused.text}`);
          assert.match(refused.text, /The request was answered, but it redirects with a secret: the secret \\"key\\" may be sent to/);
          assert.doesNotMatch(refused.text, /s3cr/);
        }
      }
      redirect(307);
      for (const body of ['{{secret:key}}', `{{secret:of_both}}{{secret:key}}`])
        assert.deepEqual(codeOf(await ask(run, 'POST', '307', { body: placed(body) })), [403, 'secret_host_not_allowed']);
      assert.equal(elsewhere.got.length, 0);
      assert.equal((await ask(run, 'POST', 'both', { body: placed('{{secret:of_both}}') })).status, 200);
      assert.equal(elsewhere.got.at(-1)?.body, KEY, 'the secret may go to both hosts');
      redirect(303);
      assert.equal((await ask(run, 'POST', '303', { body: placed('{{secret:key}}') })).status, 200);
      assert.deepEqual([elsewhere.got.at(-1)?.method, elsewhere.got.at(-1)?.body], ['GET', '']);
    });

    test('on its own host a redirected request keeps its secrets', async () => {
      const run = await open(['key']);
      there.decide(({ target }) => (target === '/v1/end' ? {} : { status: 307, headers: { location: '/v1/end' } }));
      await ask(run, 'POST', 'x', { headers: { authorization: placed('{{secret:key}}') }, body: placed('{{secret:key}}') });
      const got = there.got.at(-1);
      assert.deepEqual([got?.target, got?.headers.authorization, got?.body], ['/v1/end', KEY, KEY]);
    });

    test('a part of a secret in an answer is masked in its headers and body, and goes to no other host', async () => {
      const random = 'wJalrXUtnFEMI3K7MDENGbPxRfiCYzq3Lw8pT0vQ';
      await makeSecret('long', `sk_live_${random}`);
      const run = await open(['long']);
      const halves = [random.slice(0, 20), random.slice(20)] as const;
      there.decide(() => ({
        status: 401,
        headers: { 'x-hint': `key ${halves[0]}` },
        body: JSON.stringify({ error: `unknown key …${halves[1]}` }),
      }));
      const answer = await ask(run, 'GET', 'me', { headers: { authorization: placed('Bearer {{secret:long}}') } });
      assert.equal(field(answer.body, 'body'), '{"error":"unknown key …[secret:long]"}');
      assert.equal(field(field(answer.body, 'headers'), 'x-hint'), 'key [secret:long]');
      redirect(302, () => `/v1/next?key=${halves[1]}`);
      const away = await ask(run, 'GET', 'moved', { headers: { authorization: placed('Bearer {{secret:long}}') } });
      assert.deepEqual(codeOf(away), [403, 'secret_host_not_allowed'], away.text);
      assert.ok(!away.text.includes(halves[1]));
      assert.equal(elsewhere.got.length, 0);
    });

    test('a secret that no header can hold is refused by the name of the header, before anything is sent', async () => {
      await makeSecret('pem', '-----BEGIN KEY-----\nMII\n-----END KEY-----\n');
      const run = await open(['pem']);
      const refused = await ask(run, 'POST', 'x', { headers: { 'X-Key': placed('{{secret:pem}}') } });
      assert.deepEqual(codeOf(refused), [422, 'invalid_value'], refused.text);
      assert.match(refused.text, /X-Key: with its secret, must have no control characters/);
      assert.doesNotMatch(refused.text, /MII/);
      assert.equal(there.got.length, 0);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' } },
);
