import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const SOURCE = `export default async function main() {
  for await (const customer of admin.customers.each()) await admin.customers.create_note(customer.id, { body: 'seen' });
  return 'done';
}`;
const DRAFT = { source_code: SOURCE, permissions: ['admin_api.customers.write'], parameters: [] };

const Tried = z.object({
  id: z.number(),
  task_id: z.number(),
  status: z.string(),
  error_message: z.string().nullable(),
  plan: z.object({ changes: z.number(), by_kind: z.record(z.string(), z.number()) }).loose(),
});
const Submitted = z.object({ task_id: z.number().optional(), version_id: z.number(), approval: z.string() });

onBothStores('MC3, MC5: an agent proposes, a person decides', (app) => {
  let runner: InProcessRunner;
  let agent: ConnectedAgent;
  before(async () => {
    runner = openInProcessRunner(app());
    const permissions = ['admin_api.customers.write', 'admin_api.ai_tasks.write'] as const;
    agent = await connectAgent(app(), { permissions: [...permissions] });
    await makeCustomer(app());
  });
  after(async () => {
    await agent.client.close();
    await runner.close();
  });

  /** Tries a draft as a dry run that a runner carries out meanwhile. */
  async function tryDraft(draft: Record<string, unknown> = DRAFT): Promise<z.output<typeof Tried>> {
    const { id, task_id } = await agent.data('dry_run', Tried, { draft, wait_seconds: 0 });
    await runner.finish(task_id, id);
    const run = await agent.data('run', Tried.omit({ plan: true }), { task_id, run_id: id });
    const effects = await agent.data('run', z.array(z.object({ resource: z.object({ type: z.string() }) }).loose()), {
      task_id,
      run_id: id,
      part: 'effects',
    });
    return { ...run, plan: { changes: effects.length, by_kind: { [effects[0]?.resource.type ?? '']: effects.length } } };
  }

  test('from a wish to a version that waits, with evidence; a person approves it, and it runs', async () => {
    const tried = await tryDraft();
    assert.deepEqual([tried.status, tried.error_message], ['success', null]);
    assert.ok((tried.plan.by_kind['customer_note'] ?? 0) > 0);
    assert.ok(!(await app().client.ai_tasks.list()).tasks.some(({ id }) => id === tried.task_id), 'a list shows the task of drafts');

    const made = await agent.data('submit', Submitted, { name: 'Notes', note: 'notes for all', evidence: [tried.id], ...DRAFT });
    assert.equal(made.approval, 'pending');
    const taskId = made.task_id ?? 0;
    const version = await app().client.ai_tasks.get_version(taskId, made.version_id);
    assert.equal(version.created_via, 'mcp');
    assert.match(version.created_by_name ?? '', /'s agent «laptop»$/);
    assert.deepEqual(
      version.evidence.map(({ run_id, writes, hides_people }) => [run_id, writes, hides_people]),
      [[tried.id, tried.plan.changes, true]],
    );
    await refused(app().client.ai_tasks.start_run(taskId), 409, 'version_not_approved');

    const { version_id } = await app()
      .client.ai_tasks.start_run(taskId, { dry_run: true, version_id: made.version_id })
      .then(async (dry) => {
        await runner.finish(taskId, dry.run_id);
        return dry;
      });
    const { plan_digest_now } = await app().client.ai_tasks.get_version(taskId, version_id);
    assert.equal(plan_digest_now, version.evidence[0]?.plan_digest, 'the same plan has another digest where people are not hidden');

    const { source_sha256 } = version;
    await app().client.ai_tasks.approve_version(taskId, made.version_id, { source_sha256, permissions: DRAFT.permissions });
    const { run_id } = await app().client.ai_tasks.start_run(taskId);
    assert.equal((await runner.finish(taskId, run_id)).status, 'success');
  });

  test('under second_admin its own admin may not approve it', async () => {
    await app().client.settings.update({ approval_policy: 'second_admin' });
    const made = await agent.data('submit', Submitted, { name: 'Four eyes', note: '', ...DRAFT });
    const taskId = made.task_id ?? 0;
    const { source_sha256 } = await app().client.ai_tasks.get_version(taskId, made.version_id);
    const seen = { source_sha256, permissions: DRAFT.permissions };
    await refused(app().client.ai_tasks.approve_version(taskId, made.version_id, seen), 403, 'self_approval');
    const second = app().clientFor((await person(app(), { role: 'owner' })).token);
    assert.equal((await second.ai_tasks.approve_version(taskId, made.version_id, seen)).approval, 'approved');
    await app().client.settings.update({ approval_policy: 'author' });
  });

  test('AP8, AP9: what people say about its version an agent reads, and neither says nor resolves anything itself', async () => {
    const made = await agent.data('submit', Submitted, { name: 'Talked over', note: '', ...DRAFT });
    const task_id = made.task_id ?? 0;
    const { ai_tasks } = app().clientFor((await person(app(), { role: 'owner' })).token);
    const open = await ai_tasks.create_comment(task_id, made.version_id, { line: 2, text: 'All of them?' });
    const done = await ai_tasks.create_comment(task_id, made.version_id, { line: 3, text: 'Fine' });
    await ai_tasks.update_comment(task_id, done.id, { resolved: true });
    await ai_tasks.request_changes(task_id, made.version_id, { comment: 'Only the new ones' });
    const Said = z.object({
      comments: z.array(z.object({ line: z.number(), text: z.string() })),
      decisions: z.array(z.object({ decision: z.string(), comment: z.string().nullable() })),
      change_request: z.object({ comment: z.string() }).nullable(),
    });
    const version = { task_id, version_id: made.version_id };
    assert.deepEqual(await agent.data('tasks', Said, version), {
      comments: [{ line: 2, text: 'All of them?' }],
      decisions: [{ decision: 'changes_requested', comment: 'Only the new ones' }],
      change_request: { comment: 'Only the new ones' },
    });
    for (const operation of ['create_comment', 'answer_comment', 'update_comment', 'request_changes']) {
      const params = { id: task_id, version_id: made.version_id, comment_id: open.id };
      assert.match((await agent.tool('call', { operation: `ai_tasks.${operation}`, params })).text, /^forbidden: /, operation);
    }
    assert.equal((await ai_tasks.get_comment(task_id, open.id)).resolved_at, null);
  });

  test('read runs a script that only reads; it can plan no change', async () => {
    const source_code = `export default async () => {
      const { total } = await admin.customers.list();
      return { total, refused: await admin.customers.create({ name: 'x' }).then(() => false, ({ status }) => status) };
    }`;
    const before = (await app().client.customers.list()).total;
    const shape = z.object({ run_id: z.number(), task_id: z.number() });
    const { run_id, task_id } = await agent.data('read', shape, { source_code, wait_seconds: 0 });
    await runner.finish(task_id, run_id);
    const { result } = await agent.data('run', z.object({ result: z.unknown() }), { task_id, run_id });
    assert.deepEqual(result, { total: before, refused: 403 });
  });

  for (const [what, other] of Object.entries({
    source: { source_code: `${SOURCE}\n// another` },
    permissions: { permissions: [...DRAFT.permissions, 'llm'] },
    grants: { permissions: [...DRAFT.permissions, 'mail_send'], mail_to: ['customers'] },
    parameters: { parameters: [{ name: 'n', kind: 'number' }] },
  }))
    test(`evidence of another ${what} is refused, and nothing is stored`, async () => {
      const permissions = ['admin_api.customers.write', 'admin_api.ai_tasks.write', 'llm', 'mail_send'] as const;
      const wider = await connectAgent(app(), { permissions: [...permissions] });
      const tried = await tryDraft();
      const before = (await app().client.ai_tasks.list()).total;
      const { isError, text } = await wider.tool('submit', { name: 'Slipped', note: '', ...DRAFT, ...other, evidence: [tried.id] });
      assert.ok(isError);
      assert.match(text, /^evidence_not_of_version: /);
      assert.equal((await app().client.ai_tasks.list()).total, before);
      await wider.client.close();
    });

  test('starts no run that changes the shop, and no other agent’s dry run is its evidence', async () => {
    const taskId = (
      await app().client.ai_tasks.create({ name: 'Real', description: '', ...DRAFT, permissions: ['admin_api.customers.write'] })
    ).task_id;
    const started = await agent.data('dry_run', Tried, { task_id: taskId, wait_seconds: 0 });
    assert.equal((await app().client.ai_tasks.get_run(taskId, started.id)).dry_run, true);
    await runner.finish(taskId, started.id);
    const staff = await person(app(), { permissions: ['admin_api.customers.write', 'admin_api.ai_tasks.write'] });
    const theirs = await connectAgent(app(), {
      api: app().clientFor(staff.token),
      permissions: ['admin_api.customers.write', 'admin_api.ai_tasks.write'],
    });
    const { isError, text } = await theirs.tool('submit', { name: 'Stolen', note: '', ...DRAFT, evidence: [started.id] });
    assert.ok(isError, text);
    assert.match(text, /is no dry run of yours/);
    await theirs.client.close();
  });
});
