import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { endpointList } from '../../contract/index.ts';
import { RUNNER_PERMISSION } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf } from '../helpers/runs.ts';
import { expireToken } from '../helpers/stored-rows/people.ts';

onBothStores('tokens for one request', (app) => {
  const make = async () => {
    const { token, ...made } = await app().client.me.create_token({ name: 'Documentation', single_use: true });
    assert.ok(token);
    return { ...made, token };
  };
  const customers = (token: string) => app().request({ path: '/admin/api/customers', token });

  test('AU19: the first request is answered, each after it is refused as a token that is not known, also at once', async () => {
    const { token } = await make();
    const answers = await Promise.all(Array.from({ length: 8 }, () => customers(token)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 401, 401, 401, 401, 401, 401, 401]);
    assert.deepEqual(codeOf(await customers(token)), [401, 'unauthorized']);
  });

  test('AU19: a refused request counts, too', async () => {
    const { token } = await make();
    assert.equal((await app().request({ path: '/admin/api/customers/987654', token })).status, 404);
    assert.deepEqual(codeOf(await customers(token)), [401, 'unauthorized']);
  });

  test('AU19: it waits ten minutes at most, no other time can be asked for, and no runner gets one', async () => {
    const { id, token, created_at, expires_at } = await make();
    assert.equal(Date.parse(expires_at ?? '') - Date.parse(created_at), 600_000);
    await expireToken(app().store, id);
    assert.deepEqual(codeOf(await customers(token)), [401, 'unauthorized']);
    const body = { name: 'Long', single_use: true, expires_in_days: 3 };
    await refused(app().client.me.create_token(body), 422, 'invalid_value');
    const ofRunner = { name: 'Runner', single_use: true, permissions: [RUNNER_PERMISSION] };
    await refused(app().client.me.create_token(ofRunner), 422, 'invalid_value');
  });

  test('AU19: it ends with the token that made it', async () => {
    const { id, token } = await app().client.me.create_token({ name: 'Ends soon' });
    const { token: single } = await app()
      .clientFor(token ?? '')
      .me.create_token({ name: 'Left over', single_use: true });
    await app().client.me.revoke_token(id);
    assert.deepEqual(codeOf(await customers(single ?? '')), [401, 'unauthorized']);
  });

  test('AU19: it is listed until it is used, can be revoked before, and tells nobody', async () => {
    const before = (await app().client.notifications.list({ limit: 1 })).unread_count;
    const { id } = await make();
    const listed = async () => (await app().client.me.list_tokens()).filter((one) => one.id === id).map((one) => one.single_use);
    assert.deepEqual(await listed(), [true]);
    await app().client.me.revoke_token(id);
    assert.deepEqual(await listed(), []);
    const used = await make();
    await customers(used.token);
    assert.ok((await app().client.me.list_tokens()).every((one) => one.id !== used.id));
    assert.equal((await app().client.notifications.list({ limit: 1 })).unread_count, before);
  });

  test('AU19: it makes no token, no link and no secret, which would outlive it', async () => {
    for (const { id, method, path } of endpointList.filter(({ secretFields, open }) => secretFields !== undefined && !open)) {
      const { token } = await make();
      const body = method === 'GET' ? {} : { body: {} };
      const answer = await app().request({ method, path: `/admin/api${path.replaceAll(/\{\w+\}/g, '1')}`, token, ...body });
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], id);
    }
  });

  test('AU19: it has at most the permissions of the token that makes it', async () => {
    const seller = await person(app(), { permissions: ['admin_api.customers.read'] });
    const { token } = await app().clientFor(seller.token).me.create_token({ name: 'Documentation', single_use: true });
    assert.ok(token);
    assert.deepEqual(codeOf(await app().request({ path: '/admin/api/orders', token })), [403, 'forbidden']);
  });

  test('AU19: an answer that lasts goes on, although the token is used', async () => {
    const { token } = await make();
    const stopped = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await request(`${app().url}/admin/api/changes`, { headers, signal: stopped.signal });
    const chunks = body[Symbol.asyncIterator]();
    assert.match(String((await chunks.next()).value), /: ok/);
    // Both make the stream look whether its caller still has access.
    const { tokenId } = await person(app());
    const { id } = await makeCustomer(app());
    let told = '';
    while (!told.includes(`"type":"customer","id":${id}`)) {
      const { done, value } = await chunks.next();
      assert.ok(!done, `ended after ${told}; token ${tokenId}`);
      told += String(value);
    }
    stopped.abort();
  });
});
