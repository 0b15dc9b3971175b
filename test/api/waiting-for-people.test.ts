import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { Prompt } from '../../contract/prompts.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, makeTask } from '../helpers/runs.ts';

const READ: Permission = 'admin_api.orders.read';
const WRITE: Permission = 'admin_api.orders.write';
const CUSTOMERS: Permission = 'admin_api.customers.read';

onBothStores('what waits for a person, over all tasks', (app) => {
  const { tasks, policy, author, approver, makeTask: makeVersions, addVersion, approve } = approvals(app);
  const pending = async (token?: string) => tasks(token).list_pending_versions();
  const open = (token?: string) => tasks(token).list_open_prompts();

  async function ask(run: ClaimedRun, label: string): Promise<Prompt> {
    const question = { label, fields: [{ name: 'sure', kind: 'boolean' }] };
    const answer = await app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${run.runId}/prompts`,
      token: run.claim.report_token,
      body: { key: `0/${callFingerprint('PROMPT', '/prompts', question)}/0`, ...question },
    });
    assert.equal(answer.status, 200, answer.text);
    return Prompt.parse(answer.body);
  }
  const asking = async (permissions: Permission[] = [], options = {}) => {
    const taskId = await makeTask(app(), { permissions: ['prompt_input', ...permissions], name: 'Reorder' });
    return claimedRun(app(), options, taskId);
  };

  test('open questions of running runs are listed, those that wait longest first', async () => {
    const [first, second] = [await asking(), await asking([], { dry_run: true })];
    const one = await ask(first, 'Which size?');
    const two = await ask(second, 'How many?');
    const list = await open();
    const { asked_at } = list[0] ?? assert.fail('there is no question');
    assert.deepEqual(list[0], {
      ...one,
      task_id: first.taskId,
      task_name: 'Reorder',
      run_id: first.runId,
      description: null,
      dry_run: false,
      asked_at,
      withheld: [],
    });
    assert.deepEqual(
      list.map(({ id, run_id, dry_run }) => [id, run_id, dry_run]),
      [
        [one.id, first.runId, false],
        [two.id, second.runId, true],
      ],
    );
    assert.deepEqual(await tasks().list_open_prompts({ limit: 1 }), list.slice(0, 1));

    await tasks().answer_prompt(first.taskId, first.runId, one.id, { answers: { sure: true } });
    assert.deepEqual(
      (await open()).map(({ id }) => id),
      [two.id],
      'an answered question waits no more',
    );
    await tasks().cancel_run(second.taskId, second.runId);
    assert.deepEqual(await open(), [], 'nobody needs to answer a run that has ended');
  });

  test('a question of a run that continues another is answered at the run that asks now', async () => {
    const first = await asking();
    const { id } = await ask(first, 'Go on?');
    await first.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'drained' }]);
    assert.deepEqual(await open(), []);
    const second = await claimedRun(app(), { resume_run_id: first.runId }, first.taskId);
    assert.equal((await ask(second, 'Go on?')).id, id);
    const [prompt] = await open();
    assert.deepEqual([prompt?.id, prompt?.run_id], [id, second.runId]);
    await tasks().answer_prompt(second.taskId, prompt?.run_id ?? 0, id, { answers: { sure: true } });
    assert.deepEqual(await open(), []);
  });

  test('whoever may not read what the run read sees that it asks, but not what', async () => {
    const run = await asking([CUSTOMERS]);
    await ask(run, 'Write to Jane Doe?');
    const narrow = await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    const reader = await person(app(), { permissions: ['admin_api.ai_tasks.read', CUSTOMERS] });
    const [hidden] = await open(narrow.token);
    assert.deepEqual([hidden?.run_id, hidden?.label, hidden?.fields, hidden?.withheld], [run.runId, null, [], [CUSTOMERS]]);
    const [seen] = await open(reader.token);
    assert.deepEqual([seen?.label, seen?.fields.length, seen?.withheld], ['Write to Jane Doe?', 1, []]);
    const { token } = await person(app(), { permissions: [CUSTOMERS] });
    await refused(open(token), 403, 'forbidden');
  });

  test('pending versions are listed, oldest first, with what they add and remove and whether the caller may approve them', async () => {
    await policy('author');
    const old = await makeVersions([READ]);
    await policy('second_admin');
    const fresh = await makeVersions([WRITE]);
    const { version_id } = await addVersion(old.id, [CUSTOMERS]);
    const list = await pending(approver().token);
    assert.deepEqual(
      list.map((row) => [row.version_id, row.version, row.task_id, row.current_version_id, row.permissions_diff]),
      [
        [fresh.versionId, 1, fresh.id, null, { added: [WRITE], removed: [] }],
        [version_id, 2, old.id, old.versionId, { added: [CUSTOMERS], removed: [READ] }],
      ],
    );
    const { created_at, created_by_name } = await tasks().get_version(old.id, version_id);
    assert.deepEqual(list[1], {
      ...{ version_id, version: 2, task_id: old.id, task_name: 'n', created_at, created_by_name, created_via: null, note: null },
      one_off: false,
      created_by: author().adminId,
      current_version_id: old.versionId,
      change_request: null,
      permissions_diff: { added: [CUSTOMERS], removed: [READ] },
      may_approve: true,
      refusal: null,
    });

    const told = async (token: string) => (await pending(token)).map(({ may_approve, refusal }) => [may_approve, refusal]);
    const staff = async (...permissions: Permission[]) => (await person(app(), { permissions })).token;
    const [yes, no] = [[true, null], (code: string) => [false, code]];
    assert.deepEqual(await told(author().token), [no('self_approval'), no('self_approval')]);
    assert.deepEqual(await told(await staff('admin_api.ai_tasks.write')), [no('forbidden'), no('forbidden')]);
    const approves: Permission[] = ['admin_api.ai_tasks.read', 'admin_api.ai_tasks.approve'];
    assert.deepEqual(await told(await staff(...approves, CUSTOMERS)), [no('permission_not_held'), yes]);
    const limited = await person(app(), { permissions: [...approves, CUSTOMERS, WRITE], list: [...approves, WRITE] });
    assert.deepEqual(await told(limited.token), [yes, no('permission_not_held')], 'the list of the token counts too');

    await approve(old.id, version_id);
    assert.deepEqual(
      (await pending()).map((row) => row.version_id),
      [fresh.versionId],
    );
    await tasks().delete(fresh.id);
    assert.deepEqual(await pending(), [], 'versions of a deleted task can be approved no more');
  });

  test('what the list says about approving is what approving does', async () => {
    await policy('second_admin');
    const task = await makeVersions([WRITE]);
    const body = { source_sha256: (await tasks().get_version(task.id, task.versionId)).source_sha256, permissions: [WRITE] };
    const approves: Permission[] = ['admin_api.ai_tasks.read', 'admin_api.ai_tasks.approve'];
    const lacking = await person(app(), { permissions: approves });
    for (const token of [author().token, lacking.token]) {
      const [row] = await pending(token);
      await refused(tasks(token).approve_version(task.id, task.versionId, body), 403, row?.refusal ?? '');
    }
    const able = await person(app(), { permissions: [...approves, WRITE] });
    assert.equal((await pending(able.token))[0]?.may_approve, true);
    await tasks(able.token).approve_version(task.id, task.versionId, body);
  });
});
