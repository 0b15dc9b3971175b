import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Outgoing, OutgoingAnswer } from '../../server/providers/http/send.ts';
import { AnswerTooLarge, createOutgoing } from '../../server/providers/http/send.ts';
import { STOPPED, startApp, type TestApp } from '../helpers/app.ts';
import { allow, authorizationUrl, beginRequest, openBrowser, pkce, REDIRECT, tokens } from '../helpers/oauth.ts';

/** Metadata documents of clients: anybody can make the server ask for one. */

const HOST = 'https://client.example';
const documents = new Map<string, Partial<OutgoingAnswer> & { body: Buffer }>();
const asked: string[] = [];
const real = createOutgoing({ allowPrivate: false, answerMaxBytes: 1_000_000 });
/** Only the host of the test is answered for; every other request goes the usual way. */
const outgoing: Outgoing = {
  async send(request, signal) {
    if (request.origin !== HOST) return real.send(request, signal);
    asked.push(request.target);
    const found = { status: 404, headers: {}, body: Buffer.alloc(0), ...documents.get(request.target) };
    if (found.body.length > (request.answerMaxBytes ?? Number.POSITIVE_INFINITY)) throw new AnswerTooLarge('the answer is too long');
    return found;
  },
};

let app: TestApp;
before(async () => {
  app = await startApp('sqlite', { outgoing });
  await app.client.settings.update({ public_url: app.url });
});
after(() => app.close());

function publish(path: string, document: Record<string, unknown>, answer: Partial<OutgoingAnswer> = {}): string {
  const body = {
    client_id: `${HOST}${path}`,
    client_name: 'Client',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    ...document,
  };
  documents.set(path, { status: 200, ...answer, body: Buffer.from(JSON.stringify(body)) });
  return `${HOST}${path}`;
}

const go = (client_id: string, query: Record<string, string> = {}) =>
  openBrowser(app).go(authorizationUrl(app, { client_id, code_challenge: pkce().challenge, ...query }));

test('MC8: a document vouches for its client by its host', async () => {
  const id = publish('/good.json', { client_name: 'Claude', unknown: 'field', logo_uri: 'http://evil.example/x' });
  const url = authorizationUrl(app, { client_id: id, code_challenge: pkce().challenge });
  const { client_name, client_host } = await app.client.me.get_agent_request(await beginRequest(app, openBrowser(app), url));
  assert.deepEqual([client_name, client_host], ['Claude', 'client.example']);
});

test('MC8: a document at a private address, or of this machine, is not fetched', async () => {
  for (const id of ['https://127.0.0.1/c.json', 'https://localhost/c.json', 'https://169.254.169.254/c.json', 'https://[::1]/c.json']) {
    const { status, text } = await go(id);
    assert.deepEqual([status, /invalid_client/.test(text)], [400, true], `${id} ${text}`);
  }
});

test('MC8: a document that redirects, is huge, is another one’s, shares a secret or is no document is refused', async () => {
  const bad = [
    publish('/redirects.json', {}, { status: 302, headers: { location: 'https://127.0.0.1/c.json' } }),
    publish('/huge.json', { client_name: 'x'.repeat(200_000) }),
    publish('/another.json', { client_id: `${HOST}/good.json` }),
    publish('/secret.json', { token_endpoint_auth_method: 'client_secret_basic' }),
    publish('/hostile-redirect.json', { redirect_uris: ['javascript:alert(1)'] }),
    publish('/none.json', { redirect_uris: [] }),
    `${HOST}/missing.json`,
    'http://client.example/good.json',
    `${HOST}/a/../good.json`,
    'https://user@client.example/good.json',
  ];
  documents.set('/text.json', { status: 200, body: Buffer.from('no JSON') });
  for (const id of [...bad, `${HOST}/text.json`]) {
    const { at, status, text } = await go(id);
    assert.ok(at.startsWith(app.url) && status === 400, `${id}: ${status} ${at} ${text}`);
  }
});

