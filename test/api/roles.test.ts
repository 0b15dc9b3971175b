import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf } from '../helpers/runs.ts';

let made = 0;

async function withRole({ client }: TestApp, roleId: number, list?: Permission[]) {
  made += 1;
  const { id } = await client.admins.create({ name: `Holder ${made}`, email: `holder-${made}@shop.example`, role_id: roleId });
  const { token } = await client.admins.create_token(id, { name: 'token', ...(list ? { permissions: list } : {}) });
  assert.ok(token);
  return { id, token };
}

onBothStores('roles', (app) => {
  test('AU16: a new shop has roles to start from; each can be changed and deleted', async () => {
    const { client } = app();
    const { data } = await client.roles.list({});
    assert.deepEqual(
      data.map(({ name }) => name),
      ['Approver', 'Author', 'Bookkeeper', 'Manager', 'Support', 'Warehouse'],
    );
    const roleOf = (name: string) => data.find((one) => one.name === name) ?? assert.fail(name);
    const may = (name: string, permission: string) => roleOf(name).permissions.includes(permission);
    assert.ok(may('Approver', 'admin_api.ai_tasks.approve') && !may('Approver', 'admin_api.ai_tasks.write'));
    assert.ok(may('Author', 'admin_api.ai_tasks.write') && !may('Author', 'admin_api.ai_tasks.approve'));
    assert.ok(roleOf('Bookkeeper').permissions.every((one) => one.endsWith('.read')));
    assert.ok(data.every(({ permissions }) => !permissions.some((one) => one.includes('.admins.') || one === 'admin_api.runner.write')));
    const { id, permissions } = roleOf('Warehouse');
    // What a starter lists is in the catalogue: the same list is taken as it is.
    for (const role of data)
      assert.deepEqual((await client.roles.update(role.id, { permissions: [...role.permissions] })).permissions, role.permissions);
    assert.ok(permissions.length > 0);
    await client.roles.delete(id);
    await refused(client.roles.get(id), 404, 'not_found');
  });

  test('AU16: whoever has a role may do what it lists, at each call; a change of the role reaches all its people and their tokens at once', async () => {
    const { client, clientFor } = app();
    const role = await client.roles.create({ name: 'Front desk', permissions: ['admin_api.orders.write', 'admin_api.customers.read'] });
    const [anna, bela] = [await withRole(app(), role.id), await withRole(app(), role.id, ['admin_api.customers.read'])];
    const shown = await client.admins.get(anna.id);
    assert.deepEqual(
      [shown.role, shown.role_id, shown.role_name, shown.permissions],
      ['staff', role.id, 'Front desk', ['admin_api.customers.read', 'admin_api.orders.write']],
    );
    await clientFor(anna.token).orders.list();
    await clientFor(bela.token).customers.list();
    await refused(clientFor(bela.token).orders.list(), 403, 'forbidden');
    await client.roles.update(role.id, { permissions: ['admin_api.orders.read'] });
    await refused(clientFor(anna.token).customers.list(), 403, 'forbidden');
    await refused(clientFor(bela.token).customers.list(), 403, 'forbidden');
    assert.deepEqual((await clientFor(anna.token).me.get()).effective_permissions, ['admin_api.orders.read']);
    assert.deepEqual((await client.admins.get(anna.id)).permissions, ['admin_api.orders.read']);
    await client.roles.update(role.id, { permissions: ['admin_api.customers.read'] });
    await clientFor(bela.token).customers.list();
    const { data } = await client.admins.list({ role_id: role.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [anna.id, bela.id],
    );
  });

  test('AU16: a list of their own takes the place of a role; whoever leaves a role keeps what it allows, and an owner has none', async () => {
    const { client } = app();
    const role = await client.roles.create({ name: 'Shelves', permissions: ['admin_api.products.write'] });
    const { adminId } = await person(app(), { permissions: ['admin_api.orders.write'] });
    const rights = ({ role: kind, role_id, permissions }: Awaited<ReturnType<typeof client.admins.get>>) => [kind, role_id, permissions];
    assert.deepEqual(rights(await client.admins.update(adminId, { role_id: role.id })), ['staff', role.id, ['admin_api.products.write']]);
    assert.deepEqual(rights(await client.admins.update(adminId, { role_id: null })), ['staff', null, ['admin_api.products.write']]);
    await client.admins.update(adminId, { role_id: role.id });
    assert.deepEqual(rights(await client.admins.update(adminId, { name: 'Same' })), ['staff', role.id, ['admin_api.products.write']]);
    const own = await client.admins.update(adminId, { permissions: ['admin_api.orders.read'] });
    assert.deepEqual(rights(own), ['staff', null, ['admin_api.orders.read']]);
    await client.admins.update(adminId, { role_id: role.id });
    assert.equal((await client.admins.update(adminId, { role: 'owner' })).role_id, null);
    assert.deepEqual(rights(await client.admins.update(adminId, { role: 'staff' })), ['staff', null, []]);
    await refused(client.admins.update(adminId, { role: 'owner', role_id: role.id }), 422, 'invalid_value');
    await refused(client.admins.update(adminId, { role_id: role.id, permissions: ['admin_api.orders.read'] }), 422, 'invalid_value');
    await refused(client.admins.update(adminId, { role_id: 999_999 }), 422, 'role_not_found');
    await refused(client.admins.create({ name: 'X', email: 'x-role@shop.example', role: 'owner', role_id: role.id }), 422, 'invalid_value');
  });

  test('AU9, AU16: no role can hold the administration of people or a runner’s permission; names differ whatever their case', async () => {
    const { client } = app();
    for (const permission of ['admin_api.admins.read', 'admin_api.admins.write', 'admin_api.runner.write']) {
      const body = { name: `Sly ${permission}`, permissions: [permission] };
      const answer = await app().request({ method: 'POST', path: '/admin/api/roles', body });
      assert.deepEqual(codeOf(answer), [422, 'permission_not_grantable'], permission);
    }
    const { id } = await client.roles.create({ name: 'Désk' });
    await refused(client.roles.create({ name: ' DÉSK ' }), 422, 'duplicate');
    const other = await client.roles.create({ name: 'Other desk' });
    await refused(client.roles.update(other.id, { name: 'désk' }), 422, 'duplicate');
    assert.equal((await client.roles.update(id, { name: 'DÉSK' })).name, 'DÉSK');
  });

  test('AU16: only owners see and change roles: neither staff with every permission, nor an owner’s token with a list, nor a task', async () => {
    const { client, clientFor } = app();
    const all = (await client.roles.list({ search: 'manager' })).data[0];
    assert.ok(all);
    const manager = await withRole(app(), all.id);
    const owner = await person(app(), { role: 'owner', list: ['admin_api.settings.write'] });
    for (const token of [manager.token, owner.token]) {
      const theirs = clientFor(token);
      await refused(theirs.roles.list({}), 403, 'forbidden');
      await refused(theirs.roles.create({ name: 'Mine' }), 403, 'forbidden');
      await refused(theirs.roles.update(all.id, { permissions: [] }), 403, 'forbidden');
      await refused(theirs.roles.delete(all.id), 403, 'forbidden');
      await refused(theirs.admins.update(manager.id, { role: 'owner' }), 403, 'forbidden');
    }
    const run = await claimedRun(app());
    assert.equal((await run.call('GET', '/roles')).status, 403);
    assert.equal((await run.call('POST', '/roles', { name: 'Of a task' })).status, 403);
  });

  test('AU16: a role that somebody has is not deleted; the refusal names who', async () => {
    const { client } = app();
    const role = await client.roles.create({ name: 'Held' });
    const holder = await withRole(app(), role.id);
    const { name } = await client.admins.get(holder.id);
    const refusal = await app().request({ method: 'DELETE', path: `/admin/api/roles/${role.id}` });
    assert.deepEqual(codeOf(refusal), [409, 'in_use']);
    assert.match(refusal.text, new RegExp(name));
    await client.admins.update(holder.id, { permissions: [] });
    await client.roles.delete(role.id);
  });

  test('AU16: somebody who gets a role while it is deleted has it, or it is gone', async () => {
    const { client } = app();
    for (let n = 0; n < 5; n++) {
      const role = await client.roles.create({ name: `Contended ${n}`, permissions: ['admin_api.orders.read'] });
      const { adminId } = await person(app());
      const [given, deleted] = await Promise.allSettled([
        client.admins.update(adminId, { role_id: role.id }),
        client.roles.delete(role.id),
      ]);
      assert.equal([given, deleted].filter(({ status }) => status === 'fulfilled').length, 1);
      const { role_id } = await client.admins.get(adminId);
      assert.equal(role_id, given.status === 'fulfilled' ? role.id : null);
    }
  });

  test('AU16: a change with a stale If-Match is refused; the ETag of a person follows the role; both are in the audit log', async () => {
    const { client } = app();
    const role = await client.roles.create({ name: 'Tagged', permissions: ['admin_api.orders.read'] });
    const holder = await withRole(app(), role.id);
    const etagOf = async (path: string) => (await app().request({ path })).headers['etag'] ?? assert.fail('no ETag');
    const [ofRole, ofPerson] = [await etagOf(`/admin/api/roles/${role.id}`), await etagOf(`/admin/api/admins/${holder.id}`)];
    await client.roles.update(role.id, { description: 'Looks at orders', permissions: ['admin_api.orders.write'] });
    assert.notEqual(await etagOf(`/admin/api/admins/${holder.id}`), ofPerson);
    await refused(client.roles.update(role.id, { name: 'Late' }, { headers: { 'If-Match': ofRole } }), 412, 'precondition_failed');
    const [entry] = (await client.audit_log.list({ action: 'roles.update' })).data;
    assert.deepEqual(entry?.changes, {
      description: ['', 'Looks at orders'],
      permissions: [['admin_api.orders.read'], ['admin_api.orders.write']],
    });
  });
});
