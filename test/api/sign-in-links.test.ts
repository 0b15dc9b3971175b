import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN, STOPPED } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, field } from '../helpers/runs.ts';
import { expireLinks, expireToken, revokeElsewhere } from '../helpers/stored-rows/people.ts';

onBothStores('sign-in links', (app) => {
  const redeem = (code: unknown, token: string | null = null, headers: Record<string, string> = {}) =>
    app().request({ method: 'POST', path: '/admin/api/sign-in', body: { code }, token, headers });
  const codeFor = async (token: string = OWNER_TOKEN): Promise<string> => {
    const { code } = await app().clientFor(token).me.create_sign_in_link({});
    assert.ok(code);
    return code;
  };
  const INVALID = [422, 'invalid_code'];

  test('a link signs in once, without a token, for 12 hours; the token is told and listed like any other', async () => {
    const { client, clientFor } = app();
    const link = await client.me.create_sign_in_link({ expires_in_minutes: 60 });
    assert.equal(link.url_path, `/sign-in#${link.code}`);
    assert.match(link.code ?? '', /^[0-9A-Za-z]{43}$/);
    const { status, body } = await redeem(link.code);
    assert.equal(status, 201);
    const token = String(field(body, 'token'));
    const me = await clientFor(token).me.get();
    assert.deepEqual(field(body, 'admin'), { id: me.id, name: 'Owner' });
    const [listed] = await client.me.list_tokens();
    assert.deepEqual(
      [listed?.id, listed?.name, listed?.expires_at, listed?.permissions],
      [me.token_id, 'Sign-in link', field(body, 'expires_at'), null],
    );
    const hours = (Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '')) / 3_600_000;
    assert.equal(hours, 12);
    const [told] = (await client.notifications.list({ limit: 1 })).notifications;
    assert.deepEqual(
      [told?.type, told?.metadata],
      ['personal_access_token_created', { token_id: me.token_id, name: 'Sign-in link', admin_id: me.id }],
    );
    assert.deepEqual(codeOf(await redeem(link.code)), INVALID);
  });

  test('two who open a link at the same time get one token', async () => {
    const code = await codeFor();
    const statuses = (await Promise.all([redeem(code), redeem(code), redeem(code)])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, 422, 422]);
  });

  test('the token may what the maker of the link may, and not more', async () => {
    const narrow = await person(app(), { role: 'owner', list: ['admin_api.orders.read'] });
    const { body } = await redeem(await codeFor(narrow.token));
    const client = app().clientFor(String(field(body, 'token')));
    const { id, effective_permissions } = await client.me.get();
    assert.deepEqual([id, effective_permissions], [narrow.adminId, ['admin_api.orders.read']]);
    await refused(client.customers.list(), 403, 'forbidden');
  });

  test('used, expired, unknown, and of a token that is no longer valid: all have the same answer', async () => {
    const { client, clientFor } = app();
    const used = await codeFor();
    await redeem(used);
    const [revoked, gone] = [await person(app()), await person(app())];
    const [ofRevoked, ofGone] = [await codeFor(revoked.token), await codeFor(gone.token)];
    await clientFor(revoked.token).me.revoke_token(revoked.tokenId);
    await client.admins.update(gone.adminId, { active: false });
    const expired = await codeFor();
    await expireLinks(app().store);
    const bodies = new Set<string>();
    for (const code of [used, ofRevoked, ofGone, expired, 'x'.repeat(43), OWNER_TOKEN]) {
      const answer = await redeem(code, null, { 'x-request-id': 'same' });
      assert.deepEqual(codeOf(answer), INVALID);
      bodies.add(answer.text);
    }
    assert.equal(bodies.size, 1);
  });

  test('a link ends with a token that another server revoked', async () => {
    const maker = await person(app());
    const code = await codeFor(maker.token);
    await revokeElsewhere(app().store, maker.tokenId);
    assert.deepEqual(codeOf(await redeem(code)), INVALID);
  });

  test('a repeated request with the same Idempotency-Key shows neither code nor token again', async () => {
    const headers = { 'idempotency-key': 'again' };
    const make = () => app().request({ method: 'POST', path: '/admin/api/me/sign-in-links', body: {}, headers });
    const code = field((await make()).body, 'code');
    const repeated = (await make()).body;
    assert.deepEqual([field(repeated, 'code'), field(repeated, 'url_path')], [null, null]);
    const first = await redeem(code, null, headers);
    const second = await redeem(code, null, headers);
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.ok(field(first.body, 'token'));
    assert.equal(field(second.body, 'token'), null);
  });

  test('runs and runners can neither make nor use a link; a wrong token is 401 there too', async () => {
    const run = await claimedRun(app());
    const code = await codeFor();
    for (const token of [run.claim.token, run.claim.report_token, RUNNER_TOKEN]) {
      assert.deepEqual(codeOf(await redeem(code, token)), [403, 'forbidden']);
      const made = await app().request({ method: 'POST', path: '/admin/api/me/sign-in-links', body: {}, token });
      assert.deepEqual(codeOf(made), [403, 'forbidden']);
    }
    assert.deepEqual(codeOf(await redeem(code, 'wrong')), [401, 'unauthorized']);
    assert.equal((await redeem(code)).status, 201);
  });

  test('AU13: every other spelling and method still needs a token before anything else is said', async () => {
    for (const [method, path] of [
      ['GET', '/admin/api/sign-in'],
      ['PUT', '/admin/api/sign-in'],
      ['POST', '/admin/api/sign-in/'],
      ['POST', '/admin/api/Sign-in'],
      ['POST', '/admin/api/sign-in%2F'],
      ['POST', '/admin/api//sign-in'],
      ['POST', '/admin/api/sign-in/x'],
      ['POST', '/admin/api/me/sign-in-links'],
    ] as const) {
      const answer = await app().request({ method, path, token: null, ...(method === 'GET' ? {} : { body: { code: 'x' } }) });
      assert.deepEqual(codeOf(answer), [401, 'unauthorized'], `${method} ${path}`);
    }
  });

  test('a bad body is refused with its place', async () => {
    const wrong = await redeem(1);
    assert.deepEqual(codeOf(wrong), [422, 'invalid_type']);
    for (const minutes of [0, 61]) await refused(app().client.me.create_sign_in_link({ expires_in_minutes: minutes }), 422, 'out_of_range');
  });
});

