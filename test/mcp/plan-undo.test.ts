import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { Permission } from '../../contract/permissions.ts';
import { UndoRow } from '../../contract/undo.ts';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Call, ran as ranWith } from '../helpers/done-runs.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const GROUPS: Permission = 'admin_api.discount_groups.write';
const CUSTOMERS: Permission = 'admin_api.customers.write';
const TASKS: Permission = 'admin_api.ai_tasks.write';
const NAME = 'Zsófia Bodrogi';

const Plan = z.object({
  ...{ run_id: z.number(), task_id: z.number(), undo_of_run_id: z.number(), apply_at: z.string() },
  rows: z.record(z.string(), z.number()),
  first: z.array(UndoRow),
  after: z.number().nullable(),
});
const Rows = z.array(UndoRow);

onBothStores('MC3, UN9: an agent plans an undo, and a person carries it out', (app) => {
  let agent: ConnectedAgent;
  let blind: ConnectedAgent;
  before(async () => {
    agent = await connectAgent(app(), { permissions: [GROUPS, CUSTOMERS, TASKS, 'admin_api.inquiries.write'], sees_personal_data: true });
    blind = await connectAgent(app(), { name: 'blind', permissions: [GROUPS, CUSTOMERS, TASKS] });
  });
  after(async () => {
    await agent.client.close();
    await blind.client.close();
  });

  const tasks = () => app().client.ai_tasks;
  const ran = (calls: readonly Call[], permissions: readonly Permission[] = [GROUPS], taskId?: number) =>
    ranWith(app(), calls, { permissions, ...(taskId !== undefined && { taskId }) });
  let made = 0;
  const group = async () => app().client.discount_groups.create({ name: `Group ${++made}`, percent_bps: 100 });
  const planOf = ({ taskId, runId }: { taskId: number; runId: number }, by = agent) =>
    by.data('plan_undo', Plan, { task_id: taskId, run_id: runId });

  test('the plan has what is ready, what was changed since with three values, and why something cannot be taken back', async () => {
    const { client } = app();
    const [first, second] = [await group(), await group()];
    const inquiry = await client.inquiries.create({ name: 'I', email: 'i@example.com', subject: 'S', body: 'B' });
    const run = await ran(
      [
        ['PATCH', `/discount-groups/${first.id}`, { percent_bps: 200 }],
        ['PATCH', `/discount-groups/${second.id}`, { percent_bps: 200 }],
        ['POST', `/inquiries/${inquiry.id}/answer`, { body: 'Yes' }],
      ],
      [GROUPS, 'admin_api.inquiries.write'],
    );
    await client.discount_groups.update(second.id, { percent_bps: 300 });
    const plan = await planOf(run);
    assert.deepEqual(plan.rows, { ready: 1, conflict: 1, irreversible: 1, already_as_before: 0 });
    const [answer, conflict, ready] = plan.first;
    assert.deepEqual([answer?.state, answer?.reason_code], ['irreversible', 'endpoint']);
    assert.match(answer?.reason ?? '', /Write to the person again/);
    assert.deepEqual(conflict?.conflicts, [
      { record: `discount_groups ${second.id}`, field: 'percent_bps', before: 100, run: 200, now: 300 },
    ]);
    assert.deepEqual([ready?.state, ready?.changes[0]?.changes['percent_bps']], ['ready', [200, 100]]);
    assert.equal((await client.discount_groups.get(first.id)).percent_bps, 200, 'the plan changes nothing');
    const place = { task_id: run.taskId, run_id: plan.run_id, part: 'undo' };
    assert.deepEqual(await agent.data('run', Rows, place), plan.first);
    assert.deepEqual(await agent.data('run', Rows, { ...place, after: 2 }), [ready]);

    assert.equal(plan.apply_at, `/tasks/${run.taskId}/runs/${plan.run_id}`);
    await client.settings.update({ public_url: 'https://shop.example' });
    assert.match((await planOf(run)).apply_at, /^https:\/\/shop\.example\/tasks\/\d+\/runs\/\d+$/);
    await client.settings.update({ public_url: null });
    const { logs } = await client.logs.list({ source: 'mcp' });
    assert.match(logs.find(({ action }) => action === 'mcp.plan_undo')?.admin_name ?? '', /agent «laptop»$/);
    const { data } = await client.audit_log.list({ resource_type: 'run', resource_id: plan.run_id });
    assert.deepEqual([data[0]?.action, data[0]?.actor.token_id], ['ai_tasks.undo_run', agent.id]);

    await tasks().apply_run(run.taskId, plan.run_id);
    assert.deepEqual(
      [(await client.discount_groups.get(first.id)).percent_bps, (await client.discount_groups.get(second.id)).percent_bps],
      [100, 300],
    );
  });

  test('some effects, or a whole lineage; what is no run that took effect is refused with words', async () => {
    const run = await ran([
      ['POST', '/discount-groups', { name: `First ${++made}`, percent_bps: 1 }],
      ['POST', '/discount-groups', { name: `Second ${++made}`, percent_bps: 1 }],
    ]);
    const [effect] = await tasks().list_effects(run.taskId, run.runId);
    const place = { task_id: run.taskId, run_id: run.runId };
    const some = await agent.data('plan_undo', Plan, { ...place, effects: [effect?.call ?? 0] });
    assert.deepEqual(
      some.first.map(({ call }) => call),
      [effect?.call],
    );
    assert.equal((await agent.data('plan_undo', Plan, { ...place, lineage: true })).rows['ready'], 2);
    for (const [args, words] of [
      [{ lineage: true, effects: [1] }, /^invalid_value|^validation_failed/],
      [{ effects: [10 ** 9] }, /^not_found/],
      [{ effects: ['x'] }, /effects.0: must be a number/],
      [{ run_id: some.run_id }, /^not_applicable: .*is a dry run/],
      [{ task_id: run.taskId + 1000 }, /^not_found/],
      [{ run_id: 2 ** 60 }, /^(invalid|not_found|route_not_found)/],
    ] as const) {
      const answer = await agent.tool('plan_undo', { ...place, ...args });
      assert.ok(answer.isError);
      assert.match(answer.text, words);
    }
    assert.match((await agent.tool('run', { ...place, part: 'undo' })).text, /^not_applicable: .*not the plan of an undo/);
  });

  test('what has no room in the answer is read on in the same plan', async () => {
    const { id } = await group();
    const calls = Array.from(
      { length: 30 },
      (_, n): Call => ['PATCH', `/discount-groups/${id}`, { name: `Part ${made}-${n} ${'x'.repeat(150)}` }],
    );
    const run = await ran(calls);
    for (const [max_bytes, told] of [
      [1024, 0],
      [8192, 5],
      [65_536, 20],
    ] as const) {
      const { data, more, text } = await agent.tool('plan_undo', { task_id: run.taskId, run_id: run.runId, max_bytes, from: 100 });
      assert.equal(more, null, text);
      const plan = Plan.parse(data);
      assert.deepEqual([plan.first.length >= told, plan.after], [true, plan.first.length], `${plan.first.length} of ${max_bytes} bytes`);
      const rest = { task_id: run.taskId, run_id: plan.run_id, part: 'undo', after: plan.after, max_bytes: 65_536 };
      const rows = [...plan.first, ...(await agent.data('run', Rows, rest))];
      assert.deepEqual(
        rows.map(({ position }) => position),
        calls.map((_, n) => n + 1),
      );
    }
  });

  test('it applies no plan: by no tool, at no address', async () => {
    const { id } = await group();
    const run = await ran([['PATCH', `/discount-groups/${id}`, { percent_bps: 200 }]]);
    const { run_id } = await planOf(run);
    const params = { id: run.taskId, run_id };
    for (const operation of ['ai_tasks.apply_run', 'ai_tasks.undo_run', 'ai_tasks.ask_second_person', 'ai_tasks.decline_plan']) {
      const answer = await agent.tool('call', { operation, params });
      assert.match(answer.text, /^forbidden: /, operation);
    }
    const unknown = await agent.tool('apply_undo', params).catch((error: unknown) => ({ isError: true, text: String(error) }));
    assert.ok(unknown.isError);
    const told = await agent.data('plan_undo', Plan, { task_id: run.taskId, run_id: run.runId, apply: true, rows: [1] });
    for (const path of [`${run_id}/apply`, `${told.run_id}/apply`, `${run.runId}/undo`]) {
      const answer = await app().request({
        ...{ method: 'POST', path: `/admin/api/ai-tasks/${run.taskId}/runs/${path}`, token: agent.token },
        body: {},
      });
      assert.equal(answer.status, 403, path);
    }
    const script = `await admin_api.post('/ai-tasks/${run.taskId}/runs/${run_id}/apply', {});`;
    await agent.tool('dry_run', { draft: { source_code: script, permissions: [], parameters: [] }, wait_seconds: 0 });
    assert.equal((await app().client.discount_groups.get(id)).percent_bps, 200);
    assert.equal((await tasks().get_run(run.taskId, run_id)).applied_by_run_id, null);
  });

  test('it plans with the permission of each write and the reads of the run alone; where one is lacking, nothing is planned', async () => {
    const { id } = await group();
    const customer = await makeCustomer(app(), { name: NAME });
    const groups = await ran([['PATCH', `/discount-groups/${id}`, { percent_bps: 200 }]]);
    const people = await ran([['PATCH', `/customers/${customer.id}`, { name: 'Other' }]], [CUSTOMERS]);
    const many = async () => (await tasks().list_runs(groups.taskId)).length + (await tasks().list_runs(people.taskId)).length;
    const before = await many();
    const lacking: [permissions: Permission[], run: { taskId: number; runId: number }, words: RegExp][] = [
      [['admin_api.ai_tasks.read', GROUPS], groups, /^forbidden: .*ai_tasks\.write/],
      [[TASKS, 'admin_api.discount_groups.read'], groups, /^forbidden: .*discount_groups\.write/],
      [[TASKS], people, /^forbidden: .*customers\.read/],
    ];
    for (const [permissions, { taskId, runId }, words] of lacking) {
      const other = await connectAgent(app(), { permissions, sees_personal_data: true });
      const answer = await other.tool('plan_undo', { task_id: taskId, run_id: runId });
      assert.match(answer.text, words);
      await other.client.close();
    }
    const staff = await person(app(), { permissions: [GROUPS, TASKS] });
    const theirs = await connectAgent(app(), { api: app().clientFor(staff.token), permissions: [GROUPS, TASKS] });
    await app().client.admins.update(staff.adminId, { permissions: [TASKS, 'admin_api.discount_groups.read'] });
    const answer = await theirs.tool('plan_undo', { task_id: groups.taskId, run_id: groups.runId });
    assert.match(answer.text, /^forbidden: .*discount_groups\.write/, 'its admin has lost the permission');
    await theirs.client.close();
    assert.equal(await many(), before);
  });

  test('MC4: from a blind agent people are hidden in the rows, too, by whatever way it reads them', async () => {
    const customer = await makeCustomer(app(), { name: NAME });
    const people = await ran([['PATCH', `/customers/${customer.id}`, { name: 'Other' }]], [CUSTOMERS]);
    assert.match((await blind.tool('plan_undo', { task_id: people.taskId, run_id: people.runId })).text, /^forbidden: .*customers\.read/);
    const sighted = await planOf(people);
    for (const [tool, args] of [
      ['run', { task_id: people.taskId, run_id: sighted.run_id, part: 'undo' }],
      ['call', { operation: 'ai_tasks.list_undo', params: { id: people.taskId, run_id: sighted.run_id } }],
    ] as const)
      assert.match((await blind.tool(tool, args)).text, /^forbidden: /);

    // Whoever wrote the name of a group may have written about somebody.
    const { id } = await group();
    const groups = await ran([['PATCH', `/discount-groups/${id}`, { name: `Of the run ${++made}`, percent_bps: 200 }]]);
    await app().client.discount_groups.update(id, { name: `For ${NAME}`, percent_bps: 300 });
    const plan = await planOf(groups, blind);
    const place = { task_id: groups.taskId, run_id: plan.run_id };
    const told = [
      await blind.data('run', Rows, { ...place, part: 'undo' }),
      await blind.data('call', Rows, { operation: 'ai_tasks.list_undo', params: { id: groups.taskId, run_id: plan.run_id } }),
    ];
    for (const rows of [plan.first, ...told]) {
      assert.doesNotMatch(JSON.stringify(rows), /Zsófia|ZSOFIA|Bodrogi|BODROGI/);
      const values = rows[0]?.conflicts.map(({ field, before, run, now }) => [field, before, run, now]);
      assert.deepEqual(
        values?.find(([field]) => field === 'name'),
        ['name', 'hidden', 'hidden', 'hidden'],
      );
      assert.deepEqual(
        values?.find(([field]) => field === 'percent_bps'),
        ['percent_bps', 100, 200, 300],
      );
    }
    assert.match(JSON.stringify(await tasks().list_undo(groups.taskId, plan.run_id)), /Zsófia/, 'a person sees what it was hidden from');
    await tasks().apply_run(groups.taskId, plan.run_id, { rows: [1] });
    assert.equal((await app().client.discount_groups.get(id)).percent_bps, 100);
  });

  test('MC5: the plan of an undo is no evidence for a version, and no dry run of it', async () => {
    const { id } = await group();
    const run = await ran([['PATCH', `/discount-groups/${id}`, { percent_bps: 200 }]]);
    const { version_id, source_code } = await tasks()
      .get_run(run.taskId, run.runId)
      .then((one) => tasks().get_version(run.taskId, one.version_id))
      .then((one) => ({ version_id: one.id, source_code: one.source_code }));
    const plan = await planOf(run);
    const submitted = { source_code, permissions: [GROUPS], parameters: [], task_id: run.taskId, note: '', evidence: [plan.run_id] };
    assert.match((await agent.tool('submit', submitted)).text, /^evidence_not_of_version: .*plan of an undo/);
    assert.equal((await tasks().get_version(run.taskId, version_id)).plan_digest_now, null);
    await refused(tasks().start_run(run.taskId, { resume_run_id: plan.run_id }), 409, 'not_interrupted');
  });
});
