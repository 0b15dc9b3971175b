import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { PolicyChange } from '../../contract/policy-changes.ts';
import { verifyDecisions } from '../../server/automation/verification/domain.ts';
import { resetPolicy } from '../../server/resources/decisions/policy.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { type Signer, signer } from '../helpers/gestures.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';

type Asked = { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: Record<string, unknown> };

onBothStores('DE9: the policy takes two owners', (app) => {
  let ownId: number;
  let second: Person;
  let staff: Person;
  let gone: Person;
  let goneToken: string;
  let oldLink: string;

  const settings = () => app().client.settings;
  const api = (token: string) => app().clientFor(token);
  const send = ({ method, path, body }: Asked, token = OWNER_TOKEN) =>
    app().request({ method, path: `/admin/api${path}`, token, ...(body && { body }) });
  const change = (body: Record<string, unknown>): Asked => ({ method: 'PATCH', path: '/settings', body });
  const propose = (asked: Asked, token = OWNER_TOKEN) => api(token).policy_changes.create({ body: null, ...asked });
  const fits = async () => {
    const lines: string[] = [];
    for await (const { line, faults } of verifyDecisions(app().store)) {
      assert.deepEqual(faults, [], line);
      lines.push(line);
    }
    return lines;
  };
  const state = async () => {
    const { approval_policy, decisions, four_eyes, policy_four_eyes, audit_days, smtp, public_url } = await settings().get();
    const owners = await app().store.reader.selectFrom('admins').select(['id', 'email', 'role', 'active']).orderBy('id').execute();
    return {
      settings: { approval_policy, decisions, four_eyes, policy_four_eyes, audit_days, smtp, public_url },
      owners: owners.filter(({ role }) => role === 'owner'),
    };
  };

  before(async () => {
    ownId = (await app().client.me.get()).id;
  });

  test('it is not switched on while there is one active owner, and no plan takes two where nobody else could apply it', async () => {
    const staffs = await person(app(), { permissions: ['admin_api.orders.write'] });
    await refused(settings().update({ policy_four_eyes: true }), 409, 'second_person_missing');
    await refused(settings().update({ four_eyes: { writes_over: 1, kinds: [] } }), 409, 'second_person_missing');
    await refused(api(staffs.token).settings.update({ policy_four_eyes: true }), 403, 'forbidden');
    assert.equal((await settings().get()).policy_four_eyes, false);
    await refused(propose(change({ approval_policy: 'second_admin' })), 409, 'second_person_not_needed');
  });

  test('the switch ends what waits to make an owner or to be one', async () => {
    second = await person(app(), { role: 'owner' });
    staff = await person(app(), { permissions: ['admin_api.settings.write'] });
    gone = await person(app(), { role: 'owner' });
    goneToken = (await api(OWNER_TOKEN).admins.create_token(gone.adminId, { name: 'kept for later' })).token ?? '';
    await app().client.admins.update(gone.adminId, { active: false });
    oldLink = (await app().client.admins.create_sign_in_link(second.adminId, {})).code ?? '';
    const { code } = await app().client.admin_invitations.create({ name: 'M', email: 'm@example.org', role: 'owner' });
    const { id } = await app().client.admin_invitations.create({ name: 'S', email: 's@example.org' });
    assert.equal((await settings().update({ policy_four_eyes: true })).policy_four_eyes, true);
    assert.deepEqual(
      (await app().client.admin_invitations.list()).map((one) => one.id),
      [id],
    );
    for (const [path, body] of [
      ['/admin-invitations/accept', { code, name: 'Mallory' }],
      ['/sign-in', { code: oldLink }],
    ] as const)
      assert.deepEqual(codeOf(await app().request({ method: 'POST', path: `/admin/api${path}`, token: null, body })), [
        422,
        'invalid_code',
      ]);
  });

  test('with the tokens of one owner nothing of the policy changes, and nobody becomes another owner', async () => {
    const before = await state();
    const owners: Asked[] = [
      ...[
        { approval_policy: 'second_admin' },
        { policy_four_eyes: false },
        { audit_days: 30 },
        { four_eyes: { writes_over: 9, kinds: [] } },
      ],
      ...[{ decisions: { policy: 'passkey' } }, { smtp: { host: 'evil.example', from: 'a@evil.example' } }],
      ...[{ public_url: 'https://evil.example' }, { run_days: 1 }, { journal_days: 1 }, { shop_name: 'Evil', policy_four_eyes: false }],
    ].map(change);
    owners.push(
      { method: 'POST', path: '/admins', body: { name: 'M', email: 'm@example.org', role: 'owner' } },
      { method: 'PATCH', path: `/admins/${gone.adminId}`, body: { active: true } },
      { method: 'PATCH', path: `/admins/${staff.adminId}`, body: { role: 'owner' } },
      { method: 'PATCH', path: `/admins/${second.adminId}`, body: { email: 'mine@evil.example' } },
      { method: 'POST', path: '/admin-invitations', body: { email: 'n@example.org', role: 'owner' } },
      { method: 'POST', path: `/admins/${second.adminId}/tokens`, body: { name: 'mine' } },
      { method: 'POST', path: `/admins/${second.adminId}/sign-in-links`, body: {} },
    );
    for (const asked of owners) assert.deepEqual(codeOf(await send(asked)), [403, 'second_person_required'], JSON.stringify(asked));
    for (const asked of [
      { method: 'PATCH', path: `/admins/${second.adminId}`, body: { active: false } },
      { method: 'PATCH', path: `/admins/${second.adminId}`, body: { role: 'staff', permissions: [] } },
      { method: 'PATCH', path: `/admins/${ownId}`, body: { active: false } },
    ] as const)
      assert.deepEqual(codeOf(await send(asked)), [409, 'second_person_missing'], JSON.stringify(asked));
    assert.deepEqual(codeOf(await send(change({ policy_four_eyes: false }), goneToken)), [401, 'unauthorized']);
    const { id } = await propose(change({ policy_four_eyes: false }));
    const path = `/policy-changes/${id}/apply`;
    const own = (await app().client.me.create_token({ name: 'another name' })).token ?? '';
    const link = (await app().client.me.create_sign_in_link({})).code ?? '';
    const signedIn = await app().request({ method: 'POST', path: '/admin/api/sign-in', token: null, body: { code: link } });
    const listed = (await app().client.me.create_token({ name: 'listed', permissions: ['admin_api.settings.write'] })).token ?? '';
    for (const token of [OWNER_TOKEN, own, JSON.parse(signedIn.text).token])
      assert.deepEqual(codeOf(await send({ method: 'POST', path }, token)), [403, 'second_person_required']);
    for (const token of [staff.token, listed]) assert.deepEqual(codeOf(await send({ method: 'POST', path }, token)), [403, 'forbidden']);
    const agent = await api(second.token).me.create_agent({ name: 'laptop', permissions: ['admin_api.orders.read'] });
    assert.deepEqual(codeOf(await send({ method: 'POST', path }, agent.token ?? '')), [403, 'forbidden']);
    await app().client.policy_changes.decline(id, { reason: 'it was a try' });
    assert.deepEqual(await state(), before);
    await fits();
  });

  test('what one proposes and another applies is done, exactly that, once; declining says why', async () => {
    const made = await propose({ ...change({ approval_policy: 'second_admin' }) }, second.token);
    assert.deepEqual(made.decided, { settings: { approval_policy: ['author', 'second_admin'] } });
    assert.deepEqual([made.state, made.may_apply, made.acts], ['waiting', false, ['policy']]);
    const [waiting] = await app().client.policy_changes.list({ state: 'waiting' });
    assert.deepEqual([waiting?.id, waiting?.may_apply], [made.id, true]);
    const { notifications } = await app().client.notifications.list();
    assert.ok(notifications.some(({ type, metadata }) => type === 'policy_change_proposed' && metadata?.['policy_change_id'] === made.id));
    assert.equal((await settings().get()).approval_policy, 'author');
    const done = await app().client.policy_changes.apply(made.id);
    assert.deepEqual([done.state, done.decided_by, (await settings().get()).approval_policy], ['applied', ownId, 'second_admin']);
    await refused(app().client.policy_changes.apply(made.id), 409, 'change_not_waiting');
    const no = await propose(change({ approval_policy: 'author' }), second.token);
    const declined: PolicyChange = await app().client.policy_changes.decline(no.id, { reason: 'two are better' });
    assert.deepEqual([declined.state, declined.reason], ['declined', 'two are better']);
    await refused(app().client.policy_changes.apply(no.id), 409, 'change_not_waiting');
    // What has changed since it was proposed is not what the other owner saw.
    const [one, other] = [await propose(change({ audit_days: 100 })), await propose(change({ audit_days: 200 }))];
    await api(second.token).policy_changes.apply(one.id);
    await refused(api(second.token).policy_changes.apply(other.id), 409, 'decision_changed');
    assert.equal((await settings().get()).audit_days, 100);
    await refused(propose(change({ shop_name: 'Tea' })), 409, 'second_person_not_needed');
    await refused(propose(change({ audit_days: 1 })), 422, 'out_of_range');
    const audit = await app().client.audit_log.list({ resource_type: 'policy_change' });
    assert.ok(audit.data.length >= 5);
    await fits();
  });

  test('who becomes an owner by two starts with nothing that one of them has made', async () => {
    const third = await person(app(), { permissions: [] });
    const { id } = await propose({ method: 'PATCH', path: `/admins/${third.adminId}`, body: { role: 'owner' } });
    await api(second.token).policy_changes.apply(id);
    assert.equal((await app().client.admins.get(third.adminId)).role, 'owner');
    assert.equal((await send({ method: 'PATCH', path: '/me', body: {} }, third.token)).status, 401);
    const back = await propose({ method: 'PATCH', path: `/admins/${gone.adminId}`, body: { active: true } });
    await api(second.token).policy_changes.apply(back.id);
    assert.deepEqual(codeOf(await send({ method: 'POST', path: `/policy-changes/${back.id}/apply` }, goneToken)), [401, 'unauthorized']);
    // Those who are too many may go, down to two.
    await app().client.admins.update(gone.adminId, { active: false });
    await app().client.admins.update(third.adminId, { active: false });
    await fits();
  });

  test('whoever proposed is an owner still when it is applied', async () => {
    const third = await person(app(), { permissions: [] });
    const { id } = await propose({ method: 'PATCH', path: `/admins/${third.adminId}`, body: { role: 'owner' } });
    await api(second.token).policy_changes.apply(id);
    const theirs = await propose(change({ audit_days: 300 }), second.token);
    await app().client.admins.update(second.adminId, { role: 'staff', permissions: [] });
    await refused(app().client.policy_changes.apply(theirs.id), 409, 'change_not_waiting');
    assert.equal((await settings().get()).audit_days, 100);
  });

  test('the command of the machine is the way out; with passkeys both sign, and one passkey changes nothing', async () => {
    const services = await servicesOf(app().store);
    assert.deepEqual(await services.transact('policy.reset', resetPolicy), ['policy_four_eyes']);
    await app().client.admins.update(second.adminId, { role: 'owner' });
    const mine: Signer = await signer(app(), { adminId: ownId, token: OWNER_TOKEN });
    await settings().update({ decisions: { policy: 'passkey' } });
    const on = change({ policy_four_eyes: true });
    assert.deepEqual(codeOf(await mine.send(on)), [403, 'gesture_required']);
    await refused(mine.ask({ ...on, body: on.body ?? {} }), 409, 'passkey_missing');
    const theirs: Signer = await signer(app(), second);
    assert.equal((await mine.decide(on, { counter: 20 })).status, 200);
    await refused(mine.ask(change({ policy_four_eyes: false })), 403, 'second_person_required');
    const asked = { method: 'POST', path: '/policy-changes', body: { ...change({ policy_four_eyes: false }), comment: 'away' } } as const;
    assert.deepEqual(codeOf(await mine.send(asked)), [403, 'gesture_required']);
    const proposed = await mine.decide(asked, { counter: 21 });
    assert.equal(proposed.status, 201, proposed.text);
    const apply = { method: 'POST', path: `/policy-changes/${JSON.parse(proposed.text).id}/apply` } as const;
    await refused(mine.ask(apply), 403, 'second_person_required');
    assert.deepEqual(codeOf(await theirs.send(apply)), [403, 'gesture_required']);
    const gesture = await theirs.ask(apply);
    const byMine = mine.sign(gesture, { counter: 22 });
    assert.deepEqual(codeOf(await theirs.send(apply, byMine)), [403, 'passkey_refused']);
    assert.equal((await settings().get()).policy_four_eyes, true);
    const done = await theirs.decide(apply, { counter: 30 });
    assert.equal(done.status, 200, done.text);
    assert.equal((await settings().get()).policy_four_eyes, false);
    const lines = await fits();
    assert.ok(
      lines.filter((line) => line.includes('policy_change') && line.endsWith('signed by a passkey')).length === 2,
      lines.join('\n'),
    );
  });
});
