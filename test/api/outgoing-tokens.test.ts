import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { type Got, type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { type ClaimedRun, claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';

const VALUES = { key: 's1gning-k3y:of/the+shop', key_id: 'AKIDEXAMPLE' };

/** Requests that the server sends with access tokens, which it gets with secrets that a run names. */
onBothStores(
  'access tokens of outgoing requests',
  (app) => {
    let there: OtherSystem;
    let elsewhere: OtherSystem;
    before(async () => {
      [there, elsewhere] = [await openOtherSystem(), await openOtherSystem()];
      for (const [name, value] of Object.entries(VALUES)) await makeSecret(name, value);
      await makeSecret('of_both', VALUES.key, [there, elsewhere]);
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
    const makeSigning = (secrets: string[] = []) => {
      const http_allow = [there, elsewhere].map(({ origin }) => `POST ${origin}/v1/*`);
      return makeTask(app(), { permissions: ['http_request'], http_allow, secrets: ['key', 'key_id', 'of_both', ...secrets] });
    };
    const open = async (secrets?: string[]): Promise<ClaimedRun> => claimedRun(app(), {}, await makeSigning(secrets));
    /** No call is the same as an earlier one, whose answer it would get. */
    let calls = 0;
    function send(run: ClaimedRun, sign: Json, values: Record<string, Json> = {}) {
      calls += 1;
      return run.call('POST', '/http/send', { method: 'POST', url: `${there.origin}/v1/x`, timeout_ms: 30_000 - calls, sign, ...values });
    }
    const oauth = (path: string, more: Record<string, Json> = {}, origin = there.origin): Json => ({
      ...{ scheme: 'oauth2-client-credentials', token_url: `${origin}/v1/${path}`, client_id: 'key_id', client_secret: 'key' },
      ...more,
    });
    /** Gives tokens `t1`, `t2`, …; other requests get what `decide` says. */
    function grantTokens(
      decide: (got: Got) => { status?: number; body?: string } = () => ({}),
      values: object = { expires_in: 3600 },
    ): () => Got[] {
      const isToken = ({ target }: Got): boolean => target.startsWith('/v1/token');
      const tokenRequests = (): Got[] => there.got.filter(isToken);
      there.decide((got) => {
        if (!isToken(got)) return decide(got);
        return {
          body: JSON.stringify({ access_token: `t${tokenRequests().length}-of-${got.target.slice(4)}`, token_type: 'Bearer', ...values }),
        };
      });
      return tokenRequests;
    }
    const tokens = (): unknown[] => there.got.filter(({ target }) => target === '/v1/x').map(({ headers }) => headers.authorization);

    test('SF22: a token is got once for the same secrets, address and scope, as RFC 6749 says, until it expires', async () => {
      const run = await open();
      const requests = grantTokens();
      for (const more of [
        {},
        {},
        { scope: 'orders read' },
        { scope: 'orders read' },
        { client_auth: 'body', audience: 'https://a.example' },
      ])
        assert.equal((await send(run, oauth('token1', more))).status, 200);
      assert.deepEqual(
        tokens(),
        ['t1', 't1', 't2', 't2', 't3'].map((token) => `Bearer ${token}-of-token1`),
      );
      const [first, second, third] = requests();
      const form = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
      assert.equal(first?.headers.authorization, `Basic ${btoa(`${form(VALUES.key_id)}:${form(VALUES.key)}`)}`);
      assert.deepEqual([first?.method, first?.headers['content-type']], ['POST', 'application/x-www-form-urlencoded']);
      assert.deepEqual([first?.body, second?.body], ['grant_type=client_credentials', 'grant_type=client_credentials&scope=orders+read']);
      assert.equal(third?.headers.authorization, undefined);
      assert.deepEqual(Object.fromEntries(new URLSearchParams(third?.body)), {
        ...{ grant_type: 'client_credentials', audience: 'https://a.example' },
        ...{ client_id: VALUES.key_id, client_secret: VALUES.key },
      });

      grantTokens(undefined, { expires_in: 0 });
      for (let count = 0; count < 2; count++) await send(run, oauth('token2'));
      assert.deepEqual(tokens().slice(-2), ['Bearer t4-of-token2', 'Bearer t5-of-token2']);
    });

    test('SF22: a 401 gets one fresh token, and that of a fresh one is the answer', async () => {
      const run = await open();
      let isOld = false;
      const requests = grantTokens(({ headers }) =>
        isOld && headers.authorization === 'Bearer t1-of-token3' ? { status: 401 } : { body: 'in' },
      );
      await send(run, oauth('token3'));
      isOld = true;
      assert.equal(field((await send(run, oauth('token3'))).body, 'body'), 'in');
      assert.deepEqual(tokens(), ['Bearer t1-of-token3', 'Bearer t1-of-token3', 'Bearer t2-of-token3']);
      grantTokens(() => ({ status: 401, body: 'out' }));
      assert.equal(field((await send(run, oauth('token3'))).body, 'status'), 401);
      assert.equal(requests().length, 3);

      // Where there is no other token, the answer is the one that was given.
      grantTokens();
      await send(run, oauth('token4'));
      there.decide(({ target }) =>
        target === '/v1/x' ? { status: 401, body: 'out' } : { status: 400, body: '{"error":"invalid_client"}' },
      );
      assert.equal(field((await send(run, oauth('token4'))).body, 'body'), 'out');
    });

    test('SF22: a secret that was set anew, and that of another task, get tokens of their own', async () => {
      const own = await open();
      const otherTask = await makeSigning();
      const other = await claimedRun(app(), {}, otherTask);
      const hosts = [`127.0.0.1:${there.port}`];
      await app().client.task_secrets.create({ name: 'key', task_id: otherTask, value: 'of the other task', hosts });
      const requests = grantTokens();
      for (const run of [own, other, own]) await send(run, oauth('token5'));
      assert.deepEqual(
        tokens(),
        ['t1', 't2', 't1'].map((token) => `Bearer ${token}-of-token5`),
      );
      const { id } = await app().client.task_secrets.create({ name: 'renewed', value: 'old', hosts });
      const run = await open(['renewed']);
      await send(run, oauth('token5', { client_secret: 'renewed' }));
      await app().client.task_secrets.update(id, { value: 'new' });
      await send(run, oauth('token5', { client_secret: 'renewed' }), { body: 'again' });
      assert.equal(requests().length, 4);
      assert.ok(
        requests()
          .at(-1)
          ?.headers.authorization?.endsWith(btoa(`${VALUES.key_id}:new`)),
      );
    });

    test('SF22: client secrets and their token go to hosts of the secrets alone', async () => {
      const run = await open();
      const both = { client_id: 'of_both', client_secret: 'of_both' };
      const requests = grantTokens();
      for (const [sign, url] of [
        [oauth('token', {}, elsewhere.origin), `${there.origin}/v1/x`],
        [oauth('token'), `${elsewhere.origin}/v1/x`],
        [oauth('token', { client_id: 'of_both' }, elsewhere.origin), `${there.origin}/v1/x`],
      ] as const) {
        const refused = await send(run, sign, { url });
        assert.deepEqual(codeOf(refused), [403, 'secret_host_not_allowed'], refused.text);
      }
      assert.deepEqual([there.got.length, elsewhere.got.length], [0, 0]);
      assert.equal((await send(run, oauth('token', both), { url: `${elsewhere.origin}/v1/x` })).status, 200);
      assert.deepEqual([requests().length, elsewhere.got[0]?.headers.authorization], [1, 'Bearer t1-of-token']);
      // The token is got from where the version says, and nowhere else.
      there.decide(() => ({ status: 307, headers: { location: `${elsewhere.origin}/v1/token` } }));
      const moved = await send(run, oauth('token9', both));
      assert.deepEqual(codeOf(moved), [502, 'http_failed'], moved.text);
      assert.match(moved.text, /the token address answered 307/);
      assert.equal(elsewhere.got.length, 1);
    });

    test('SF22: a token that is not given is told with the reason, and the request is not sent', async () => {
      const run = await open();
      const granted = { access_token: 'a', token_type: 'bearer' };
      for (const [answer, said, times] of [
        [
          { status: 401, body: '{"error":"invalid_client","error_description":"x"}' },
          /not sent: the token address answered 401 \(invalid_client\)/,
          1,
        ],
        [{ status: 400, body: JSON.stringify({ error: VALUES.key }) }, /the token address answered 400\./, 1],
        [{ status: 400, body: 'no' }, /the token address answered 400\./, 1],
        [{ body: 'no' }, /not the JSON of a bearer token/, 1],
        [{ body: JSON.stringify({ ...granted, access_token: 'a\r\nb: c' }) }, /not the JSON of a bearer token/, 1],
        [{ body: JSON.stringify({ ...granted, token_type: 'mac' }) }, /not the JSON of a bearer token/, 1],
        [{ body: JSON.stringify({ ...granted, more: 'x'.repeat(70_000) }) }, /at most 64 KiB/, 1],
        [{ body: 'x'.repeat(5_000_000) }, /the answer of the token address is too large/, 1],
        [{ status: 503 }, /the token address answered 503/, 4],
        ['cut', /the token address gave no answer/, 4],
      ] as const) {
        there.got.length = 0;
        there.decide(() => answer);
        const refused = await send(run, oauth('token6'), { body: String(said) });
        assert.deepEqual(codeOf(refused), [502, 'http_failed'], refused.text);
        assert.match(refused.text, said);
        assert.deepEqual([there.got.length, there.got.filter(({ target }) => target === '/v1/x').length], [times, 0], String(said));
      }
      there.decide(() => 'hang');
      const slow = await send(run, oauth('token6'), { timeout_ms: 300 });
      assert.deepEqual(codeOf(slow), [502, 'http_failed'], slow.text);
      assert.deepEqual(await app().client.ai_tasks.list_effects(run.taskId, run.runId), []);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' } },
);
