import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores, startApp } from '../helpers/app.ts';
import { allow, authorizationUrl, beginRequest, connectByOauth, openBrowser, pkce, REDIRECT, register, tokens } from '../helpers/oauth.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const ORDERS = ['admin_api.orders.read'] as const;
const SECRETS_KEY = 'a'.repeat(64);

onBothStores(
  'MC8: attacks on OAuth',
  (app, engine) => {
    const on = () => app().client.settings.update({ public_url: app().url });
    const statusAtMcp = async (token: string) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const headers = { accept: 'application/json, text/event-stream' };
      return (await app().request({ method: 'POST', path: '/mcp', token, body, headers })).status;
    };
    const clientId = async () => (await register(app())).body.client_id;
    /** Where a request leads: the error that the client is told, or that a page shows. */
    const errorOf = async (query: Record<string, string | undefined>) => {
      const { at, text, status } = await openBrowser(app()).go(
        authorizationUrl(app(), { client_id: await clientId(), code_challenge: pkce().challenge, ...query }),
      );
      if (at.startsWith(`${app().url}/`)) return `page ${status} ${/cannot go on\. (\w+)/.exec(text)?.[1]}`;
      const { searchParams, hash } = new URL(at);
      return `${searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')}`;
    };
    const listed = async (name: string) => (await app().client.me.list_agents()).some((one) => one.name === name);

    test('a code that comes twice ends the agent, also where both come at once', async () => {
      await on();
      const one = await connectByOauth(app(), { name: 'twice', permissions: [...ORDERS] });
      assert.equal(await statusAtMcp(one.access), 200);
      const again = await tokens(app(), one.form);
      assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
      assert.equal(await statusAtMcp(one.access), 401);
      assert.equal((await tokens(app(), { grant_type: 'refresh_token', client_id: one.clientId, refresh_token: one.refresh })).status, 400);
      assert.equal(await listed('twice'), false);

      const client_id = await clientId();
      const { verifier, challenge } = pkce();
      const browser = openBrowser(app());
      const request = await beginRequest(app(), browser, authorizationUrl(app(), { client_id, code_challenge: challenge }));
      const code = (await allow(app().client, browser, request, { name: 'at once' })).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT, code_verifier: verifier };
      const both = await Promise.all([tokens(app(), form), tokens(app(), form)]);
      assert.ok(both.some(({ status }) => status === 400));
      for (const { body } of both) if (body.access_token) assert.equal(await statusAtMcp(body.access_token), 401);
      assert.equal(await listed('at once'), false);
    });

    test('a code is worth nothing with another client, verifier, address or resource', async () => {
      await on();
      const client_id = await clientId();
      const { verifier, challenge } = pkce();
      const browser = openBrowser(app());
      const request = await beginRequest(app(), browser, authorizationUrl(app(), { client_id, code_challenge: challenge }));
      const code = (await allow(app().client, browser, request)).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT, code_verifier: verifier };
      for (const wrong of [
        { client_id: await clientId() },
        { code_verifier: pkce().verifier },
        { code_verifier: '' },
        { redirect_uri: `${REDIRECT}/other` },
        { redirect_uri: REDIRECT.replace('8123', '8124') },
      ])
        assert.equal((await tokens(app(), { ...form, ...wrong })).status, 400, JSON.stringify(wrong));
      const other = await tokens(app(), { ...form, resource: `${app().url}/admin/api` });
      assert.deepEqual([other.status, other.body.error], [400, 'invalid_target']);
    });

    test('a request without PKCE, for another address, resource or scope than it may is refused before anybody is asked', async () => {
      await on();
      assert.equal(await errorOf({ code_challenge: undefined, code_challenge_method: undefined }), 'invalid_request');
      assert.equal(await errorOf({ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }), 'invalid_request');
      assert.equal(await errorOf({ resource: 'https://elsewhere.example/mcp' }), 'invalid_target');
      assert.equal(await errorOf({ response_type: 'token' }), 'unsupported_response_type');
      assert.equal(await errorOf({ scope: 'admin_api.orders.read admin_api.settings.write' }), 'invalid_scope');
      assert.equal(await errorOf({ scope: 'admin_api.nothing.read' }), 'invalid_scope');
      assert.equal(await errorOf({ prompt: 'none' }), 'consent_required');
      for (const redirect_uri of [
        'http://127.0.0.1:8123/other',
        'https://evil.example/callback',
        'http://127.0.0.1.evil.example:8123/callback',
      ])
        assert.equal(await errorOf({ redirect_uri }), 'page 400 invalid_redirect_uri', redirect_uri);
      const { client_id } = (await register(app(), { redirect_uris: ['https://client.example/callback'] })).body;
      for (const redirect_uri of [
        'https://client.example:8443/callback',
        'https://client.example/callback?x=1',
        'http://client.example/callback',
      ])
        assert.equal(await errorOf({ client_id, redirect_uri }), 'page 400 invalid_redirect_uri', redirect_uri);
      assert.equal(await errorOf({ client_id: 'unknown' }), 'page 400 invalid_client');
    });

    test('a refresh token that comes twice ends the agent', async () => {
      await on();
      const { clientId: client_id, refresh } = await connectByOauth(app(), { name: 'stolen', permissions: [...ORDERS] });
      const form = { grant_type: 'refresh_token', client_id, refresh_token: refresh };
      const other = await tokens(app(), { ...form, client_id: await clientId() });
      assert.deepEqual([other.status, other.body.error], [400, 'invalid_grant']);
      const renewed = await tokens(app(), form);
      assert.equal(await statusAtMcp(renewed.body.access_token), 200);
      assert.equal((await tokens(app(), form)).status, 400);
      assert.equal(await statusAtMcp(renewed.body.access_token), 401);
      assert.equal((await tokens(app(), { ...form, refresh_token: renewed.body.refresh_token })).status, 400);
      assert.equal(await listed('stolen'), false);
    });

    test('an access token is valid at /mcp alone, and a refresh token nowhere', async () => {
      await on();
      const { access, refresh } = await connectByOauth(app(), { permissions: [...ORDERS] });
      assert.equal((await app().request({ path: '/admin/api/orders', token: access })).status, 403);
      assert.equal((await app().request({ path: '/admin/api/orders', token: refresh })).status, 401);
      assert.equal(await statusAtMcp(refresh), 401);
      await refused(app().clientFor(access).me.create_agent({ name: 'x', permissions: [] }), 403, 'forbidden');
    });

    test('an admin who lost access, or permissions, takes them from the agent at once', async () => {
      await on();
      const staff = await person(app(), { permissions: ['admin_api.orders.read', 'admin_api.products.read'] });
      const api = app().clientFor(staff.token);
      await refused(connectByOauth(app(), { permissions: ['admin_api.customers.read'] }, api), 403, 'permission_not_held');
      const { access, refresh, clientId: client_id } = await connectByOauth(app(), { permissions: [...ORDERS] }, api);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'call', arguments: { operation: 'orders.list' } } };
      const headers = { accept: 'application/json, text/event-stream' };
      const asks = () => app().request({ method: 'POST', path: '/mcp', token: access, body: call, headers });
      assert.match((await asks()).text, /total_pages/);
      await app().client.admins.update(staff.adminId, { permissions: ['admin_api.products.read'] });
      assert.match((await asks()).text, /forbidden/);
      await app().client.admins.update(staff.adminId, { active: false });
      assert.equal((await asks()).status, 401);
      assert.equal((await tokens(app(), { grant_type: 'refresh_token', client_id, refresh_token: refresh })).status, 400);
    });

    test('an answer counts once, for what was asked, and in the browser that began', async () => {
      await on();
      const client_id = await clientId();
      const url = authorizationUrl(app(), { client_id, code_challenge: pkce().challenge, scope: 'admin_api.orders.read' });
      const mine = openBrowser(app());
      const theirs = openBrowser(app());
      const request = await beginRequest(app(), mine, url);
      assert.deepEqual((await app().client.me.get_agent_request(request)).asked, ['admin_api.orders.read']);
      await refused(app().client.me.allow_agent(request, { name: 'more', permissions: ['admin_api.products.read'] }), 422, 'invalid_value');
      // Another site can send the browser's cookies, but not the token of whoever is signed in.
      const path = `/admin/api/me/agent-requests/${request}/allow`;
      const cookie = [...mine.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, origin: 'https://evil.example' };
      assert.equal((await app().request({ method: 'POST', path, token: null, headers, body: { name: 'x', permissions: [] } })).status, 401);
      // Whoever is lured to the page of another one's request may answer it, but neither browser can go on.
      const { continue_path } = await app().client.me.allow_agent(request, { name: 'lured', permissions: [...ORDERS] });
      assert.equal((await theirs.go(continue_path ?? '')).status, 403);
      const resume = `/oauth/authorize/${request}`;
      for (const guess of ['', '?answer=', '?answer=x', '?answer=x&answer=y'])
        assert.equal((await mine.go(`${resume}${guess}`)).status, 403);
      await refused(app().client.me.allow_agent(request, { name: 'again', permissions: [] }), 404, 'not_found');
      await refused(app().client.me.deny_agent(request), 404, 'not_found');
      await refused(app().client.me.get_agent_request(request), 404, 'not_found');
    });

    test('the answer to one request lets no other one go on', async () => {
      await on();
      const url = authorizationUrl(app(), { client_id: await clientId(), code_challenge: pkce().challenge });
      const [own, lured] = [openBrowser(app()), openBrowser(app())];
      const mine = await beginRequest(app(), own, url);
      const { continue_path } = await app().client.me.deny_agent(mine);
      // Somebody else allows the request that the attacker began, which the attacker's browser holds the cookie of.
      const theirs = await beginRequest(app(), lured, url);
      await app().client.me.allow_agent(theirs, { name: 'lured', permissions: [...ORDERS] });
      const { status, text } = await lured.go(continue_path ?? '');
      assert.deepEqual([status, /code=/.test(text)], [403, false]);
    });

    test('a refusal is told to the client, and a request that goes on cannot be repeated', async () => {
      await on();
      const url = authorizationUrl(app(), { client_id: await clientId(), code_challenge: pkce().challenge });
      const browser = openBrowser(app());
      const { continue_path } = await app().client.me.deny_agent(await beginRequest(app(), browser, url));
      const { at } = await browser.go(continue_path ?? '');
      assert.equal(new URL(at).searchParams.get('error'), 'access_denied');
      assert.equal((await browser.go(continue_path ?? '')).status, 403);
    });

    test('clients that register name addresses that may be redirected to, and little else', async () => {
      await on();
      for (const redirect_uris of [
        ['javascript:alert(1)'],
        ['data:text/html,x'],
        ['http://evil.example/'],
        ['https://client.example/#x'],
        ['https://user:word@client.example/'],
        ['nothing'],
        [],
      ]) {
        const { status, body } = await register(app(), { redirect_uris });
        assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata'], `${redirect_uris}`);
      }
      const { body } = await register(app(), {
        token_endpoint_auth_method: 'client_secret_basic',
        jwks_uri: 'https://127.0.0.1/keys',
        grant_types: ['client_credentials'],
        logo_uri: 'https://evil.example/logo.png',
      });
      assert.deepEqual(
        [body['token_endpoint_auth_method'], body['grant_types'], 'client_secret' in body, 'jwks_uri' in body, 'logo_uri' in body],
        ['none', ['authorization_code', 'refresh_token'], false, false, false],
      );
      assert.equal((await register(app(), { client_name: 'x'.repeat(20_000) })).status, 413);
    });

    test('the store has no code and no token, and forgets what has expired', async () => {
      await on();
      const { code, access, refresh } = await connectByOauth(app(), { permissions: [...ORDERS] });
      const { rows } = await sql<Record<string, unknown>>`SELECT * FROM oauth_records`.execute(app().store.reader);
      const text = JSON.stringify(rows);
      for (const secret of [code, access, refresh]) assert.ok(secret.length > 20 && !text.includes(secret));
      await sweepOld(app().store, Date.now() + 400 * 86_400_000);
      const { rows: left } = await sql`SELECT id FROM oauth_records`.execute(app().store.reader);
      assert.equal(left.length, 0);
    });

    test('any server goes on with what another began', async () => {
      await on();
      const other = await startApp(engine, { databaseUrl: app().databaseUrl, env: { SECRETS_KEY } });
      try {
        const client_id = await clientId();
        const { verifier, challenge } = pkce();
        const browser = openBrowser(app());
        const request = await beginRequest(app(), browser, authorizationUrl(app(), { client_id, code_challenge: challenge }));
        const { continue_path } = await other.client.me.allow_agent(request, { name: 'roams', permissions: [...ORDERS] });
        const { at } = await browser.go(new URL(continue_path ?? '', other.url).href);
        const code = new URL(at).searchParams.get('code') ?? '';
        const got = await tokens(other, {
          grant_type: 'authorization_code',
          client_id,
          code,
          redirect_uri: REDIRECT,
          code_verifier: verifier,
        });
        assert.equal(await statusAtMcp(got.body.access_token), 200);
        assert.equal((await tokens(app(), { grant_type: 'refresh_token', client_id, refresh_token: got.body.refresh_token })).status, 200);
      } finally {
        await other.close();
      }
    });
  },
  { env: { SECRETS_KEY } },
);
