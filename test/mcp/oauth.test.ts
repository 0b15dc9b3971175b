import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Outgoing } from '../../server/providers/http/send.ts';
import { onBothStores } from '../helpers/app.ts';
import { allow, beginRequest, connectByOauth, officialClient, openBrowser, REDIRECT, tokens } from '../helpers/oauth.ts';

const DOCUMENT = 'https://client.example/oauth/metadata.json';
const outgoing: Outgoing = {
  send: async ({ origin, target }) => {
    assert.equal(`${origin}${target}`, DOCUMENT);
    const document = { client_id: DOCUMENT, client_name: 'Claude', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)) };
  },
};

onBothStores(
  'MC8: OAuth',
  (app) => {
    const on = () => app().client.settings.update({ public_url: app().url });
    const post = (token: string | null) =>
      app().request({ method: 'POST', path: '/mcp', token, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });

    test('is off while the shop has no public address, and then nobody is told of it', async () => {
      for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server', '/oauth/authorize'])
        assert.equal((await app().request({ path, token: null })).status, 404);
      assert.doesNotMatch(String((await post(null)).headers['www-authenticate']), /resource_metadata/);
    });

    test('is described where clients look for it', async () => {
      await on();
      const { url } = app();
      const { headers } = await post(null);
      assert.match(String(headers['www-authenticate']), new RegExp(`resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`));
      for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
        const { body } = await app().request({ path, token: null });
        assert.deepEqual(z.object({ resource: z.string(), authorization_servers: z.array(z.string()) }).parse(body), {
          resource: `${url}/mcp`,
          authorization_servers: [url],
        });
      }
      const { body } = await app().request({ path: '/.well-known/oauth-authorization-server', token: null });
      const shape = z.record(z.string(), z.unknown()).parse(body);
      assert.deepEqual(
        [shape['issuer'], shape['code_challenge_methods_supported'], shape['client_id_metadata_document_supported']],
        [url, ['S256'], true],
      );
      assert.deepEqual(
        [shape['authorization_endpoint'], shape['token_endpoint'], shape['registration_endpoint'], shape['revocation_endpoint']],
        ['/oauth/authorize', '/oauth/token', '/oauth/register', '/oauth/revoke'].map((path) => `${url}${path}`),
      );
    });

    for (const documentUrl of [undefined, DOCUMENT])
      test(`the official client ${documentUrl ? 'with a metadata document' : 'that registers itself'} is connected, and revoked`, async () => {
        await on();
        const official = officialClient(app(), documentUrl ? { documentUrl } : {});
        const first = await official.connect();
        await assert.rejects(first.connected, UnauthorizedError);
        const browser = openBrowser(app());
        const request = await beginRequest(app(), browser, official.kept.redirected?.href ?? '');
        const asked = await app().client.me.get_agent_request(request);
        assert.deepEqual(
          [asked.client_name, asked.client_host, asked.redirect_host, asked.asked],
          [documentUrl ? 'Claude' : 'Official client', documentUrl ? 'client.example' : null, '127.0.0.1:8123', null],
        );
        const back = await allow(app().client, browser, request, { name: 'by oauth', permissions: ['admin_api.orders.read'] });
        assert.equal(`${back.origin}${back.pathname}`, REDIRECT);
        assert.deepEqual([back.searchParams.get('state'), back.searchParams.get('iss')], ['a-state', app().url]);
        await first.transport.finishAuth(back.searchParams);
        const { client, connected } = await official.connect();
        await connected;
        const { content } = await client.callTool({ name: 'call', arguments: { operation: 'orders.list' } });
        assert.match(JSON.stringify(content), /total_pages/);
        const [agent] = await app().client.me.list_agents();
        assert.deepEqual(
          [agent?.name, agent?.client, agent?.permissions],
          ['by oauth', documentUrl ? 'client.example' : 'Official client', ['admin_api.orders.read']],
        );
        await app().client.me.revoke_agent(agent?.id ?? 0);
        await assert.rejects(client.callTool({ name: 'call', arguments: { operation: 'orders.list' } }));
        await client.close();
      });

    test('tokens are renewed, each refresh token once; a client may end its access', async () => {
      await on();
      const { clientId, access, refresh } = await connectByOauth(app(), { name: 'renewed', permissions: ['admin_api.orders.read'] });
      assert.equal((await post(access)).status !== 401, true);
      const form = { grant_type: 'refresh_token', client_id: clientId };
      const renewed = await tokens(app(), { ...form, refresh_token: refresh });
      assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
      assert.notEqual(renewed.body.refresh_token, refresh);
      assert.notEqual((await post(renewed.body.access_token)).status, 401);
      await tokens(app(), { client_id: clientId, token: renewed.body.refresh_token }, '/oauth/revoke');
      assert.equal((await post(renewed.body.access_token)).status, 401);
      assert.ok(!(await app().client.me.list_agents()).some(({ name }) => name === 'renewed'));
    });
  },
  { outgoing },
);
