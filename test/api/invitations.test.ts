import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, RUNNER_TOKEN, type TestApp } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, field } from '../helpers/runs.ts';
import { expireLinks } from '../helpers/stored-rows/people.ts';

const INVALID = [422, 'invalid_code'];
/** An hour goes by between any two requests, so that the limit of requests without a token is never reached. */
const hours = () => {
  let now = 0;
  return () => (now += 3_600_000);
};

let made = 0;
const address = (): string => `new-${++made}@shop.example`;

const callsOf = (app: () => TestApp) => {
  const post = (path: string, body: object, token: string | null = null) =>
    app().request({ method: 'POST', path: `/admin/api/admin-invitations${path}`, body, token });
  return {
    accept: (code: unknown, more: object = {}) => post('/accept', { code, name: 'Nina New', ...more }),
    preview: (code: unknown) => post('/preview', { code }),
    me: (token: unknown) => app().clientFor(String(token)).me.get(),
    invite: (body: { role_id?: number; role?: 'owner' | 'staff'; email?: string } = {}) =>
      app().client.admin_invitations.create({ email: address(), ...body }),
    roleId: async (name: string) => {
      const role = (await app().client.roles.list({ search: name })).data[0];
      assert.ok(role);
      return role.id;
    },
  };
};

onBothStores(
  'invitations',
  (app) => {
    const { accept, preview, me, invite, roleId } = callsOf(app);

    test('AU17: who is invited sees what for, gives a name, and is signed in with the rights of the role; the list has what waits', async () => {
      const { client } = app();
      const role_id = await roleId('support');
      const invitation = await client.admin_invitations.create({ email: ' Nina@Shop.example ', name: 'Nina', role_id });
      const { code, url_path, allows_passkey, ...shown } = invitation;
      assert.match(code ?? '', /^[0-9A-Za-z]{43}$/);
      assert.equal(url_path, `/join#${code}`);
      assert.equal(allows_passkey, true, 'nobody has a passkey yet');
      assert.deepEqual([shown.role_name, shown.state, shown.mailed, shown.invited_by_name], ['Support', 'pending', false, 'Owner']);
      assert.equal(Date.parse(shown.expires_at) - Date.parse(shown.created_at), 7 * 86_400_000);
      assert.deepEqual(await client.admin_invitations.list(), [shown]);
      const seen = await preview(code);
      assert.deepEqual(
        ['shop_name', 'email', 'name', 'invited_by_name', 'role_name'].map((name) => field(seen.body, name)),
        ['Backroom', shown.email, 'Nina', 'Owner', 'Support'],
      );
      const joined = await accept(code, { device: 'Firefox on Linux' });
      assert.equal(joined.status, 201);
      const her = await me(field(joined.body, 'token'));
      assert.deepEqual([her.name, her.email, her.role, her.role_id], ['Nina New', shown.email, 'staff', role_id]);
      assert.deepEqual(her.effective_permissions, (await client.roles.get(role_id)).permissions.toSorted());
      assert.deepEqual(await client.admin_invitations.list(), []);
      const [session] = await app()
        .clientFor(String(field(joined.body, 'token')))
        .me.list_tokens();
      assert.deepEqual(
        [session?.device, session?.never_expires, session?.expires_at],
        ['Firefox on Linux', false, field(joined.body, 'expires_at')],
      );
      const actions = (await client.audit_log.list({ per_page: 100 })).data.filter(({ action }) => action.startsWith('admin_invitations.'));
      assert.deepEqual([...new Set(actions.map(({ action }) => action))].sort(), ['admin_invitations.accept', 'admin_invitations.create']);
      assert.ok(!JSON.stringify(actions).includes(String(code)));
      for (const answer of [await accept(code), await preview(code)]) assert.deepEqual(codeOf(answer), INVALID);
    });

    test('AU17: of several who accept at the same time one becomes an admin', async () => {
      const { client } = app();
      for (let n = 0; n < 5; n++) {
        const { code, email } = await invite();
        const answers = await Promise.all([accept(code), accept(code), accept(code)]);
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
        assert.equal((await client.admins.list({ search: email })).data.length, 1);
      }
    });

    test('AU17: taken back, sent again, expired and unknown: the old code does nothing, and all have the same answer', async () => {
      const { client } = app();
      const [taken, again, old] = [await invite(), await invite(), await invite()];
      await client.admin_invitations.delete(taken.id);
      const second = await client.admin_invitations.resend(again.id, {});
      assert.notEqual(second.code, again.code);
      const bodies = new Set<string>();
      for (const code of [taken.code, again.code, 'x'.repeat(43)]) {
        for (const path of ['preview', 'accept']) {
          const body = path === 'accept' ? { code, name: 'X' } : { code };
          const headers = { 'x-request-id': 'same' };
          const answer = await app().request({ method: 'POST', path: `/admin/api/admin-invitations/${path}`, body, token: null, headers });
          assert.deepEqual(codeOf(answer), INVALID);
          bodies.add(answer.text.replace(`/${path}`, ''));
        }
      }
      assert.equal(bodies.size, 1);
      assert.equal((await accept(second.code)).status, 201);
      await expireLinks(app().store);
      assert.deepEqual(codeOf(await accept(old.code)), INVALID);
      assert.equal((await client.admin_invitations.list()).find(({ id }) => id === old.id)?.state, 'expired');
      const { code } = await client.admin_invitations.resend(old.id, {});
      assert.equal((await accept(code)).status, 201);
    });

    test('AU17: an invitation ends with whoever sent it: a deactivated or demoted owner; another owner can send it again', async () => {
      const { client, clientFor } = app();
      for (const change of [{ active: false }, { role: 'staff' as const }]) {
        const owner = await person(app(), { role: 'owner' });
        const { id, code } = await clientFor(owner.token).admin_invitations.create({ email: address() });
        await client.admins.update(owner.adminId, change);
        for (const answer of [await accept(code), await preview(code)]) assert.deepEqual(codeOf(answer), INVALID);
        assert.equal((await client.admin_invitations.list()).find((one) => one.id === id)?.state, 'inviter_left');
        const { code: next } = await client.admin_invitations.resend(id, {});
        assert.equal((await accept(next)).status, 201);
      }
    });

    test('AU17: an address is invited once, whatever its case, and not if an admin has it; one who became an admin meanwhile is told so', async () => {
      const { client } = app();
      const { email } = await invite();
      await refused(client.admin_invitations.create({ email: email.toUpperCase() }), 422, 'duplicate');
      const known = await client.admins.create({ name: 'Known', email: address() });
      await refused(client.admin_invitations.create({ email: ` ${known.email.toUpperCase()} ` }), 422, 'duplicate');
      const { code, email: both } = await invite();
      await client.admins.create({ name: 'By hand', email: both });
      assert.deepEqual(codeOf(await accept(code)), [422, 'duplicate']);
      assert.equal((await client.admins.list({ search: both })).data.length, 1);
    });

    test('AU17: only owners invite: neither staff with every permission, nor an owner’s token with a list, nor a task or runner', async () => {
      const { client, clientFor } = app();
      const { code, id } = await invite();
      const manager = await client.admins.create({ name: 'Manager', email: address(), role_id: await roleId('manager') });
      const theirs = (await client.admins.create_token(manager.id, { name: 'token' })).token;
      const narrow = await person(app(), { role: 'owner', list: ['admin_api.settings.write'] });
      for (const token of [theirs ?? '', narrow.token]) {
        const sly = clientFor(token);
        await refused(sly.admin_invitations.create({ email: address(), role: 'owner' }), 403, 'forbidden');
        await refused(sly.admin_invitations.list(), 403, 'forbidden');
        await refused(sly.admin_invitations.resend(id, {}), 403, 'forbidden');
        await refused(sly.admin_invitations.delete(id), 403, 'forbidden');
        await refused(sly.admins.create_sign_in_link(narrow.adminId, {}), 403, 'forbidden');
      }
      const run = await claimedRun(app());
      for (const token of [run.claim.token, run.claim.report_token, RUNNER_TOKEN]) {
        for (const [path, body] of [
          ['/admin-invitations', { email: address() }],
          ['/admin-invitations/accept', { code, name: 'Task' }],
          ['/admin-invitations/preview', { code }],
          ['/sign-in/links', { email: 'owner@localhost' }],
        ] as const) {
          assert.equal((await app().request({ method: 'POST', path: `/admin/api${path}`, body, token })).status, 403, path);
        }
      }
      const list = { email: address(), permissions: ['admin_api.admins.write'] };
      const answer = await app().request({ method: 'POST', path: '/admin/api/admin-invitations', body: list });
      assert.deepEqual(codeOf(answer), [422, 'permission_not_grantable']);
      assert.equal((await accept(code)).status, 201);
    });

    test('AU16, AU17: a role that an invitation gives is not deleted; its change counts for who accepts', async () => {
      const { client } = app();
      const role = await client.roles.create({ name: 'Invited', permissions: ['admin_api.orders.write'] });
      const { code, email } = await invite({ role_id: role.id });
      const refusal = await app().request({ method: 'DELETE', path: `/admin/api/roles/${role.id}` });
      assert.deepEqual(codeOf(refusal), [409, 'in_use']);
      assert.match(refusal.text, new RegExp(`${email} \\(invited\\)`));
      await client.roles.update(role.id, { permissions: ['admin_api.orders.read'] });
      const joined = await accept(code);
      assert.deepEqual((await me(field(joined.body, 'token'))).effective_permissions, ['admin_api.orders.read']);
    });

    test('AU17: an owner is invited by an owner; a repeat under one Idempotency-Key shows neither code nor token again', async () => {
      const headers = { 'idempotency-key': 'once-invited' };
      const body = { email: address(), role: 'owner' };
      const ask = () => app().request({ method: 'POST', path: '/admin/api/admin-invitations', body, headers });
      const first = await ask();
      const second = await ask();
      assert.deepEqual([first.status, second.status, field(second.body, 'code'), field(second.body, 'url_path')], [201, 201, null, null]);
      const code = field(first.body, 'code');
      const join = () =>
        app().request({ method: 'POST', path: '/admin/api/admin-invitations/accept', body: { code, name: 'Olga' }, headers, token: null });
      const joined = await join();
      assert.equal((await me(field(joined.body, 'token'))).role, 'owner');
      assert.equal(field((await join()).body, 'token'), null);
    });

    test('AU17: an invitation that is sent again, taken back and accepted at the same time has one end', async () => {
      const { client } = app();
      for (let n = 0; n < 5; n++) {
        const { id, code, email } = await invite();
        const [joined, again, back] = await Promise.allSettled([
          accept(code),
          client.admin_invitations.resend(id, {}),
          client.admin_invitations.delete(id),
        ]);
        assert.ok(joined.status === 'fulfilled');
        const isIn = joined.value.status === 201;
        assert.ok(isIn || joined.value.status === 422, joined.value.text);
        assert.equal((await client.admins.list({ search: email })).data.length, isIn ? 1 : 0);
        assert.equal(back.status === 'fulfilled', !isIn);
        assert.ok(!(await client.admin_invitations.list()).some((one) => one.id === id));
        if (again.status === 'fulfilled') assert.deepEqual(codeOf(await preview(again.value.code)), INVALID);
      }
    });
  },
  { rateClock: hours() },
);
