import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNNER_PERMISSION } from '../../contract/permissions.ts';
import { OWNER_TOKEN, onBothStores, type TestApp } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, field } from '../helpers/runs.ts';
import { storeAdminList, storeTokenList } from '../helpers/stored-rows/people.ts';

const CLAIM = { runner: { name: 'r', version: '1', isolation: [] }, slots: 1, wait_ms: 0 };

onBothStores('who may claim runs', (app) => {
  const claimWith = (token: string) => app().request({ method: 'POST', path: '/admin/api/runner/claims', token, body: CLAIM });
  const owner = () => app().client;
  const ofOwner = async (permissions: readonly string[], to: TestApp['client'] = owner()) =>
    to.me.create_token({ name: 'r', permissions: [...permissions] });

  test('RN2: the runner permission is given to no admin, and to no token together with other permissions', async () => {
    for (const permissions of [[RUNNER_PERMISSION], ['admin_api.orders.read', RUNNER_PERMISSION]]) {
      const body = { name: 'S', email: `s${permissions.length}@example.com`, permissions };
      await refused(owner().admins.create(body), 422, 'permission_not_grantable');
    }
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    await refused(owner().admins.update(staff.adminId, { permissions: [RUNNER_PERMISSION] }), 422, 'permission_not_grantable');
    await refused(ofOwner([RUNNER_PERMISSION, 'admin_api.orders.read']), 422, 'permission_not_grantable');
    await refused(ofOwner([RUNNER_PERMISSION, 'admin_api.runner.read']), 422, 'permission_not_grantable');
    assert.deepEqual(codeOf(await claimWith(OWNER_TOKEN)), [403, 'forbidden'], 'an owner without a runner token cannot claim either');
    assert.ok(!(await owner().admins.get(1)).permissions.includes(RUNNER_PERMISSION));
  });

  test('a runner token of an owner can claim runs and read the runner status, and nothing else', async () => {
    const made = await ofOwner([RUNNER_PERMISSION]);
    const token = made.token ?? assert.fail('shown once');
    assert.deepEqual(made.permissions, [RUNNER_PERMISSION]);
    assert.equal((await claimWith(token)).status, 200);
    assert.equal((await app().request({ path: '/admin/api/runner/status', token })).status, 200);
    for (const path of ['/customers', '/ai-tasks', '/me', '/me/tokens', '/notifications', '/admins'])
      assert.deepEqual(codeOf(await app().request({ path: `/admin/api${path}`, token })), [403, 'forbidden'], path);
    await owner().me.revoke_token(made.id);
    assert.deepEqual(codeOf(await claimWith(token)), [401, 'unauthorized']);
  });

  test('only an owner with all permissions makes a runner token, and only for an owner', async () => {
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.runner.read'] });
    await refused(ofOwner([RUNNER_PERMISSION], app().clientFor(staff.token)), 403, 'permission_not_held');
    await refused(owner().admins.create_token(staff.adminId, { name: 'r', permissions: [RUNNER_PERMISSION] }), 403, 'permission_not_held');
    const narrow = await ofOwner(['admin_api.orders.read']);
    await refused(ofOwner([RUNNER_PERMISSION], app().clientFor(narrow.token ?? '')), 403, 'permission_not_held');
  });

  test('a stored list with the runner permission and others does not let its token claim, but read the status', async () => {
    const staff = await person(app(), { permissions: ['admin_api.orders.read'] });
    const broad = await ofOwner(['admin_api.orders.read']);
    const list = ['admin_api.orders.read', RUNNER_PERMISSION];
    await storeAdminList(app().store, staff.adminId, list);
    await storeTokenList(app().store, broad.id, list);
    for (const token of [staff.token, broad.token ?? '']) {
      assert.deepEqual(codeOf(await claimWith(token)), [403, 'forbidden']);
      assert.equal((await app().request({ path: '/admin/api/runner/status', token })).status, 200);
      const me = await app().request({ path: '/admin/api/me', token });
      assert.deepEqual(field(me.body, 'effective_permissions'), ['admin_api.orders.read', 'admin_api.runner.read']);
    }
    await storeTokenList(app().store, staff.tokenId, [RUNNER_PERMISSION]);
    assert.deepEqual(codeOf(await claimWith(staff.token)), [403, 'forbidden'], 'a list with the runner permission alone, of a staff admin');
  });

  test('a runner token stops working when its owner is demoted or deactivated', async () => {
    const other = await person(app(), { role: 'owner' });
    const { token } = await ofOwner([RUNNER_PERMISSION], app().clientFor(other.token));
    assert.equal((await claimWith(token ?? '')).status, 200);
    await owner().admins.update(other.adminId, { role: 'staff' });
    assert.deepEqual(codeOf(await claimWith(token ?? '')), [403, 'forbidden']);
    await owner().admins.update(other.adminId, { active: false });
    assert.deepEqual(codeOf(await claimWith(token ?? '')), [401, 'unauthorized']);
  });
});
