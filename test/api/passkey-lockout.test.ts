import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTrial } from '../../server/automation/trials/store.ts';
import { verifyDecisions } from '../../server/automation/verification/domain.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { type Deciding, type Signer, signer } from '../helpers/gestures.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';

onBothStores('while acts ask for passkeys (DE1, DE5)', (app) => {
  const { makeTask, addVersion, seen, current, revoke } = approvals(app);
  let owner: Signer;
  let second: Person;

  const approve = async (id: number, versionId: number) => {
    const path = `/ai-tasks/${id}/versions/${versionId}/approve`;
    const done = await owner.decide({ method: 'POST', path, body: { ...(await seen(id, versionId)) } });
    assert.equal(done.status, 200, done.text);
  };

  before(async () => {
    const { id: adminId } = await app().client.me.get();
    owner = await signer(app(), { adminId, token: OWNER_TOKEN });
    second = await person(app(), { role: 'owner' });
    await app().client.settings.update({ decisions: { approve_version: 'passkey' } });
  });

  test('a paused version goes on by a gesture alone, which is no approval; revoking makes no earlier version current', async () => {
    const { id, versionId } = await makeTask([], OWNER_TOKEN);
    await approve(id, versionId);
    const services = await servicesOf(app().store);
    await services.transact('trials.test', ({ db }) =>
      insertTrial(db, {
        ...{ version_id: versionId, state: 'paused', failures: 5, effects: '[]', reason: 'failures', run_id: null, decided_at: null },
        before: JSON.stringify({ runs: 5, failures: 0, effects: null, version_id: versionId, version: 1 }),
      }).then(() => undefined),
    );
    const goOn: Deciding = { method: 'POST', path: `/ai-tasks/${id}/versions/${versionId}/continue`, body: {} };
    assert.deepEqual(codeOf(await owner.send(goOn)), [403, 'gesture_required']);
    const done = await owner.decide(goOn);
    assert.equal(done.status, 204, done.text);
    const next = await addVersion(id, [], OWNER_TOKEN);
    await approve(id, next.version_id);
    assert.equal(await current(id), next.version_id);
    await revoke(id, next.version_id);
    assert.equal(await current(id), null);
    for await (const { line, faults } of verifyDecisions(app().store)) assert.deepEqual(faults, [], line);
  });

  test('after a revoke, the version that is signed becomes current, and no other: neither one before it nor one over a newer', async () => {
    const { id, versionId: first } = await makeTask([], OWNER_TOKEN);
    const older = (await addVersion(id, [], OWNER_TOKEN)).version_id;
    const middle = (await addVersion(id, [], OWNER_TOKEN)).version_id;
    const newest = (await addVersion(id, [], OWNER_TOKEN)).version_id;
    await approve(id, middle);
    await approve(id, newest);
    await approve(id, first);
    assert.equal(await current(id), newest, 'an older one does not replace a newer one');
    await revoke(id, newest);
    assert.equal(await current(id), null);
    await approve(id, older);
    assert.equal(await current(id), older, 'the one between them stays approved, and nobody has signed that it runs again');
  });

  test('nothing takes away the last passkey of somebody who may decide: 409, and all is as before', async () => {
    const asOwner = app().clientFor(second.token);
    const { id: roleId } = await asOwner.roles.create({ name: 'Deciding', permissions: ['admin_api.ai_tasks.approve'] });
    await refused(asOwner.settings.update({ public_url: 'https://elsewhere.example' }), 409, 'passkey_missing');
    assert.equal((await asOwner.settings.get()).public_url, null);
    await refused(asOwner.admins.update(owner.adminId, { active: false }), 409, 'passkey_missing');
    await refused(asOwner.admins.update(owner.adminId, { role: 'staff', permissions: [] }), 409, 'passkey_missing');
    await asOwner.admins.update(owner.adminId, { role: 'staff', role_id: roleId });
    await refused(asOwner.roles.update(roleId, { permissions: [] }), 409, 'passkey_missing');
    await asOwner.roles.update(roleId, { name: 'Who decides' });
    await asOwner.admins.update(owner.adminId, { role: 'owner' });
    const { passkeys } = await app().client.me.list_passkeys();
    const { options } = await app().client.me.passkey_challenge({ confirms: 'delete_passkey' });
    const assertion = owner.authenticator.get(options, { counter: 500 });
    await refused(app().client.me.delete_passkey(passkeys[0]?.id ?? 0, { assertion }), 409, 'passkey_missing');
    assert.equal((await app().client.me.list_passkeys()).passkeys.length, 1);
  });
});
