import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { decisionActs } from '../../contract/decisions.ts';
import type { Store } from '../../server/db/open.ts';
import { lockDecisions } from '../../server/resources/decisions/policy.ts';
import { writeSettings } from '../../server/resources/settings/domain.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { type Deciding, type Signer, signer } from '../helpers/gestures.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, field } from '../helpers/runs.ts';
import { SoftwareAuthenticator } from '../helpers/software-authenticator.ts';
import { passMinuteOfGesture } from '../helpers/stored-rows/passed-time.ts';

/** Whether a transaction waits for a lock of a name. */
async function waitsForLock({ reader }: Store): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(reader);
  return rows.length > 0;
}

onBothStores('decisions by gesture (DE1-DE6)', (app) => {
  const { policy, makeTask, seen, stateOf, current } = approvals(app);
  let owner: Signer;
  let other: Signer;

  const update = (body: Record<string, unknown>): Deciding => ({ method: 'PATCH', path: '/settings', body });
  const approval = async (id: number, versionId: number): Promise<Deciding> => ({
    method: 'POST',
    path: `/ai-tasks/${id}/versions/${versionId}/approve`,
    body: { ...(await seen(id, versionId)) },
  });

  test('DE1: no act can be switched to passkey while nobody who may decide it has one; then only owners switch', async () => {
    const error = await refused(app().client.settings.update({ decisions: { approve_version: 'passkey' } }), 409, 'passkey_missing');
    assert.deepEqual(error.problem?.['acts'], ['approve_version']);
    assert.equal((await app().client.settings.get()).decisions.approve_version, 'token');
    const { id: adminId } = await app().client.me.get();
    owner = await signer(app(), { adminId, token: OWNER_TOKEN });
    assert.equal((await app().client.settings.get()).passkeys_suggested, false);
    other = await signer(app(), await person(app(), { role: 'owner' }));
    assert.equal((await app().client.settings.get()).passkeys_suggested, true);
    const staff = app().clientFor((await person(app(), { permissions: ['admin_api.settings.write'] })).token).settings;
    await refused(staff.update({ decisions: { approve_version: 'passkey' } }), 403, 'forbidden');
    const { decisions, passkeys_suggested } = await app().client.settings.update({ decisions: { approve_version: 'passkey' } });
    assert.deepEqual([decisions.approve_version, decisions.policy, passkeys_suggested], ['passkey', 'token', false]);
  });

  test('DE2, DE3: a version waits for a gesture, which signs its source, permissions, grants and parameters; its author may make it', async () => {
    await policy('author');
    const task = await makeTask(['admin_api.orders.read'], owner.token);
    assert.equal(task.approval, 'pending');
    const request = await approval(task.id, task.versionId);
    const plain = await owner.send(request);
    assert.deepEqual([codeOf(plain), field(plain.body, 'acts')], [[403, 'gesture_required'], ['approve_version']]);
    const gesture = await owner.ask(request);
    const { source_sha256 } = await app().client.ai_tasks.get_version(task.id, task.versionId);
    assert.deepEqual(gesture.acts, ['approve_version']);
    assert.deepEqual(gesture.decided, {
      task: { id: task.id, name: 'n' },
      version: {
        ...{ id: task.versionId, number: 1, source_sha256, permissions: ['admin_api.orders.read'], parameters: [] },
        grants: { mail_to: [], http_allow: [], secrets: [], may_start: [] },
      },
    });
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    const done = await owner.send(request, owner.sign(gesture));
    assert.deepEqual([done.status, await stateOf(task.id, task.versionId)], [200, ['approved', owner.adminId]]);
    assert.equal(await current(task.id), task.versionId);
  });

  test('DE4: a gesture counts once, for a minute, for what it signed, from the admin it was asked by', async () => {
    const task = await makeTask(['admin_api.orders.read'], other.token);
    const request = await approval(task.id, task.versionId);
    const refusedAs = async (header: string, status: number, code: string, by = owner, asked = request) => {
      assert.deepEqual(codeOf(await by.send(asked, header)), [status, code]);
      assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    };
    await refusedAs('not json', 400, 'malformed_header');
    await refusedAs('a'.repeat(9000), 400, 'malformed_header');
    const gesture = await owner.ask(request);
    await refusedAs(owner.sign(gesture, { userVerified: false }), 403, 'passkey_refused');
    await refusedAs(owner.sign(gesture, { origin: 'https://evil.example' }), 403, 'passkey_refused');
    await refusedAs(owner.sign(gesture, { rpId: 'evil.example' }), 403, 'passkey_refused');
    await refusedAs(owner.sign(gesture, { counter: 0 }), 403, 'passkey_refused');
    await refusedAs(
      owner.sign(gesture, { userHandle: 'c3RyYW5nZXI' }, new SoftwareAuthenticator('http://localhost')),
      403,
      'passkey_refused',
    );
    await refusedAs(owner.sign(gesture, { counter: 100 }, other.authenticator), 403, 'passkey_refused');
    // Another gesture's signature, for another version.
    const second = await makeTask(['admin_api.orders.read'], other.token);
    const elsewhere = await approval(second.id, second.versionId);
    const wrong = await owner.ask(elsewhere);
    await refusedAs(owner.sign({ ...gesture, options: wrong.options }, { counter: 10 }), 403, 'gesture_for_another');
    await refusedAs(owner.sign(wrong, { counter: 11 }), 409, 'decision_changed');
    // Another admin's, asked for by them.
    await refusedAs(other.sign(await other.ask(elsewhere), { counter: 200 }), 403, 'gesture_of_another');
    const old = await owner.ask(request);
    await passMinuteOfGesture(app().store, old.gesture_id);
    await refusedAs(owner.sign(old, { counter: 12 }), 403, 'gesture_expired');
    const header = owner.sign(gesture, { counter: 13 });
    assert.equal((await owner.send(request, header)).status, 200);
    assert.deepEqual(codeOf(await owner.send(elsewhere, header)), [409, 'gesture_used']);
    assert.deepEqual(await stateOf(second.id, second.versionId), ['pending', null]);
  });

  test('DE4: what changed between look and gesture is refused, and nothing of it is done', async () => {
    await app().client.settings.update({ decisions: { raise_limits: 'passkey', apply_plan: 'passkey' } });
    const request = update({ limits_max: { wall_seconds: 900 } });
    const lowered = await owner.send(request);
    assert.equal(lowered.status, 200);
    const raise = update({ limits_max: { wall_seconds: 1200 } });
    assert.deepEqual(codeOf(await owner.send(raise)), [403, 'gesture_required']);
    const gesture = await owner.ask(raise);
    assert.deepEqual(gesture.decided, { settings: { limits_max: [{ wall_seconds: 900 }, { wall_seconds: 1200 }] } });
    await app().client.settings.update({ limits_max: { wall_seconds: 600 } });
    const changed = await owner.send(raise, owner.sign(gesture));
    assert.deepEqual(codeOf(changed), [409, 'decision_changed']);
    assert.deepEqual((await app().client.settings.get()).limits_max, { wall_seconds: 600 });
    assert.equal((await owner.decide(raise)).status, 200);
    const { id } = await makeTask([], owner.token);
    const own: Deciding = { method: 'PATCH', path: `/ai-tasks/${id}`, body: { settings: { limits: { wall_seconds: 1000 } } } };
    assert.deepEqual(codeOf(await owner.send(own)), [403, 'gesture_required']);
    assert.equal((await owner.decide(own)).status, 200);
    for (const settings of [{ retry: { attempts: 3 } }, { concurrency: { limit: null } }]) {
      await app().client.ai_tasks.update(id, { settings: { concurrency: { limit: 1 } } });
      assert.deepEqual(codeOf(await owner.send({ ...own, body: { settings } })), [403, 'gesture_required'], JSON.stringify(settings));
    }
    assert.deepEqual(codeOf(await owner.send(update({ task_mails_per_day: 1001 }))), [403, 'gesture_required']);
    assert.equal((await owner.send(update({ task_mails_per_day: 5 }))).status, 200);
    // A limit that becomes lower needs none.
    assert.equal((await owner.send({ ...own, body: { settings: { limits: { wall_seconds: 10 } } } })).status, 200);
  });

  test('DE2: what is asked is undone, and a request that decides nothing has nothing to sign', async () => {
    const before = (await app().client.admins.list()).data.length;
    const body = { name: 'Mallory', email: 'mallory@example.org', role: 'owner' };
    const { decided } = await owner.ask({ method: 'POST', path: '/admins', body });
    assert.equal(field(decided['new_admin'], 'email'), 'mallory@example.org');
    assert.equal((await app().client.admins.list()).data.length, before);
    await refused(owner.ask({ method: 'POST', path: '/roles', body: { name: '' } }), 422, 'blank');
    // What would be refused after the decision is refused at the look, and no passkey signs it.
    const { email } = (await app().client.admins.list()).data[0] ?? { email: '' };
    await refused(owner.ask({ method: 'POST', path: '/admins', body: { ...body, email } }), 422, 'duplicate');
    await app().client.roles.create({ name: 'Taken' });
    await refused(owner.ask({ method: 'POST', path: '/roles', body: { name: 'Taken' } }), 422, 'duplicate');
    const invitation = { method: 'POST', path: '/admin-invitations', body: { email: 'new@example.org', role: 'staff' } } as const;
    assert.equal(field((await owner.ask(invitation)).decided['invitation'], 'allows_passkey'), false);
    await refused(owner.ask({ method: 'POST', path: '/pages', body: { slug: 'a', title: 'A' } }), 409, 'gesture_not_needed');
    await refused(owner.ask({ method: 'POST', path: '/nowhere' }), 404, 'route_not_found');
    const staff = await person(app(), { permissions: [] });
    await refused(app().clientFor(staff.token).me.ask_gesture({ method: 'POST', path: '/admins', body }), 403, 'forbidden');
  });

  test('DE1: the policy itself is decided by a gesture once it says so, and one request may be several decisions', async () => {
    const all = Object.fromEntries(decisionActs.map((act) => [act, 'passkey']));
    assert.equal((await app().client.settings.update({ decisions: all })).decisions.policy, 'passkey');
    for (const body of [
      { decisions: { policy: 'token' } },
      { approval_policy: 'second_admin' },
      { audit_days: 30 },
      { run_days: 1 },
      { journal_days: 1 },
      { public_url: 'https://evil.example' },
    ])
      assert.deepEqual(codeOf(await owner.send(update(body))), [403, 'gesture_required']);
    const both = update({ decisions: { approve_version: 'token' }, limits_max: {} });
    const gesture = await owner.ask(both);
    assert.deepEqual(gesture.acts, ['policy', 'raise_limits']);
    assert.equal((await owner.send(both, owner.sign(gesture))).status, 200);
    assert.equal((await owner.decide(update({ decisions: Object.fromEntries(decisionActs.map((act) => [act, 'token'])) }))).status, 200);
  });

  test('DE6: a decision by token that meets the switch to passkeys is decided after it, as what the switch has left', async () => {
    const { store } = app();
    const raise = update({ limits_max: {} });
    await app().client.settings.update({ limits_max: { wall_seconds: 100 } });
    const decisions = { ...(await app().client.settings.get()).decisions, raise_limits: 'passkey' as const };
    let sent: ReturnType<typeof owner.send> | undefined;
    await store.write(async (db) => {
      await lockDecisions({ db, dialect: store.dialect });
      await writeSettings(db, { decisions });
      let isAnswered = false;
      sent = owner.send(raise).finally(() => {
        isAnswered = true;
      });
      // On SQLite nobody else writes until this transaction ends.
      while (store.dialect.engine === 'postgres' && !isAnswered && !(await waitsForLock(store))) await setImmediate();
    });
    assert.deepEqual(codeOf((await sent) ?? assert.fail()), [403, 'gesture_required']);
  });
});
