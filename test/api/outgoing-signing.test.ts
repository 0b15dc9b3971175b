import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import { awsSignature } from '../../server/automation/outgoing/aws-signature.ts';
import { onBothStores } from '../helpers/app.ts';
import { tablesNaming } from '../helpers/dump.ts';
import { type Got, type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { placed } from '../helpers/placed.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';

const VALUES = { key: 's1gning-k3y:of/the+shop', key_id: 'AKIDEXAMPLE', session: 'sess10n/token==', user: 'me+us', password: 'pa55 wörd' };
const NAMES = Object.keys(VALUES);

/** What the server logged. */
const lines: string[] = [];

/** Requests that the server signs with secrets which a run names. */
onBothStores(
  'signed outgoing requests',
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
    const makeSigning = (secrets = [...NAMES, 'of_both'], settings = {}) => {
      const http_allow = [there, elsewhere].map(({ origin }) => `GET,POST,PUT ${origin}/v1/*`);
      return makeTask(app(), { permissions: ['http_request'], http_allow, secrets }, settings);
    };
    const open = async (secrets?: string[], body = {}): Promise<ClaimedRun> => claimedRun(app(), body, await makeSigning(secrets));
    /** No call is the same as an earlier one, whose answer it would get. */
    let calls = 0;
    const asked = (method: string, sign: Json, values: Record<string, Json>): Json => {
      calls += 1;
      return { method, url: `${there.origin}/v1/x`, timeout_ms: 30_000 - calls, sign, ...values };
    };
    const send = (run: ClaimedRun, sign: Json, values: Record<string, Json> = {}) =>
      run.call('POST', '/http/send', asked('POST', sign, values));
    const fetch = (run: ClaimedRun, sign: Json, values: Record<string, Json> = {}) =>
      run.call('POST', '/http/fetch', asked('GET', sign, values));
    const effectsOf = (run: ClaimedRun) => app().client.ai_tasks.list_effects(run.taskId, run.runId);
    const hmac = (text: string, encoding: 'hex' | 'base64' | 'base64url' = 'hex', key = VALUES.key): string =>
      createHmac('sha256', key).update(text).digest(encoding);
    const isRecent = (seconds: number): boolean => Math.abs(Date.now() / 1000 - seconds) < 60;
    const token = (): Json => ({
      ...{ scheme: 'oauth2-client-credentials', token_url: `${there.origin}/v1/token`, client_id: 'key_id', client_secret: 'key' },
    });
    const last = (): Got => {
      const got = there.got.at(-1);
      if (!got) throw new Error('nothing was sent');
      return got;
    };

    test('SF21: an HMAC signs the body as it is sent, with its secrets, and what else the receiver checks', async () => {
      const run = await open();
      const json = { 'content-type': 'application/json' };
      const hub = { scheme: 'hmac-sha256', secret: 'key', header: 'X-Hub-Signature-256', prefix: 'sha256=' };
      const answer = await send(run, hub, { headers: json, body: placed('{"p":"{{secret:password}}","q":"{body}{timestamp}"}') });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(JSON.parse(last().body), { p: VALUES.password, q: '{body}{timestamp}' });
      assert.equal(last().headers['x-hub-signature-256'], `sha256=${hmac(last().body)}`);

      await send(run, { scheme: 'hmac-sha256', secret: 'key' }, { body: '/wA=', encoding: 'base64' });
      const bytes = createHmac('sha256', VALUES.key)
        .update(Buffer.from([255, 0]))
        .digest('hex');
      assert.equal(last().headers['x-signature'], bytes);

      const inOne = { header: 'stripe-signature', prefix: 't={timestamp},v1=', signed: '{timestamp}.{body}' };
      await send(run, { scheme: 'hmac-sha256', secret: 'key', ...inOne }, { body: 'grün' });
      const [, seconds = '', signature] = /^t=(\d+),v1=(.*)$/.exec(String(last().headers['stripe-signature'])) ?? [];
      assert.deepEqual([isRecent(Number(seconds)), signature], [true, hmac(`${seconds}.grün`)]);

      const apart = { timestamp_header: 'X-Time', timestamp: 'iso', encoding: 'base64', signed: 'v0:{timestamp}:{method}:{path}:{body}' };
      await fetch(run, { scheme: 'hmac-sha256', secret: 'key', ...apart }, { url: `${there.origin}/v1/a?b=%20c` });
      const time = String(last().headers['x-time']);
      assert.ok(isRecent(Date.parse(time) / 1000));
      assert.equal(last().headers['x-signature'], hmac(`v0:${time}:GET:/v1/a?b=%20c:`, 'base64'));
    });

    test('SF21: basic, a JSON web token, and AWS', async () => {
      const run = await open();
      await send(run, { scheme: 'basic', user: 'müller', password: 'password' });
      assert.equal(last().headers.authorization, `Basic ${Buffer.from(`müller:${VALUES.password}`).toString('base64')}`);
      await fetch(run, { scheme: 'basic', user: { secret: 'user' } });
      assert.equal(last().headers.authorization, `Basic ${Buffer.from(`${VALUES.user}:`).toString('base64')}`);

      await send(run, { scheme: 'jwt-hs256', secret: 'key', claims: { iss: 'shop', aud: ['a', 'b'] }, expires_in: 300 });
      const [scheme, web = ''] = String(last().headers.authorization).split(' ');
      const [head = '', claims = '', signature] = web.split('.');
      const { iat, ...others } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      assert.deepEqual([scheme, Buffer.from(head, 'base64url').toString()], ['Bearer', '{"alg":"HS256","typ":"JWT"}']);
      assert.deepEqual([others, isRecent(iat)], [{ iss: 'shop', aud: ['a', 'b'], exp: iat + 300 }, true]);
      assert.equal(signature, hmac(`${head}.${claims}`, 'base64url'));
      await send(run, { scheme: 'jwt-hs256', secret: 'key', header: 'X-Token', prefix: '' });
      assert.match(String(last().headers['x-token']), /^eyJ/);

      const aws = { scheme: 'aws-sigv4', access_key_id: 'key_id', secret_access_key: 'key', session_token: 'session' };
      const values = { method: 'PUT', url: `${there.origin}/v1/a:b/(c).csv?x=1&a=2`, headers: { 'Content-Type': 'text/csv' }, body: 'a;b' };
      await send(run, { ...aws, region: 'eu-central-1', service: 's3' }, values);
      const { method, target, headers, body } = last();
      assert.deepEqual([method, target, body], ['PUT', '/v1/a%3Ab/%28c%29.csv?x=1&a=2', 'a;b']);
      const [, y, m, d, h, min, s] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(String(headers['x-amz-date'])) ?? [];
      const now = new Date(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
      assert.ok(isRecent(now.getTime() / 1000));
      const expected = awsSignature(
        { method, url: `${there.origin}${target}`, headers: { 'content-type': 'text/csv' }, body: Buffer.from(body) },
        { accessKeyId: VALUES.key_id, secretAccessKey: VALUES.key, sessionToken: VALUES.session },
        { region: 'eu-central-1', service: 's3', now },
      );
      assert.deepEqual([headers.authorization, headers['x-amz-security-token']], [expected.headers['authorization'], VALUES.session]);
    });

    test('SF21: what is wrong with a signature is said by its place, in a dry run too, and nothing is sent', async () => {
      const [run, dry] = [await open(), await open(undefined, { dry_run: true })];
      const ofHmac = { scheme: 'hmac-sha256', secret: 'key' };
      const ofJwt = { scheme: 'jwt-hs256', secret: 'key' };
      const ofAws = { scheme: 'aws-sigv4', access_key_id: 'key_id', secret_access_key: 'key', region: 'x', service: 's3' };
      const token_url = `${there.origin}/v1/token`;
      const ofOauth = { scheme: 'oauth2-client-credentials', client_id: 'key_id', client_secret: 'key', token_url };
      const given = (name: string): Record<string, Json> => ({ headers: { [name]: 'mine' } });
      for (const [sign, values, code, said] of [
        [
          { scheme: 'md5', secret: 'key' },
          {},
          'invalid_enum',
          /\/sign\/scheme: must be one of hmac-sha256, aws-sigv4, basic, jwt-hs256, oauth2/,
        ],
        [{ scheme: 5 }, {}, 'invalid_type', /\/sign\/scheme: must be one of/],
        [{}, {}, 'required', /\/sign\/scheme: is required/],
        ['basic', {}, 'invalid_type', /\/sign: must be an object/],
        [{ scheme: 'hmac-sha256' }, {}, 'required', /\/sign\/secret: is required/],
        [{ ...ofHmac, secret: '{{secret:key}}' }, {}, 'invalid_value', /\/sign\/secret: must begin with a lower-case letter/],
        [{ ...ofHmac, encodng: 'hex' }, {}, 'unknown_field', /\/sign\/encodng: is not a known field; the nearest known one is encoding/],
        [{ ...ofHmac, header: 'a\r\nb: c' }, {}, 'invalid_value', /\/sign\/header: must be the name of a header/],
        [{ ...ofHmac, prefix: 'a\r\nb: c' }, {}, 'invalid_value', /\/sign\/prefix: must have only printable characters/],
        [{ ...ofHmac, signed: 'nothing' }, {}, 'invalid_value', /\/sign\/signed: must contain \{body\}/],
        [{ ...ofHmac, signed: '{timestamp}{body}' }, {}, 'invalid_value', /\/sign\/signed: .*so the receiver must get it/],
        [{ ...ofHmac, timestamp_header: 'x-time' }, {}, 'invalid_value', /\/sign\/signed: must contain \{timestamp\}/],
        [{ ...ofHmac, header: 'Host' }, {}, 'invalid_value', /\/sign\/header: is set by the server/],
        [{ ...ofHmac, header: 'Idempotency-Key' }, {}, 'invalid_value', /\/sign\/header: is set by the server/],
        [ofHmac, given('X-SIGNATURE'), 'invalid_value', /\/headers\/X-SIGNATURE: is set by the signature \(hmac-sha256\)/],
        [ofAws, given('X-Amz-Date'), 'invalid_value', /\/headers\/X-Amz-Date: is set by the signature/],
        [ofOauth, given('Authorization'), 'invalid_value', /\/headers\/Authorization: is set by the signature/],
        [ofHmac, given('Host'), 'invalid_value', /\/headers\/Host: is set by the server/],
        [{ ...ofAws, region: 'a/b' }, {}, 'invalid_value', /\/sign\/region: must have only lower-case/],
        [{ scheme: 'basic', user: 'a:b', password: 'password' }, {}, 'invalid_value', /\/sign\/user: must have no colon/],
        [{ scheme: 'basic', user: 'me' }, {}, 'invalid_value', /\/sign\/password: must name a secret/],
        [{ ...ofJwt, claims: { exp: 1 } }, {}, 'invalid_value', /\/sign\/claims: must not have exp: the server sets/],
        [{ ...ofJwt, prefix: '\r\n' }, {}, 'invalid_value', /\/sign\/prefix: must have only printable/],
        [{ ...ofJwt, secret: 'other' }, {}, 'secret_not_declared', /does not declare the secret \\"other\\"/],
        [{ ...ofAws, session_token: 'other' }, {}, 'secret_not_declared', /does not declare the secret \\"other\\"/],
        [{ scheme: 'basic', user: { secret: 'other' } }, {}, 'secret_not_declared', /does not declare the secret \\"other\\"/],
        [{ ...ofOauth, token_url: `${there.origin}/token` }, {}, 'http_not_allowed', /its token may not be got: .*no entry for POST/],
        [{ ...ofOauth, token_url: 'file:///etc/passwd' }, {}, 'http_not_allowed', /its token may not be got: the address must be/],
      ] as const) {
        for (const one of [run, dry]) {
          const refused = await send(one, sign, { sample: {}, ...values });
          assert.equal(codeOf(refused)[1], code, refused.text);
          assert.match(refused.text, said);
        }
      }
      assert.equal(there.got.length, 0);
    });

    test('SF21: a secret signs requests to its own hosts alone, and none that is redirected elsewhere', async () => {
      const run = await open();
      const signs = (secret: string): Json[] => [
        { scheme: 'hmac-sha256', secret },
        { scheme: 'jwt-hs256', secret },
        { scheme: 'basic', user: 'me', password: secret },
        { scheme: 'aws-sigv4', access_key_id: 'of_both', secret_access_key: secret, region: 'x', service: 's3' },
      ];
      there.decide(({ target }) =>
        target === '/v1/x' ? { status: 307, headers: { location: `${elsewhere.origin}/v1/x` } } : { body: 'here' },
      );
      for (const sign of signs('password')) {
        const away = await send(run, sign, { url: `${elsewhere.origin}/v1/x` });
        assert.deepEqual(codeOf(away), [403, 'secret_host_not_allowed'], away.text);
        const redirected = await send(run, sign, { body: 'b' });
        assert.deepEqual(codeOf(redirected), [403, 'secret_host_not_allowed'], redirected.text);
        assert.match(redirected.text, /redirects with a secret: the secret \\"password\\" may be sent to/);
      }
      assert.equal(elsewhere.got.length, 0);

      // Another host of the secret gets a signature of its own, over what it gets.
      const path = { scheme: 'hmac-sha256', secret: 'of_both', signed: '{method} {path} {body}' };
      assert.equal((await send(run, path, { body: 'b' })).status, 200);
      assert.equal(last().headers['x-signature'], hmac('POST /v1/x b'));
      assert.equal(elsewhere.got[0]?.headers['x-signature'], hmac('POST /v1/x b'));
      there.decide(({ target }) => (target === '/v1/x' ? { status: 303, headers: { location: '/v1/end?a' } } : {}));
      await send(run, path, { body: 'b' });
      assert.deepEqual([last().method, last().headers['x-signature']], ['GET', hmac('GET /v1/end?a ')]);
    });

    test('SF21: what was made of secrets never comes back: echoes are masked in headers, body, address and refusals', async () => {
      const run = await open();
      const echo = ({ headers }: Got): string =>
        JSON.stringify([headers.authorization ?? headers['x-signature'], headers['x-amz-security-token']]);
      const bare = (got: Got): string => /(?:Signature=|Basic |Bearer |\[")([\w+/=.-]{16,})"/.exec(echo(got))?.[1] ?? '';
      const signs: Json[] = [
        { scheme: 'hmac-sha256', secret: 'key' },
        { scheme: 'jwt-hs256', secret: 'key', claims: { iss: 'shop' } },
        { scheme: 'basic', user: 'me', password: 'password' },
        { scheme: 'aws-sigv4', access_key_id: 'key_id', secret_access_key: 'key', session_token: 'session', region: 'x', service: 's3' },
        token(),
      ];
      const found: string[] = [];
      for (const sign of signs) {
        there.decide((got) => {
          if (got.target.includes('token')) return { body: JSON.stringify({ access_token: 't0ken-of-the-shop', token_type: 'bearer' }) };
          const text = bare(got);
          if (got.target === '/v1/go') return { status: 302, headers: { location: `/v2/${encodeURIComponent(text)}` } };
          found.push(...text.split('.').slice(-1));
          const binary = Buffer.from(text, 'hex').toString('base64');
          return {
            headers: { 'x-echo': text },
            body: `${echo(got)} ${text.toUpperCase()} ${Buffer.from(text).toString('base64')} ${binary}`,
          };
        });
        const answer = await send(run, sign, { headers: { accept: '*/*' } });
        assert.equal(answer.status, 200, answer.text);
        assert.match(String(field(field(answer.body, 'headers'), 'x-echo')), /^\[secret:(key|password)\]$/);
        const away = await fetch(run, sign, { url: `${there.origin}/v1/go` });
        assert.deepEqual(codeOf(away), [403, 'http_not_allowed'], away.text);
        const secret = found.at(-1) ?? '';
        assert.ok(secret.length > 15, JSON.stringify(sign));
        const inBase64 = Buffer.from(secret, 'hex').toString('base64');
        for (const text of [secret, ...(inBase64.length > 20 ? [inBase64] : [])])
          assert.ok(!`${answer.text}${away.text}`.toLowerCase().includes(text.toLowerCase()), `${JSON.stringify(sign)} ${answer.text}`);
      }
      const texts = [...found, ...Object.values(VALUES).filter((value) => value !== VALUES.key_id)];
      assert.deepEqual(await tablesNaming(app().store, texts), {});
      assert.ok(lines.length > 10);
      assert.deepEqual(
        lines.filter((line) => texts.some((text) => line.includes(text))),
        [],
      );
    });

    test('SF21: each try has a time of its own', async () => {
      const run = await open();
      there.decide(() => (there.got.length === 1 ? { status: 503 } : {}));
      const sign = {
        scheme: 'hmac-sha256',
        secret: 'key',
        timestamp: 'milliseconds',
        timestamp_header: 'x-time',
        signed: '{timestamp}.{body}',
      };
      assert.equal(field((await send(run, sign, { body: 'b' })).body, 'status'), 200);
      const [first, second] = there.got.map(({ headers }) => headers);
      assert.ok(Number(first?.['x-time']) < Number(second?.['x-time']));
      for (const headers of [first, second]) assert.equal(headers?.['x-signature'], hmac(`${String(headers?.['x-time'])}.b`));
      assert.equal(first?.['idempotency-key'], second?.['idempotency-key']);
    });

    test('SF21: a later attempt gets the answer that was given, and signs anew only what it sends again', async () => {
      const run = await claimedRun(app(), {}, await makeSigning(undefined, { on_interrupt: 'resume' }));
      const sign = { scheme: 'jwt-hs256', secret: 'key' };
      there.decide(() => (there.got.length === 2 ? 'cut' : { body: String(there.got.length) }));
      const [a, b] = ['a', 'b'].map((body) => ({ body, timeout_ms: 30_000 }));
      const answered = await send(run, sign, a);
      const lost = await send(run, sign, b);
      assert.deepEqual(codeOf(lost), [409, 'outcome_unknown'], lost.text);
      await lapse(app(), run);
      const next = { ...run, ...(await claimRun(app(), run)) };
      assert.equal((await send(next, sign, a)).text, answered.text);
      assert.equal((await send(next, sign, b)).text, lost.text);
      assert.equal(there.got.length, 2);
      there.decide(() => (there.got.length === 3 ? 'cut' : {}));
      assert.equal((await send(next, sign, { body: 'c', repeat: true })).status, 200);
      const [, , third, fourth] = there.got.map(({ headers }) => headers);
      assert.equal(third?.['idempotency-key'], fourth?.['idempotency-key']);
      assert.match(String(fourth?.authorization), /^Bearer eyJ/);
    });

    test('SF21: a dry run shows the scheme and the names of its secrets, and neither sends the request nor gets a token', async () => {
      const run = await open(undefined, { dry_run: true });
      const sample = { status: 201 };
      assert.deepEqual(codeOf(await send(run, token())), [422, 'sample_required']);
      assert.equal(field((await send(run, token(), { body: 'b', sample })).body, 'status'), 201);
      assert.equal(field((await fetch(run, token(), { sample })).body, 'status'), 201);
      const aws = { scheme: 'aws-sigv4', access_key_id: 'key_id', secret_access_key: 'key', region: 'x', service: 's3' };
      await send(run, aws, { sample });
      assert.deepEqual(
        (await effectsOf(run)).map(({ changes }) => changes['signed']),
        [
          [null, `oauth2-client-credentials with {{secret:key_id}}, {{secret:key}}, with a token from ${there.origin}/v1/token`],
          [null, 'aws-sigv4 with {{secret:key_id}}, {{secret:key}}'],
        ],
      );
      assert.equal(there.got.length, 0);
    });

    test('SF21: a secret that cannot stand in a header is refused by the place that names it', async () => {
      await makeSecret('broken', 'a: b\r\nc');
      const run = await open([...NAMES, 'broken']);
      const aws = { scheme: 'aws-sigv4', access_key_id: 'broken', secret_access_key: 'key', region: 'x', service: 's3' };
      for (const [sign, said] of [
        [aws, /\/sign\/access_key_id: with its secret, must have only printable/],
        [{ ...aws, access_key_id: 'key_id', session_token: 'broken' }, /\/sign\/session_token: with its secret/],
        [{ scheme: 'basic', user: { secret: 'broken' } }, /\/sign\/user: with its secret, must have no colon/],
      ] as const) {
        const refused = await send(run, sign);
        assert.deepEqual(codeOf(refused), [422, 'invalid_value'], refused.text);
        assert.match(refused.text, said);
      }
      for (const scheme of ['hmac-sha256', 'jwt-hs256']) assert.equal((await send(run, { scheme, secret: 'broken' })).status, 200);
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '600' }, log: (line) => void lines.push(line) },
);
