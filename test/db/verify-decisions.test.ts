import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { decisionActs } from '../../contract/decisions.ts';
import { verifyDecisions } from '../../server/automation/verification/domain.ts';
import type { Store } from '../../server/db/open.ts';
import { chainOf } from '../../server/resources/decisions/chain.ts';
import { resetPolicy } from '../../server/resources/decisions/policy.ts';
import { canonicalText } from '../../server/values/canonical.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Signer, signer } from '../helpers/gestures.ts';
import { person } from '../helpers/people.ts';
import { claimedRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';

/** What somebody with the store alone could write into it. */
async function tamper(store: Store, ...statements: string[]): Promise<void> {
  await store.write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
}

onBothStores('every decision is checked against the store (DE7)', (app) => {
  const { makeTask, seen } = approvals(app);
  let owner: Signer;
  let signed: { id: number; versionId: number };

  const wrong = async () => {
    const found: string[] = [];
    for await (const { line, faults } of verifyDecisions(app().store)) if (faults.length > 0) found.push(`${line}: ${faults.join('; ')}`);
    return found;
  };
  const wrongOne = async (what: RegExp, ...statements: string[]) => {
    await tamper(app().store, ...statements);
    const found = await wrong();
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', what);
  };

  before(async () => {
    const { id: adminId } = await app().client.me.get();
    owner = await signer(app(), { adminId, token: OWNER_TOKEN });
    await makeTask([], OWNER_TOKEN);
    await app().client.settings.update({ decisions: { approve_version: 'passkey', policy: 'passkey' } });
    const { id, versionId } = await makeTask(['admin_api.orders.read'], OWNER_TOKEN);
    signed = { id, versionId };
    const path = `/ai-tasks/${id}/versions/${versionId}/approve`;
    const done = await owner.decide({ method: 'POST', path, body: { ...(await seen(id, versionId)) } });
    assert.equal(done.status, 200, done.text);
  });

  test('a store as it was made fits; decisions by token are told as such, and later changes of names do no harm', async () => {
    const lines: string[] = [];
    for await (const { line, faults } of verifyDecisions(app().store)) lines.push(`${line} ${faults.join()}`);
    assert.ok(
      lines.some((line) => /approve_version {2}task_version \d+ .* by token $/.test(line)),
      lines.join('\n'),
    );
    assert.ok(lines.some((line) => line.includes(`task_version ${signed.versionId}`) && line.endsWith('signed by a passkey ')));
    await app().client.ai_tasks.update(signed.id, { name: 'Renamed' });
    assert.deepEqual(await wrong(), []);
  });

  test('what somebody changed in the store is told: each part of the version, of what was signed, and of the passkey', async () => {
    const { versionId } = signed;
    const version = `WHERE id = ${versionId}`;
    const decision = `WHERE subject_type = 'task_version' AND subject_id = ${versionId}`;
    const other = await person(app());
    const cases: [RegExp, change: string, back: string][] = [
      [
        /source of the version is another/,
        `UPDATE task_versions SET source_code = 'evil()' ${version}`,
        `UPDATE task_versions SET source_code = 'log(1);' ${version}`,
      ],
      [
        /other permissions now/,
        `UPDATE task_versions SET permissions = '["admin_api.orders.write"]' ${version}`,
        `UPDATE task_versions SET permissions = '["admin_api.orders.read"]' ${version}`,
      ],
      [/other grants now/, `UPDATE task_versions SET mail_to = '["all"]' ${version}`, `UPDATE task_versions SET mail_to = '[]' ${version}`],
      [
        /other parameters now/,
        `UPDATE task_versions SET parameters = '[1]' ${version}`,
        `UPDATE task_versions SET parameters = '[]' ${version}`,
      ],
      [
        /decided by admin/,
        `UPDATE decisions SET admin_id = ${other.adminId} ${decision}`,
        `UPDATE decisions SET admin_id = ${owner.adminId} ${decision}`,
      ],
      [
        /challenge/i,
        `UPDATE decisions SET payload = replace(payload, '"acts"', '"acts" ') ${decision}`,
        `UPDATE decisions SET payload = replace(payload, '"acts" ', '"acts"') ${decision}`,
      ],
    ];
    const [kept] = await app()
      .store.reader.selectFrom('decisions')
      .selectAll()
      .where('subject_id', '=', versionId)
      .where('way', '=', 'passkey')
      .execute();
    assert.ok(kept);
    const signature = kept.signature ?? '';
    const wrongSignature = `${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`;
    cases.push([
      // Whether it is no signature of this, or none at all, depends on the character.
      /signature|not accepted/i,
      `UPDATE decisions SET signature = '${wrongSignature}' ${decision}`,
      `UPDATE decisions SET signature = '${signature}' ${decision}`,
    ]);
    for (const [what, change, back] of cases) {
      await wrongOne(what, change);
      await tamper(app().store, back);
      assert.deepEqual(await wrong(), []);
    }
    await tamper(app().store, `UPDATE decisions SET decided_at = '2099-01-01T00:00:00.000Z' ${decision}`);
    assert.match((await wrong()).join('\n'), /in the minute before\n.*there is no decision of then/);
    await wrongOne(
      /passkey is that of admin/,
      `UPDATE decisions SET decided_at = '${kept.decided_at}' ${decision}`,
      `UPDATE passkeys SET admin_id = ${other.adminId}`,
    );
    await wrongOne(/another public key/, `UPDATE passkeys SET admin_id = ${owner.adminId}, public_key = 'AAAA'`);
    await wrongOne(/never one of the shop/, `UPDATE passkeys SET public_key = '${kept.public_key}', credential_id = 'AAAA'`);
    await wrongOne(
      /deleted before/,
      `UPDATE passkeys SET credential_id = '${kept.credential_id}', deleted_at = '2020-01-01T00:00:00.000Z'`,
    );
    await wrongOne(/asked for a passkey then$/, `UPDATE passkeys SET deleted_at = NULL`, `UPDATE decisions SET way = 'token' ${decision}`);
    for (const way of ['machine', 'other'])
      await wrongOne(/nobody decides|no command of the machine/, `UPDATE decisions SET way = '${way}' ${decision}`);
    await wrongOne(/acts cannot be read/, `UPDATE decisions SET way = 'passkey', acts = '["other"]' ${decision}`);
    await wrongOne(/acts cannot be read/, `UPDATE decisions SET acts = 'no JSON' ${decision}`);
    await wrongOne(
      /is about task_version \d+, and not run/,
      `UPDATE decisions SET acts = '["approve_version"]', subject_type = 'run' ${decision}`,
    );
    await wrongOne(
      /passkey is one for other.example/,
      `UPDATE decisions SET subject_type = 'task_version' WHERE subject_id = ${versionId} AND subject_type = 'run'`,
      `UPDATE passkeys SET rp_id = 'other.example'`,
    );
    await tamper(app().store, `UPDATE passkeys SET rp_id = 'localhost'`);
    assert.deepEqual(await wrong(), []);
  });

  test('what was done without a decision is told: an approval, and another policy; the command of the machine is a decision', async () => {
    const { id, versionId } = await makeTask([], OWNER_TOKEN);
    await wrongOne(
      /there is no decision/,
      `UPDATE task_versions SET approved_by = 1, approved_at = '2099-01-01T00:00:00.000Z' WHERE id = ${versionId}`,
    );
    await tamper(app().store, `UPDATE task_versions SET approved_by = NULL, approved_at = NULL WHERE id = ${versionId}`);
    const policy = `UPDATE settings SET value = replace(value, '"policy":"passkey"', '"policy":"token"') WHERE key = 'decisions'`;
    await wrongOne(/the setting decisions: is/, policy);
    await tamper(
      app().store,
      `UPDATE settings SET value = replace(value, '"policy":"token"', '"policy":"passkey"') WHERE key = 'decisions'`,
    );
    assert.deepEqual(await wrong(), []);
    const services = await servicesOf(app().store);
    assert.deepEqual(await services.transact('policy.reset', resetPolicy), ['approve_version', 'policy']);
    assert.deepEqual(await services.transact('policy.reset', resetPolicy), []);
    assert.deepEqual(await wrong(), []);
    assert.equal((await makeTask([], OWNER_TOKEN)).approval, 'approved');
    assert.ok(id);
  });

  test('a decision that is gone, put in or moved is told, also one of a kind that is compared with nothing', async () => {
    await app().client.me.create_token({ name: 'kept' });
    await app().client.me.create_token({ name: 'after it' });
    assert.deepEqual(await wrong(), []);
    const [made] = await app().store.reader.selectFrom('decisions').selectAll().where('subject_type', '=', 'token').orderBy('id').execute();
    assert.ok(made);
    const { id, ...row } = made;
    await wrongOne(/does not follow the one before/, `DELETE FROM decisions WHERE id = ${id}`);
    await app().store.write((db) =>
      db
        .insertInto('decisions')
        .values({ id, ...row })
        .execute(),
    );
    assert.deepEqual(await wrong(), []);
    await wrongOne(/does not follow the one before/, `UPDATE decisions SET token_id = 77 WHERE id = ${id}`);
    await app().store.write((db) => db.updateTable('decisions').set({ token_id: row.token_id }).where('id', '=', id).execute());
    // Whoever makes the digests anew cannot make anew what a passkey has signed.
    const before = await app().store.reader.selectFrom('decisions').selectAll().where('way', '=', 'token').orderBy('id').execute();
    const gone = before[0];
    assert.ok(gone);
    await tamper(app().store, `DELETE FROM decisions WHERE id = ${gone.id}`);
    let chain: string | null = null;
    for (const { id: at, ...rest } of await app().store.reader.selectFrom('decisions').selectAll().orderBy('id').execute()) {
      chain = chainOf(chain, rest);
      const set = chain;
      await app().store.write((db) => db.updateTable('decisions').set({ chain: set }).where('id', '=', at).execute());
    }
    assert.match((await wrong()).join('\n'), /a decision is gone or another one that was signed with it/);
    await app().store.write(async (db) => {
      await db.insertInto('decisions').values(gone).execute();
    });
    let again: string | null = null;
    for (const { id: at, ...rest } of await app().store.reader.selectFrom('decisions').selectAll().orderBy('id').execute()) {
      again = chainOf(again, rest);
      const set = again;
      await app().store.write((db) => db.updateTable('decisions').set({ chain: set }).where('id', '=', at).execute());
    }
    assert.deepEqual(await wrong(), []);
  });

  test('a plan that was decided on is kept for its days, and a version for good; that they become fewer is a decision', async () => {
    const dry = await claimedRun(app(), { dry_run: true });
    const { id: customer } = await makeCustomer(app());
    assert.equal((await dry.call('POST', `/customers/${customer}/notes`, { body: 'kept' })).status, 201);
    await dry.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: {} }]);
    await app().client.ai_tasks.apply_run(dry.taskId, dry.runId);
    assert.deepEqual(await wrong(), []);
    const lineage = `lineage_id = (SELECT lineage_id FROM runs WHERE id = ${dry.runId})`;
    await wrongOne(/plan of run \d+ is gone before its time/, `DELETE FROM planned_writes WHERE ${lineage}`);
    await tamper(app().store, `UPDATE runs SET finished_at = '2020-01-01T00:00:00.000Z' WHERE id = ${dry.runId}`);
    assert.deepEqual(await wrong(), []);
    await app().client.settings.update({ run_days: 30, journal_days: 3 });
    const [last] = await app().store.reader.selectFrom('decisions').selectAll().orderBy('id', 'desc').limit(1).execute();
    assert.deepEqual([last?.acts, /"journal_days":\[7,3\]/.test(last?.payload ?? '')], ['["policy"]', true]);
  });

  test('what is revoked stays so, no row claims to be of the machine, and each change of the policy goes on from the one before', async () => {
    const { versionId } = signed;
    const at = "'2098-01-01T00:00:00.000Z'";
    await wrongOne(/there is no decision of then/, `UPDATE task_versions SET approved_at = ${at} WHERE id = ${versionId}`);
    await tamper(
      app().store,
      `UPDATE task_versions SET approved_at = (SELECT max(decided_at) FROM decisions WHERE subject_type = 'task_version' AND subject_id = ${versionId}) WHERE id = ${versionId}`,
    );
    assert.deepEqual(await wrong(), []);
    const all = (way: string) => Object.fromEntries(decisionActs.map((act) => [act, way]));
    const row = (decided: Record<string, unknown>, acts = ['policy']) => {
      const payload = canonicalText({ acts, admin: null, at: '2099-01-01T00:00:00.000Z', nonce: null, decided });
      return `INSERT INTO decisions (acts, way, subject_type, payload, decided_at) VALUES ('${JSON.stringify(acts)}', 'machine', 'settings', '${payload}', '2099-01-01T00:00:00.000Z')`;
    };
    const gone = `DELETE FROM decisions WHERE decided_at = '2099-01-01T00:00:00.000Z'`;
    const cases: [RegExp, string][] = [
      [/no command of the machine decides this/, row({ settings: { smtp: [null, null] } }, ['change_access'])],
      [/no command of the machine decides this/, row({ settings: { decisions: [all('token'), all('passkey')] } })],
      [/found another policy than the decisions before it/, row({ settings: { decisions: [all('passkey'), all('token')] } })],
      [/policy that it changes cannot be read/, row({ settings: { decisions: ['x', 'y'] } })],
    ];
    for (const [what, insert] of cases) {
      await tamper(app().store, insert);
      assert.match((await wrong())[0] ?? '', what);
      await tamper(app().store, gone);
      assert.deepEqual(await wrong(), []);
    }
  });
});
