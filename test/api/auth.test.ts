import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { isOwnTaskRight } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN, STOPPED } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';
import { expireToken } from '../helpers/stored-rows/people.ts';

onBothStores('authentication', (app) => {
  const PATH = '/admin/api/customers';

  test('AU6: every reason for a 401 has the same body, and WWW-Authenticate says whether a token was sent', async () => {
    const [revoked, expired, gone] = [await person(app()), await person(app()), await person(app())];
    await app().clientFor(revoked.token).me.revoke_token(revoked.tokenId);
    await expireToken(app().store, expired.tokenId);
    await app().client.admins.update(gone.adminId, { active: false });
    const headers: (string | null)[] = [
      null,
      '',
      'Bearer',
      `Bearer${OWNER_TOKEN}`,
      `Basic ${OWNER_TOKEN}`,
      'Bearer unknown-token-0123456789-0123456789',
      `Bearer ${OWNER_TOKEN} x`,
      `Bearer ${OWNER_TOKEN.slice(0, -1)}`,
      `Bearer ${revoked.token}`,
      `Bearer ${expired.token}`,
      `Bearer ${gone.token}`,
      'Bearer run_unknown',
    ];
    const bodies = new Set<string>();
    for (const authorization of headers) {
      const answer = await app().request({
        path: PATH,
        token: null,
        headers: { 'x-request-id': 'same', ...(authorization === null ? {} : { authorization }) },
      });
      assert.deepEqual(codeOf(answer), [401, 'unauthorized'], String(authorization));
      assert.equal(
        answer.headers['www-authenticate'],
        `Bearer realm="admin-api"${authorization === null ? '' : ', error="invalid_token"'}`,
      );
      bodies.add(answer.text);
    }
    assert.equal(bodies.size, 1);
  });

  test('AU6: the name of the scheme is case-insensitive', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      assert.equal((await app().request({ path: PATH, token: null, headers: { authorization: `${scheme} ${OWNER_TOKEN}` } })).status, 200);
    }
  });

  test('AU6: a token in the query string is ignored', async () => {
    assert.equal((await app().request({ path: `${PATH}?access_token=${OWNER_TOKEN}&token=${OWNER_TOKEN}`, token: null })).status, 401);
  });

  test('AU2: a revoked token is refused from the next request on', async () => {
    const { token, tokenId } = await person(app(), { permissions: ['admin_api.customers.read'] });
    assert.equal((await app().request({ path: PATH, token })).status, 200);
    await app().clientFor(token).me.revoke_token(tokenId);
    assert.equal((await app().request({ path: PATH, token })).status, 401);
  });

  test('AU8: a token allows what both its admin and its own list allow', async () => {
    const staff = await person(app(), {
      permissions: ['admin_api.customers.read', 'admin_api.orders.read'],
      list: ['admin_api.customers.write', 'admin_api.products.read'],
    });
    assert.equal((await app().request({ path: PATH, token: staff.token })).status, 200, 'both lists include reading customers');
    for (const path of ['/admin/api/orders', '/admin/api/products']) {
      const answer = await app().request({ path, token: staff.token });
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], path);
      const needed = `admin_api.${path.slice('/admin/api/'.length)}.read`;
      assert.equal(field(answer.body, 'required_permission'), needed);
      assert.equal(answer.headers['x-required-permission'], needed);
    }
    const narrow = await person(app(), { role: 'owner', list: ['admin_api.customers.read'] });
    const { id } = await makeCustomer(app());
    assert.equal((await app().request({ path: PATH, token: narrow.token })).status, 200);
    assert.equal(
      (await app().request({ method: 'POST', path: `${PATH}/${id}/notes`, body: { body: 'x' }, token: narrow.token })).status,
      403,
    );
  });

  test("AU8: an owner's token with a list of permissions does not count as an owner's", async () => {
    const shared = await app()
      .clientFor((await person(app())).token)
      .me.create_view({ screen: 'orders', name: 'Ours', shared: true });
    const before = await app().client.settings.get();
    const patches = [
      { approval_policy: before.approval_policy === 'author' ? ('second_admin' as const) : ('author' as const) },
      { audit_days: 365 },
      { llm: { base_url: 'https://llm.example.com/v1', model: 'm' } },
    ];
    const narrow = app().clientFor((await person(app(), { role: 'owner', list: ['admin_api.settings.write'] })).token);
    for (const patch of patches) {
      const error = await refused(narrow.settings.update({ ...patch, shop_name: 'Changed' }), 403, 'forbidden');
      assert.match(error.message, /by a token without a list of permissions/);
    }
    await refused(narrow.me.update_view(shared.id, { name: 'Mine' }), 403, 'forbidden');
    await refused(narrow.me.delete_view(shared.id), 403, 'forbidden');
    assert.deepEqual(await app().client.settings.get(), before);
    await narrow.settings.update({ shop_name: before.shop_name });
    const full = app().clientFor((await person(app(), { role: 'owner' })).token);
    for (const patch of patches) await full.settings.update(patch);
    await full.me.update_view(shared.id, { name: 'Everybody' });
    await full.settings.update({ approval_policy: before.approval_policy, audit_days: before.audit_days, llm: null });
  });

  test('RFC 9112: a request with two Host headers is 400, whatever its path; one with two tokens has no valid one', async () => {
    const { hostname, port } = new URL(app().url);
    const told = async (path: string, more: string) => {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${more}Connection: close\r\n\r\n`);
      const answer = (await text(socket)).split('\r\n');
      return [answer[0]?.split(' ')[1], /"code":"(\w+)"/.exec(answer.join(''))?.[1]];
    };
    const token = `Authorization: Bearer ${OWNER_TOKEN}\r\n`;
    for (const path of ['/admin/api/me', '/healthz', '/', '/hooks/1/x', 'http://a.example/admin/api/me']) {
      assert.deepEqual(await told(path, `${token}host: ${hostname}\r\n`), ['400', 'malformed_header'], path);
      assert.deepEqual(await told(path, `${token}HOST: other.example\r\n`), ['400', 'malformed_header'], path);
    }
    assert.deepEqual(await told('/admin/api/me', `${token}${token}`), ['401', 'unauthorized']);
    assert.equal((await told('/admin/api/me', token))[0], '200');
  });

  test('AU7: write implies read, read does not imply write', async () => {
    const { id } = await makeCustomer(app());
    const writer = await person(app(), { permissions: ['admin_api.customers.write'] });
    assert.equal((await app().request({ path: `${PATH}/${id}`, token: writer.token })).status, 200);
    const reader = await person(app(), { permissions: ['admin_api.customers.read'] });
    assert.equal(
      (await app().request({ method: 'POST', path: `${PATH}/${id}/notes`, body: { body: 'x' }, token: reader.token })).status,
      403,
    );
    assert.deepEqual(await app().client.customers.list_notes(id), []);
  });

  test('R10: 401 comes before 404, 405 and a malformed path', async () => {
    for (const path of ['/admin/api/nothing', '/admin/api/customers/999999', '/admin/api/%ZZ', '/admin/api/customers/1/status']) {
      assert.deepEqual(codeOf(await app().request({ path, token: null })), [401, 'unauthorized'], path);
    }
    assert.equal((await app().request({ method: 'PUT', path: PATH, token: null })).status, 401);
  });

  test('R10: 403 comes before 404 and before the body is read, and depends on the route alone', async () => {
    const { token } = await person(app());
    assert.equal((await app().request({ path: '/admin/api/customers/999999', token })).status, 403);
    assert.equal((await app().request({ method: 'POST', path: '/admin/api/customers/999999/notes', raw: '{', token })).status, 403);
    assert.equal(
      (await app().request({ path: '/admin/api/nothing', token })).status,
      404,
      'a path that does not exist needs no permission',
    );
    assert.equal((await app().request({ method: 'PUT', path: PATH, token })).status, 405);
  });

  test('G3: OPTIONS needs no token and answers 204 with Allow; an unknown path is 404', async () => {
    const answer = await app().request({ method: 'OPTIONS', path: '/admin/api/order-statuses', token: null });
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assert.deepEqual(answer.headers['allow']?.split(', ').sort(), ['GET', 'HEAD', 'OPTIONS', 'POST']);
    assert.equal((await app().request({ method: 'OPTIONS', path: '/admin/api/nothing', token: null })).status, 404);
  });

  test('the runner token opens the runner API and nothing else', async () => {
    assert.equal((await app().request({ path: '/admin/api/runner/status', token: RUNNER_TOKEN })).status, 200);
    for (const path of [PATH, '/admin/api/ai-tasks', '/admin/api/notifications', '/admin/api/me/notification-preferences']) {
      assert.deepEqual(codeOf(await app().request({ path, token: RUNNER_TOKEN })), [403, 'forbidden'], path);
    }
  });

  test('a run token allows what its version may do, but never tasks, the runner API or another run', async () => {
    const run = await claimedRun(app());
    const other = await claimedRun(app());
    const { token } = run.claim;
    const denied = [
      '/admin/api/products',
      '/admin/api/ai-tasks',
      run.path,
      '/admin/api/runner/status',
      '/admin/api/me/notification-preferences',
      `${run.path}/stream`,
      `${run.path}/effects`,
    ];
    for (const path of denied) assert.deepEqual(codeOf(await app().request({ path, token })), [403, 'forbidden'], path);
    assert.equal((await run.call('GET', '/customers')).status, 200);
    assert.equal((await app().request({ method: 'PATCH', path: other.path, token, body: { events: [] } })).status, 403);
    assert.equal((await app().request({ method: 'POST', path: '/admin/api/runner/claims', token, body: {} })).status, 403);
    assert.equal((await app().request({ method: 'POST', path: `${run.path}/cancel`, token })).status, 403);
  });

  test('RU12: whatever its version may do, a run token never opens /me, tokens, admins, settings, webhooks, tasks or the runner API', async () => {
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: [...taskPermissions] }));
    const closed = endpointList.filter(
      ({ path, ownRun }) => !ownRun && /^\/(me|admins|settings|webhook-endpoints|ai-tasks|runner)(\/|$)|token/.test(path),
    );
    assert.ok(closed.length > 40, `${closed.length} endpoints`);
    const ids: Record<string, number> = { id: run.taskId, run_id: run.runId, version_id: run.claim.version.id };
    const otherTask = await makeTask(app());
    for (const { method, path, id, taskPermission } of closed) {
      // A run may use what belongs to its own task, and nothing of another.
      const named = isOwnTaskRight(taskPermission ?? '') ? { ...ids, id: otherTask } : ids;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(named[name] ?? 1));
      const answer = await app().request({ method, path: `/admin/api${filled}`, token: run.claim.token });
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], id);
    }
    assert.equal((await run.report([])).status, 204, 'the report token of the run still works');
  });

  test('Fencing: the token of an ended claim gets 409 run_fenced wherever it is sent', async () => {
    const run = await claimedRun(app());
    await lapse(app(), run);
    const { token } = run.claim;
    assert.deepEqual(codeOf(await run.report([])), [409, 'run_fenced']);
    assert.deepEqual(codeOf(await run.call('GET', '/customers')), [409, 'run_fenced']);
    assert.deepEqual(codeOf(await app().request({ path: '/admin/api/nothing', token })), [409, 'run_fenced']);
  });
});

onBothStores(
  'rate limits',
  (app) => {
    test('ER5: a token has RATE_LIMIT requests a minute, which every answer shows; further ones are 429', async () => {
      const { token } = await person(app(), { permissions: ['admin_api.customers.read'] });
      const first = await app().request({ path: '/admin/api/customers', token });
      assert.equal(first.headers['ratelimit-policy'], '"default";q=5;w=60');
      assert.match(first.headers['ratelimit'] ?? '', /^"default";r=4;t=\d+$/);
      for (let i = 0; i < 4; i++) assert.ok((await app().request({ path: '/admin/api/nothing', token })).headers['ratelimit']);
      const refused = await app().request({ path: '/admin/api/customers', token });
      assert.deepEqual(codeOf(refused), [429, 'rate_limited']);
      assert.deepEqual(field(refused.body, 'violated-policies'), ['default']);
      const reset = Number(/;t=(\d+)$/.exec(refused.headers['ratelimit'] ?? '')?.[1]);
      assert.ok(reset >= 1 && Number(refused.headers['retry-after']) >= reset);
      assert.equal((await app().request({ path: '/admin/api/customers' })).status, 200, 'another token has its own limit');
    });

    test('ER5: an address may cause 20 401s a minute, then gets 429; a good token still works', async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 22; i++) statuses.push((await app().request({ path: '/admin/api/customers', token: `bad-${i}` })).status);
      assert.deepEqual([...new Set(statuses.slice(0, 20))], [401]);
      assert.deepEqual(statuses.slice(20), [429, 429]);
      assert.equal((await app().request({ path: '/admin/api/customers' })).status, 200);
    });
  },
  { env: { RATE_LIMIT: '5' }, rateClock: STOPPED },
);
