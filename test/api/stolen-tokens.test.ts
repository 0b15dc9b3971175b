import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decisionActs } from '../../contract/decisions.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { verifyDecisions } from '../../server/automation/verification/domain.ts';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { type Signer, signer } from '../helpers/gestures.ts';
import { person } from '../helpers/people.ts';
import { claimedRun, codeOf } from '../helpers/runs.ts';
import { SoftwareAuthenticator } from '../helpers/software-authenticator.ts';

onBothStores('with every token of the shop stolen, nothing can be approved (DE1-DE5)', (app) => {
  const { makeTask, seen } = approvals(app);
  const tokens: Record<string, string> = {};
  let owner: Signer;
  let pending: { id: number; versionId: number };
  let dryRun: { taskId: number; runId: number };
  const codes: Record<string, string> = {};

  /** What must not change, whoever sends what. */
  const state = async () => {
    const { store } = app();
    const rows = async (table: 'admins' | 'roles' | 'passkeys' | 'admin_invitations' | 'task_versions') =>
      (await store.reader.selectFrom(table).selectAll().orderBy('id').execute()).map((row) =>
        JSON.stringify({ ...row, last_seen_at: null }),
      );
    const versions = (await store.reader.selectFrom('task_versions').select(['id', 'approved_by']).orderBy('id').execute()).filter(
      (row) => row.approved_by !== null,
    );
    const { decisions, approval_policy, four_eyes, limits_max, smtp, public_url } = await app().client.settings.get();
    const lasting = (await store.reader.selectFrom('tokens').select('id').where('single_use', '=', 0).execute()).length;
    const applied = await store.reader.selectFrom('runs').select('id').where('applied_by_run_id', 'is not', null).execute();
    return {
      ...{
        admins: await rows('admins'),
        roles: await rows('roles'),
        passkeys: await rows('passkeys'),
        invitations: await rows('admin_invitations'),
      },
      ...{ versions, lasting, applied, settings: { decisions, approval_policy, four_eyes, limits_max, smtp, public_url } },
      links: (await store.reader.selectFrom('one_time_links').select('id').where('target', 'is', null).execute()).length,
    };
  };

  before(async () => {
    const { id: adminId } = await app().client.me.get();
    owner = await signer(app(), { adminId, token: OWNER_TOKEN });
    tokens['the owner'] = OWNER_TOKEN;
    tokens['another owner, without a passkey'] = (await person(app(), { role: 'owner' })).token;
    tokens['staff who approve'] = (
      await person(app(), {
        permissions: ['admin_api.ai_tasks.approve', 'admin_api.ai_tasks.write', 'admin_api.settings.write', 'admin_api.orders.write'],
      })
    ).token;
    const agent = await app().client.me.create_agent({ name: 'laptop', permissions: ['admin_api.ai_tasks.write'] });
    tokens['an agent'] = agent.token ?? '';
    tokens['the runner'] = RUNNER_TOKEN;
    const run = await claimedRun(app());
    tokens['a run'] = run.claim.token;
    tokens['the report of a run'] = run.claim.report_token;
    const dry = await claimedRun(app(), { dry_run: true });
    await dry.report([{ kind: 'finalize', status: 'success' }]);
    dryRun = dry;
    const { client } = app();
    codes['an own link'] = (await client.me.create_sign_in_link({})).code ?? '';
    const other = await person(app(), { role: 'owner' });
    codes['a link for somebody else'] = (await client.admins.create_sign_in_link(other.adminId, {})).code ?? '';
    const invitation = await client.admin_invitations.create({ name: 'M', email: 'm@example.org', role: 'owner', send_mail: false });
    codes['an invitation'] = invitation.code ?? '';
    const all = Object.fromEntries(decisionActs.map((act) => [act, 'passkey']));
    await app().client.settings.update({ decisions: all });
    pending = await makeTask(['admin_api.orders.write'], OWNER_TOKEN);
  });

  const values: Record<string, () => Promise<Record<string, unknown>>> = {
    'ai_tasks.approve_version': async () => ({ ...(await seen(pending.id, pending.versionId)) }),
    'ai_tasks.update': async () => ({ settings: { limits: { wall_seconds: 86_400 } } }),
    'ai_tasks.create': async () => ({ name: 'mine', description: '', source_code: 'log(1);', parameters: [], permissions: [] }),
    'ai_tasks.create_version': async () => ({ source_code: 'log(2);', parameters: [], permissions: [] }),
    'proposals.apply': async () => ({ ...(await seen(pending.id, pending.versionId)), run_id: dryRun.runId }),
    'me.create_token': async () => ({ name: 'mine' }),
    'me.create_sign_in_link': async () => ({}),
    'me.create_agent': async () => ({ name: 'mine', permissions: [] }),
    'me.allow_agent': async () => ({ name: 'mine', permissions: [] }),
    'admins.create_token': async () => ({ name: 'mine' }),
    'admins.create_sign_in_link': async () => ({}),
    'admins.create': async () => ({ name: 'Mallory', email: 'mallory@example.org', role: 'owner' }),
    'admins.update': async () => ({ email: 'mallory@example.org' }),
    'roles.create': async () => ({ name: 'Mine', permissions: ['admin_api.ai_tasks.approve'] }),
    'roles.update': async () => ({ permissions: ['admin_api.ai_tasks.approve'] }),
    'admin_invitations.create': async () => ({ email: 'mallory@example.org', role: 'owner' }),
    'admin_invitations.resend': async () => ({}),
    'settings.update': async () => ({ decisions: { policy: 'token', approve_version: 'token' } }),
  };
  const ids: Record<string, () => number> = { 'ai_tasks.': () => pending.id, 'proposals.': () => pending.id };
  const pathOf = (e: Endpoint) =>
    e.path
      .replace('{version_id}', String(pending.versionId))
      .replace('{run_id}', String(dryRun.runId))
      .replace('{request}', 'unknown')
      .replace(/\{id\}/, String(Object.entries(ids).find(([start]) => e.id.startsWith(start))?.[1]() ?? 2));

  test('each endpoint that decides refuses each token, and nothing is decided', async () => {
    const deciding = endpointList.filter((e) => e.decides);
    assert.ok(deciding.length >= 20);
    const before = await state();
    const asked = new Set<string>();
    for (const endpoint of deciding) {
      const body = await values[endpoint.id]?.();
      for (const [who, token] of Object.entries(tokens)) {
        const request = { method: endpoint.method, path: `/admin/api${pathOf(endpoint)}`, token };
        const answer = await app().request(body === undefined ? request : { ...request, body });
        const makesPending = endpoint.id === 'ai_tasks.create' || endpoint.id === 'ai_tasks.create_version';
        if (makesPending && answer.status < 300) assert.match(answer.text, /"approval":"pending"/, `${who}: ${endpoint.id}`);
        else assert.ok(answer.status >= 400 && answer.status < 500, `${who}: ${endpoint.id} was answered ${answer.status} ${answer.text}`);
        if (codeOf(answer)[1] === 'gesture_required') asked.add(endpoint.id);
      }
    }
    assert.deepEqual(await state(), before);
    for (const id of [
      'ai_tasks.approve_version',
      'settings.update',
      'admins.create',
      'me.create_token',
      'admins.create_token',
      'roles.create',
      'admin_invitations.create',
      'me.create_agent',
    ])
      assert.ok(asked.has(id), `${id} asks for a gesture`);
  });

  test('a gesture that is asked for with a stolen token helps nobody without the passkey, and other settings lead to no way in', async () => {
    const before = await state();
    const body = { ...(await seen(pending.id, pending.versionId)) };
    const request = { method: 'POST' as const, path: `/ai-tasks/${pending.id}/versions/${pending.versionId}/approve`, body };
    const thief = new SoftwareAuthenticator(new URL(app().url).origin.replace('127.0.0.1', 'localhost'));
    for (const token of [tokens['the owner'], tokens['another owner, without a passkey']]) {
      const gesture = await app()
        .clientFor(token ?? '')
        .me.ask_gesture(request);
      const credential = thief.get(gesture.options, { userHandle: Buffer.from(`backroom-admin-${owner.adminId}`).toString('base64url') });
      const header = Buffer.from(JSON.stringify({ gesture_id: gesture.gesture_id, credential })).toString('base64url');
      const answer = await app().request({
        ...request,
        path: `/admin/api${request.path}`,
        token: token ?? '',
        headers: { 'Backroom-Gesture': header },
      });
      assert.deepEqual(codeOf(answer), [403, 'passkey_refused']);
    }
    const smtp = { host: 'mail.evil.example', from: 'a@evil.example' };
    for (const change of [
      { smtp },
      { public_url: 'https://evil.example' },
      { approval_policy: 'second_admin' as const },
      { four_eyes: { writes_over: 1, kinds: [] } },
      { audit_days: 30 },
    ]) {
      const answer = await app().request({ method: 'PATCH', path: '/admin/api/settings', body: change });
      assert.deepEqual(codeOf(answer), [403, 'gesture_required'], JSON.stringify(change));
    }
    assert.deepEqual(await state(), before);
  });

  test('links and invitations that a token made before, and nobody has used, are ended by the switch', async () => {
    const before = await state();
    assert.deepEqual(before.invitations, []);
    for (const [what, code] of Object.entries(codes)) {
      assert.notEqual(code, '', what);
      const accepts = what === 'an invitation';
      const path = accepts ? '/admin/api/admin-invitations/accept' : '/admin/api/sign-in';
      const body = accepts ? { code, name: 'Mallory', device: 'x' } : { code, device: 'x' };
      const refused = await app().request({ method: 'POST', path, token: null, body });
      assert.deepEqual(codeOf(refused), [422, 'invalid_code'], `${what}: ${refused.text}`);
    }
    assert.deepEqual(await state(), before);
  });

  test('afterwards the owner decides by gesture as before, and every decision fits', async () => {
    const path = `/ai-tasks/${pending.id}/versions/${pending.versionId}/approve`;
    const done = await owner.decide({ method: 'POST', path, body: { ...(await seen(pending.id, pending.versionId)) } });
    assert.equal(done.status, 200, done.text);
    for await (const { line, faults } of verifyDecisions(app().store)) assert.deepEqual(faults, [], line);
  });
});
