import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../contract/calls.ts';
import type { Grants } from '../../contract/grants.ts';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { refused } from '../helpers/refused.ts';

const READ: Permission = 'admin_api.orders.read';
const ALL: Permission[] = [READ, 'mail_send', 'http_request', 'tasks_start'];
const VERSION = { source_code: 'log(1);', parameters: [] };

/** Four lists beside the permissions of a version say with whom it may use them. They are approved with it. */
onBothStores('grants of versions', (app) => {
  const { tasks, policy, approve, seen, author, approver, current } = approvals(app);
  const own = () => app().client.ai_tasks;
  const create = (grants: Partial<Grants>, permissions = ALL) =>
    own().create({ name: 'g', description: '', ...VERSION, permissions, ...grants });
  const add = (id: number, grants: Partial<Grants>, permissions = ALL) => own().create_version(id, { ...VERSION, permissions, ...grants });
  const shown = async (id: number, versionId: number) => {
    const { mail_to, http_allow, secrets, may_start } = await own().get_version(id, versionId);
    return { mail_to, http_allow, secrets, may_start };
  };
  async function faultsOf(call: Promise<unknown>) {
    const error = await call.then(
      () => assert.fail('the call succeeded'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ApiError)) throw error;
    assert.equal(error.status, 422);
    return error.errors;
  }
  const makeOther = async (name: string) => (await own().create({ name, description: '', ...VERSION, permissions: [] })).task_id;

  test('a version without grants has four empty lists', async () => {
    await policy('author');
    const { task_id, version_id } = await create({}, [READ]);
    assert.deepEqual(await shown(task_id, version_id), { mail_to: [], http_allow: [], secrets: [], may_start: [] });
    assert.deepEqual((await own().get(task_id)).current_version?.http_allow, []);
  });

  test('entries are stored in their canonical form, each once, in their order; names of tasks are shown with them', async () => {
    await policy('author');
    const other = await makeOther('Reorder');
    const { task_id, version_id } = await create({
      mail_to: ['admins', ' customers', 'admins', '@Example.COM', 'Ops@Example.org', '@bücher.example'],
      http_allow: ['post https://API.example.com:443/v1/*', 'https://api.example.com/v1/*', 'POST https://api.example.com/v1/*'],
      secrets: ['stripe_key', 'a', 'stripe_key'],
      may_start: [other, other],
    });
    const version = await own().get_version(task_id, version_id);
    assert.deepEqual(await shown(task_id, version_id), {
      mail_to: ['admins', 'customers', '@example.com', 'Ops@example.org', '@xn--bcher-kva.example'],
      http_allow: ['POST https://api.example.com/v1/*', 'GET,HEAD https://api.example.com/v1/*'],
      secrets: ['stripe_key', 'a'],
      may_start: [other],
    });
    assert.deepEqual(version.may_start_tasks, [{ id: other, name: 'Reorder' }]);
    assert.deepEqual(version.permissions_diff.added, [
      READ,
      'http_request',
      'mail_send',
      'tasks_start',
      'http_allow:GET,HEAD https://api.example.com/v1/*',
      'http_allow:POST https://api.example.com/v1/*',
      'mail_to:@example.com',
      'mail_to:@xn--bcher-kva.example',
      'mail_to:Ops@example.org',
      'mail_to:admins',
      'mail_to:customers',
      `may_start:${other}`,
      'secret:a',
      'secret:stripe_key',
    ]);
    const path = `/admin/api/ai-tasks/${task_id}/versions/${version_id}`;
    const tag = async () => (await app().request({ path })).headers['etag'];
    const before = await tag();
    await own().update(other, { name: 'Reorder stock' });
    assert.notEqual(await tag(), before, 'a name that the answer shows has changed');
    assert.deepEqual((await own().get_version(task_id, version_id)).may_start_tasks, [{ id: other, name: 'Reorder stock' }]);
  });

  test('wrong entries are refused at their place', async () => {
    await policy('author');
    const gone = await makeOther('Gone');
    await own().delete(gone);
    const cases: [Partial<Grants>, pointer: string, code: string, detail: RegExp][] = [
      [{ mail_to: ['admins', 'everybody'] }, '/mail_to/1', 'invalid_value', /must be "customers", "admins", a domain/],
      [{ mail_to: ['@localhost'] }, '/mail_to/0', 'invalid_value', /must be "customers"/],
      [{ mail_to: ['a@b@example.com'] }, '/mail_to/0', 'invalid_value', /must be "customers"/],
      [{ mail_to: ['a@127.0.0.1'] }, '/mail_to/0', 'invalid_value', /must be "customers"/],
      [{ mail_to: ['Ann <ann@example.com>'] }, '/mail_to/0', 'invalid_value', /must be "customers"/],
      [{ http_allow: ['https://*.example.com/*'] }, '/http_allow/0', 'invalid_value', /asterisk is not accepted/],
      [{ http_allow: ['https://a.example/*', 'https://u:p@a.example/'] }, '/http_allow/1', 'invalid_value', /no user name/],
      [{ secrets: ['Stripe'] }, '/secrets/0', 'invalid_value', /must begin with a lower-case letter/],
      [{ secrets: ['s'.repeat(65)] }, '/secrets/0', 'invalid_value', /at most 64/],
      [{ secrets: Array.from({ length: 51 }, (_, n) => `s${n}`) }, '/secrets', 'too_long', /50/],
      [{ may_start: [999_999] }, '/may_start/0', 'task_not_found', /no task 999999/],
      [{ may_start: [gone] }, '/may_start/0', 'task_not_found', /no task/],
    ];
    for (const [grants, ...expected] of cases) {
      const [pointer, code, detail] = expected;
      const errors = await faultsOf(create(grants));
      assert.deepEqual(
        errors.map((one) => [one.pointer, one.code]),
        [[pointer, code]],
      );
      assert.match(errors[0]?.detail ?? '', detail);
    }
  });

  test('a grant without its permission is refused, a permission without a grant is not', async () => {
    await policy('author');
    const other = await makeOther('Other');
    const cases: [Partial<Grants>, needed: Permission][] = [
      [{ mail_to: ['admins'] }, 'mail_send'],
      [{ http_allow: ['https://a.example/*'] }, 'http_request'],
      [{ secrets: ['key'] }, 'http_request'],
      [{ may_start: [other] }, 'tasks_start'],
    ];
    const { task_id } = await create({});
    for (const [grants, needed] of cases) {
      const permissions = ALL.filter((one) => one !== needed);
      const draft = { ...VERSION, permissions, ...grants };
      const detail = `needs the permission ${needed}, which the version does not declare`;
      for (const [faults, within] of [
        [await faultsOf(create(grants, permissions)), ''],
        [await faultsOf(own().start_run(task_id, { dry_run: true, draft })), '/draft'],
      ] as const)
        assert.deepEqual(
          faults.map((one) => [one.pointer, one.detail]),
          [[`${within}/${Object.keys(grants)[0]}`, detail]],
        );
    }
  });

  test('hosts of this machine and of private networks, and plain http, are refused unless the server may call private hosts', async () => {
    await policy('author');
    for (const address of [
      'https://localhost/*',
      'https://127.0.0.1/*',
      'https://0x7f.1/*',
      'https://[::1]:8443/*',
      'https://10.1.2.3/*',
    ]) {
      const error = await refused(create({ http_allow: [address] }), 422, 'invalid_value');
      assert.match(error.detail, /^\/http_allow\/0: must not be a private address/, address);
    }
    const error = await refused(create({ http_allow: ['http://api.example.com/*'] }), 422, 'invalid_value');
    assert.match(error.detail, /must begin with https/);
  });

  test('`added_permissions` counts each grant that is added, and none that is taken away', async () => {
    await policy('author');
    const other = await makeOther('Counted');
    const { task_id } = await create({ http_allow: ['https://a.example/v1/*'], secrets: ['one'] });
    await policy('added_permissions');
    const known = { http_allow: ['https://a.example/v1/*'], secrets: ['one'] };
    for (const more of [
      { mail_to: ['customers'] },
      { http_allow: [...known.http_allow, 'https://b.example/'] },
      { http_allow: ['POST https://a.example/v1/*'] },
      { http_allow: ['https://a.example/*'] },
      { secrets: ['one', 'two'] },
      { may_start: [other] },
    ]) {
      const { approval, permissions_diff } = await add(task_id, { ...known, ...more });
      assert.equal(approval, 'pending', JSON.stringify(more));
      assert.equal(permissions_diff.added.length, 1, JSON.stringify(permissions_diff));
    }
    const same = await add(task_id, { http_allow: ['https://A.example:443/v1/*'], secrets: ['one'] });
    assert.deepEqual([same.approval, same.permissions_diff], ['approved', { added: [], removed: [] }]);
    const less = await add(task_id, { secrets: ['one'] });
    assert.deepEqual(
      [less.approval, less.permissions_diff],
      ['approved', { added: [], removed: ['http_allow:GET,HEAD https://a.example/v1/*'] }],
    );
  });

  test('an approval echoes the grants: without one of them, or with another, it is refused; the record keeps them', async () => {
    await policy('author');
    const other = await makeOther('Echoed');
    await policy('second_admin');
    await app().client.admins.update(approver().adminId, {
      permissions: ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', ...ALL],
    });
    const grants = { mail_to: ['customers'], http_allow: ['https://a.example/*'], secrets: ['key'], may_start: [other] };
    const { task_id: id, version_id: v } = await create(grants);
    const waiting = (await tasks(approver().token).list_pending_versions()).find(({ version_id }) => version_id === v);
    assert.deepEqual(waiting?.permissions_diff.added.slice(4), [
      'http_allow:GET,HEAD https://a.example/*',
      'mail_to:customers',
      `may_start:${other}`,
      'secret:key',
    ]);
    const all = await seen(id, v);
    for (const list of ['mail_to', 'http_allow', 'secrets', 'may_start'] as const) {
      const { [list]: _, ...rest } = all;
      await refused(tasks(approver().token).approve_version(id, v, rest), 409, 'version_changed');
    }
    await refused(tasks(approver().token).approve_version(id, v, { ...all, mail_to: ['customers', 'admins'] }), 409, 'version_changed');
    const error = await refused(tasks(approver().token).approve_version(id, v, { ...all, secrets: ['other'] }), 409, 'version_changed');
    assert.match(error.detail, /secret:key/);
    await approve(id, v);
    assert.equal(await current(id), v);
    const [record] = await own().list_version_approvals(id, v);
    assert.deepEqual(
      [record?.mail_to, record?.http_allow, record?.secrets, record?.may_start],
      [['customers'], ['GET,HEAD https://a.example/*'], ['key'], [other]],
    );
  });

  test('whoever lacks the permission of a grant can neither declare nor approve it', async () => {
    await policy('author');
    const error = await refused(
      tasks(author().token).create({
        name: 'n',
        description: '',
        ...VERSION,
        permissions: ['http_request'],
        http_allow: ['https://a.example/'],
      }),
      403,
      'permission_not_held',
    );
    assert.match(error.detail, /http_request/);
  });
});
