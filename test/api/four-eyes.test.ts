import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, claimRun, emptyQueue, field, makeTask } from '../helpers/runs.ts';

const END = { kind: 'finalize', status: 'success', end_reason: 'completed', result: {} };
const PERMISSIONS = ['admin_api.customers.write', 'admin_api.discount_groups.write'] as const;

onBothStores('DE8: plans of two persons', (app) => {
  let other: Person;
  let third: Person;
  let customerId: number;
  let taskId: number;

  const api = (token: string) => app().clientFor(token).ai_tasks;
  const rule = (four_eyes: { writes_over: number | null; kinds: ('customer' | 'discount_group' | 'voucher')[] }) =>
    app().client.settings.update({ four_eyes });

  /** A dry run by an admin, which plans notes of a customer. */
  async function planned(by: Person | null, notes = 2, task = taskId) {
    await emptyQueue(app());
    const tasks = by ? api(by.token) : app().client.ai_tasks;
    const { run_id: runId } = await tasks.start_run(task, { dry_run: true, priority: 1000 });
    const run = { taskId: task, runId, path: `/admin/api/ai-tasks/${task}/runs/${runId}` };
    const side = await claimRun(app(), run);
    for (let n = 0; n < notes; n += 1)
      assert.equal((await side.call('POST', `/customers/${customerId}/notes`, { body: `note ${n}` })).status, 201);
    return { runId, end: () => side.report([END]), side };
  }
  const apply = (by: Person | null, runId: number, task = taskId) => (by ? api(by.token) : app().client.ai_tasks).apply_run(task, runId);
  const refusesBoth = async (runId: number, ...makers: (Person | null)[]) => {
    for (const maker of makers) await refused(apply(maker, runId), 403, 'second_person_required');
  };
  const noteCount = async () => (await app().client.customers.list_notes(customerId)).length;

  before(async () => {
    customerId = (await makeCustomer(app())).id;
    taskId = await makeTask(app(), { permissions: [...PERMISSIONS] });
  });

  test('no such rule is made where nobody else could apply a plan; one that takes nothing is', async () => {
    await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    await refused(rule({ writes_over: 3, kinds: [] }), 409, 'second_person_missing');
    await refused(rule({ writes_over: null, kinds: ['voucher'] }), 409, 'second_person_missing');
    await rule({ writes_over: null, kinds: [] });
    const role = await app().client.roles.create({ name: 'Automation', permissions: ['admin_api.ai_tasks.write', ...PERMISSIONS] });
    other = await person(app(), { permissions: [...(['admin_api.ai_tasks.write', ...PERMISSIONS] as const)] });
    await app().client.admins.update(other.adminId, { role: 'staff', role_id: role.id });
    third = await person(app(), { permissions: ['admin_api.ai_tasks.write', ...PERMISSIONS] });
    assert.equal((await rule({ writes_over: 1, kinds: [] })).four_eyes.writes_over, 1);
  });

  test('by number: the starter applies up to that many writes, and more are applied by another, whatever the token is called', async () => {
    const small = await planned(null, 1);
    await small.end();
    await apply(null, small.runId);
    const { runId, end } = await planned(null, 2);
    await end();
    const before = await noteCount();
    await refusesBoth(runId, null);
    const { token } = await app().client.me.create_token({ name: third.name });
    const { token: link } = await app().client.me.create_token({ name: 'one request', single_use: true });
    for (const own of [token, link]) await refused(api(own ?? '').apply_run(taskId, runId), 403, 'second_person_required');
    assert.equal(await noteCount(), before);
    await apply(other, runId);
    assert.equal(await noteCount(), before + 2);
  });

  test('by kinds of records, also where the plan has one write', async () => {
    await rule({ writes_over: null, kinds: ['discount_group'] });
    const { runId: notes, end } = await planned(other, 3);
    await end();
    await apply(other, notes);
    const { runId, side } = await planned(other, 0);
    assert.equal((await side.call('POST', '/discount-groups', { name: 'Two', percent_bps: 100 })).status, 201);
    await side.report([END]);
    await refusesBoth(runId, other);
    await apply(third, runId);
    await rule({ writes_over: 1, kinds: [] });
  });

  test('a plan that goes on from that of another is of both: resumed or restarted, by whomever', async () => {
    const first = await planned(other, 2);
    await first.side.report([{ kind: 'checkpoint', state: {}, epoch: 0 }]);
    await first.end();
    await emptyQueue(app());
    const again = await api(third.token).restart_run(taskId, first.runId, { checkpoint: 1, dry_run: true, priority: 1000 });
    const run = { taskId, runId: again.run_id, path: `/admin/api/ai-tasks/${taskId}/runs/${again.run_id}` };
    const side = await claimRun(app(), run);
    await side.report([END]);
    await refusesBoth(again.run_id, other, third);
    await apply(null, again.run_id);
  });

  test('of an undo, whoever planned it does not carry it out where it takes two', async () => {
    const groups = [1, 2].map((n) => ['POST', '/discount-groups', { name: `Undo ${n} ${Math.random()}`, percent_bps: n }] as const);
    const run = await claimedRun(app(), {}, taskId);
    for (const [n, [method, path, body]] of groups.entries()) {
      const made = await run.call(method, path, body, { occurrence: n });
      assert.ok(Number(field(made.body, 'id')) > 0);
    }
    await run.report([END]);
    const plan = await api(third.token).undo_run(taskId, run.runId, {});
    await refusesBoth(plan.run_id, third);
    await rule({ writes_over: null, kinds: ['discount_group'] });
    await refusesBoth(plan.run_id, third);
    await refused(api(third.token).apply_run(taskId, plan.run_id, { rows: [1] }), 403, 'second_person_required');
    const { run_id } = await apply(other, plan.run_id);
    const back = await api(other.token).undo_run(taskId, run_id, {});
    await refusesBoth(back.run_id, other);
    await rule({ writes_over: 1, kinds: [] });
  });

  test('a plan is left to a second person, who finds it among what waits, and applies it or declines it with a reason', async () => {
    await rule({ writes_over: null, kinds: [] });
    const one = await planned(other, 1);
    await one.end();
    await api(other.token).ask_second_person(taskId, one.runId, { comment: 'please look' });
    await refused(api(other.token).ask_second_person(taskId, one.runId, {}), 409, 'not_applicable');
    const waiting = async (by: Person) =>
      (await api(by.token).list_pending_plans()).map((plan) => [plan.run_id, plan.may_apply, plan.refusal]);
    assert.deepEqual(await waiting(other), [[one.runId, false, 'second_person_required']]);
    assert.deepEqual(await waiting(third), [[one.runId, true, null]]);
    const reader = await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    assert.deepEqual(await waiting(reader), [[one.runId, false, 'forbidden']]);
    const [shown] = await api(third.token).list_pending_plans();
    assert.deepEqual(
      [shown?.writes, shown?.asked_by, shown?.comment, shown?.undo_of_run_id, shown?.proposal_version_id],
      [1, other.adminId, 'please look', null, null],
    );
    await refusesBoth(one.runId, other);
    await apply(third, one.runId);
    assert.deepEqual(await waiting(third), []);
    const two = await planned(other, 1);
    await two.end();
    await api(other.token).ask_second_person(taskId, two.runId, {});
    const told = async (by: Person) =>
      (await app().clientFor(by.token).notifications.list()).notifications.map(({ type, message }) => [type, message]);
    assert.ok((await told(third)).some(([type]) => type === 'ai_task_plan_pending'));
    await api(third.token).decline_plan(taskId, two.runId, { reason: 'not today' });
    assert.ok((await told(other)).some(([type, message]) => type === 'ai_task_plan_declined' && message?.endsWith('not today')));
    for (const by of [other, third]) await refused(apply(by, two.runId), 409, 'not_applicable');
    await refused(api(third.token).decline_plan(taskId, two.runId, { reason: 'again' }), 409, 'not_applicable');
    assert.deepEqual(await waiting(third), []);
    const { audit_log: log } = app().client;
    assert.ok((await log.list({ resource_type: 'run', resource_id: two.runId })).data.length >= 2);
  });
});