onBothStores('tokens of sign-in links', (app) => {
  const codeFor = async (token: string): Promise<unknown> => (await app().clientFor(token).me.create_sign_in_link({})).code;
  const redeem = (code: unknown) => app().request({ method: 'POST', path: '/admin/api/sign-in', body: { code }, token: null });

  test('the token of a link ends with the token that made the link, and so on along a chain of links', async () => {
    const { clientFor } = app();
    const maker = await person(app());
    const signedIn = async (token: string) => String(field((await redeem(await codeFor(token))).body, 'token'));
    const statusOf = async (token: string) => (await app().request({ path: '/admin/api/me', token })).status;
    const first = await signedIn(maker.token);
    const second = await signedIn(first);
    const third = await signedIn(second);
    const [other, plain] = [await signedIn(maker.token), await clientFor(first).me.create_token({ name: 'on purpose' })];
    const pending = await codeFor(third);
    const { token_id } = await clientFor(first).me.get();
    await clientFor(maker.token).me.revoke_token(token_id);
    const all = [maker.token, first, second, third, other, plain.token ?? ''];
    assert.deepEqual(await Promise.all(all.map(statusOf)), [200, 401, 401, 401, 200, 200]);
    assert.deepEqual(codeOf(await redeem(pending)), [422, 'invalid_code']);
    const { data } = await app().client.audit_log.list({ action: 'me.revoke_token' });
    assert.equal(data.filter(({ resource }) => resource.id !== null && resource.id >= token_id).length, 3);
    await clientFor(maker.token).me.revoke_token(maker.tokenId);
    assert.deepEqual(await Promise.all(all.map(statusOf)), [401, 401, 401, 401, 401, 200]);
    assert.deepEqual(
      (await clientFor(plain.token ?? '').me.list_tokens()).map(({ name }) => name),
      ['on purpose'],
    );
  });

  test('the token of a link lasts no longer than the token that made the link', async () => {
    const maker = await person(app());
    const soon = new Date(Date.now() + 60_000).toISOString();
    await expireToken(app().store, maker.tokenId, soon);
    const { body } = await redeem(await codeFor(maker.token));
    assert.equal(field(body, 'expires_at'), soon);
    const again = await redeem(await codeFor(String(field(body, 'token'))));
    assert.equal(field(again.body, 'expires_at'), soon);
  });
});

onBothStores('sign-in links while their maker is revoked', (app) => {
  const codeFor = async (token: string): Promise<unknown> => (await app().clientFor(token).me.create_sign_in_link({})).code;
  const redeem = (code: unknown) => app().request({ method: 'POST', path: '/admin/api/sign-in', body: { code }, token: null });

  test('a link that is opened while its maker is revoked leaves no token behind', async () => {
    for (let n = 0; n < 5; n++) {
      const maker = await person(app());
      const middle = String(field((await redeem(await codeFor(maker.token))).body, 'token'));
      const codes = await Promise.all([codeFor(middle), codeFor(middle), codeFor(maker.token)]);
      const [, ...answers] = await Promise.all([
        app().clientFor(maker.token).me.revoke_token(maker.tokenId),
        ...codes.map((code) => redeem(code)),
      ]);
      for (const { status, body } of answers) {
        if (status === 201) assert.equal((await app().request({ path: '/admin/api/me', token: String(field(body, 'token')) })).status, 401);
        else assert.equal(status, 422);
      }
    }
  });
});

onBothStores(
  'the limit of sign-ins',
  (app) => {
    test('an address may try 20 codes a minute, then gets 429 even for a good one; tokens still work', async () => {
      const attempt = (code: string) => app().request({ method: 'POST', path: '/admin/api/sign-in', body: { code }, token: null });
      const first = await attempt('wrong');
      assert.equal(first.headers['ratelimit-policy'], '"sign-in";q=20;w=60');
      for (let n = 1; n < 20; n++) assert.equal((await attempt(`wrong-${n}`)).status, 422);
      const { code } = await app().client.me.create_sign_in_link({});
      const refusal = await attempt(code ?? '');
      assert.deepEqual(codeOf(refusal), [429, 'rate_limited']);
      assert.deepEqual(field(refusal.body, 'violated-policies'), ['sign-in']);
      assert.ok(Number(refusal.headers['retry-after']) >= 1);
      assert.equal((await app().request({ path: '/admin/api/customers' })).status, 200);
    });
  },
  { rateClock: STOPPED },
);