test('MC8: what is fetched is cut off where it is longer than it may be', async () => {
  const server = createServer((_, answer) => answer.end('x'.repeat(1000)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = { method: 'GET', origin, target: '/', headers: {}, body: null };
  const near = createOutgoing({ allowPrivate: true, answerMaxBytes: 2000 });
  const cutOff = AbortSignal.timeout(60_000);
  assert.equal((await near.send(request, cutOff)).body.length, 1000);
  await assert.rejects(near.send({ ...request, answerMaxBytes: 999 }, cutOff), AnswerTooLarge);
  server.closeAllConnections();
  server.close();
});

test('MC8: a client may prove by its own key that a code is its own', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  documents.set('/keys.json', {
    status: 200,
    body: Buffer.from(JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'a' }] })),
  });
  const client_id = publish('/proves.json', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `${HOST}/keys.json` });
  const { verifier, challenge } = pkce();
  const browser = openBrowser(app);
  const request = await beginRequest(app, browser, authorizationUrl(app, { client_id, code_challenge: challenge }));
  const code = (await allow(app.client, browser, request, { name: 'proves' })).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT, code_verifier: verifier };
  assert.equal((await tokens(app, form)).body.error, 'invalid_client');
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: client_id, sub: client_id, aud: app.url, jti: 'once', iat: seconds, exp: seconds + 60 };
  const signed = [{ alg: 'ES256', kid: 'a' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const proof = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${signature}`,
  };
  const got = await tokens(app, { ...form, ...proof });
  assert.equal(got.status, 200, JSON.stringify(got.body));
  const again = { grant_type: 'refresh_token', client_id, refresh_token: got.body.refresh_token };
  assert.equal((await tokens(app, { ...again, ...proof })).body.error, 'invalid_client', 'a proof is used once');
});

test('MC8: its addresses are those of the public address, whatever the request came by; its cookies are for https alone', async () => {
  const id = publish('/secure.json', {});
  await app.client.settings.update({ public_url: 'https://shop.example' });
  try {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const { body } = await app.request({ path: '/.well-known/oauth-authorization-server', token: null, headers });
    assert.doesNotMatch(JSON.stringify(body), /evil|127\.0\.0\.1/);
    const path = authorizationUrl({ url: '' }, { client_id: id, code_challenge: pkce().challenge, resource: 'https://shop.example/mcp' });
    const answer = await app.request({ path, token: null, headers });
    assert.match(String(answer.headers['location']), /^https:\/\/shop\.example\/connect\//);
    const cookies = String(answer.headers['set-cookie']).split(/, (?=backroom)/);
    assert.ok(cookies.length >= 2 && cookies.every((one) => /; secure/i.test(one) && /; httponly/i.test(one) && /samesite=lax/i.test(one)));
  } finally {
    await app.client.settings.update({ public_url: app.url });
  }
});

test('MC8: only the addresses of the document are redirected to', async () => {
  const id = publish('/addresses.json', { redirect_uris: ['https://client.example/callback'] });
  const { at, text } = await go(id, { redirect_uri: 'https://evil.example/callback' });
  assert.ok(at.startsWith(app.url), at);
  assert.match(text, /invalid_redirect_uri/);
});

test('MC8: a document is kept for a moment, and requests from one address are counted', async () => {
  const counted = await startApp('sqlite', { outgoing, env: { RATE_LIMIT: '1000' }, rateClock: STOPPED });
  try {
    await counted.client.settings.update({ public_url: counted.url });
    const id = publish('/counted.json', {});
    const path = authorizationUrl(counted, { client_id: id, code_challenge: pkce().challenge }).slice(counted.url.length);
    const statuses: number[] = [];
    for (let n = 0; n < 61; n++) statuses.push((await counted.request({ path, token: null })).status);
    assert.deepEqual([statuses.filter((one) => one === 303).length, statuses.at(-1)], [60, 429]);
    assert.equal(asked.filter((target) => target === '/counted.json').length, 1);
    const body = { redirect_uris: [REDIRECT] };
    const registered: number[] = [];
    for (let n = 0; n < 11; n++)
      registered.push((await counted.request({ method: 'POST', path: '/oauth/register', token: null, body })).status);
    assert.deepEqual([registered.filter((one) => one === 201).length, registered.at(-1)], [10, 429]);
  } finally {
    await counted.close();
  }
});
