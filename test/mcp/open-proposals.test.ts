import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { OPEN_PROPOSALS_MAX } from '../../contract/proposals.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const PRODUCTS = 'admin_api.products.write' as const;
const TASKS = 'admin_api.ai_tasks.write' as const;
const PERMISSIONS = [PRODUCTS, TASKS];
const DRAFT = { source_code: "await admin.products.create({ name: 'Tea', slug: 'tea' });", permissions: [PRODUCTS], parameters: [] };
const DAY_MS = 86_400_000;
const Proposed = z.object({ task_id: z.number(), version_id: z.number(), run_id: z.number() });
type Proposed = z.infer<typeof Proposed>;

onBothStores('MC9: proposals that nobody has decided on', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  const connect = async (name = 'laptop', api = app().client) =>
    connectAgent(app(), { api, name, permissions: PERMISSIONS, sees_personal_data: true });
  /** An agent of an admin who has no other. */
  async function ofSomebody(): Promise<ConnectedAgent> {
    const staff = await person(app(), { permissions: PERMISSIONS });
    return connect('laptop', app().clientFor(staff.token));
  }
  const ask = (by: ConnectedAgent, draft: Record<string, unknown> = DRAFT) =>
    by.tool('propose', { draft, why: 'It is wanted', wait_seconds: 0 });
  async function proposed(by: ConnectedAgent, draft: Record<string, unknown> = DRAFT): Promise<Proposed> {
    const { isError, text, data } = await ask(by, draft);
    assert.equal(isError, false, text);
    return Proposed.parse(data);
  }
  const finish = ({ task_id, run_id }: Proposed) => runner.finish(task_id, run_id);
  const news = async () =>
    (await app().client.notifications.list()).notifications
      .filter(({ title }) => title === 'A proposal waits for a decision')
      .map(({ type, metadata }) => [type, { task_id: metadata?.['task_id'], version_id: metadata?.['version_id'] }]);
  const withdraw = (by: ConnectedAgent, { task_id, version_id }: Proposed) =>
    by.tool('propose', { withdraw: { task_id, version_id }, why: 'Not needed' });

  test('one is told to the admins once its plan is there, once, and not where its dry run fails', async () => {
    const agent = await connect();
    const one = await proposed(agent);
    assert.deepEqual(await news(), []);
    await finish(one);
    const told = [['ai_task_version_pending', { task_id: one.task_id, version_id: one.version_id }]];
    assert.deepEqual(await news(), told);
    const { run_id } = await app().client.ai_tasks.start_run(one.task_id, { dry_run: true, version_id: one.version_id });
    await runner.finish(one.task_id, run_id);
    await finish(await proposed(agent, { ...DRAFT, source_code: "throw new Error('no');" }));
    assert.deepEqual(await news(), told);
    await agent.client.close();
  });

  test('attack: what is tried later of one whose dry run failed, or of a draft on its task, makes nothing wait and tells nobody', async () => {
    const agent = await connect('trickster');
    const parameters = [{ name: 'fails', kind: 'boolean', default: true }];
    const source_code = `if (parameters.fails) throw new Error('no');\n${DRAFT.source_code}`;
    const before = await news();
    const one = await proposed(agent, { ...DRAFT, source_code, parameters });
    assert.equal((await finish(one)).status, 'failed');
    const { task_id, version_id } = one;
    const Tried = z.object({ id: z.number() }).loose();
    for (const more of [{ version_id, values: { fails: false } }, { draft: DRAFT }]) {
      const { id } = await agent.data('dry_run', Tried, { task_id, wait_seconds: 0, ...more });
      assert.equal((await runner.finish(task_id, id)).status, 'success');
    }
    assert.deepEqual(await news(), before);
    const waiting = await app().client.ai_tasks.list_pending_versions();
    assert.equal(
      waiting.some((version) => version.task_id === task_id),
      false,
    );
    assert.deepEqual((await app().client.ai_tasks.get_version(task_id, version_id)).evidence, []);
    await agent.client.close();
  });

  test('an admin and their agents have at most twenty; a decision, a withdrawal and a dry run that fails make room', async () => {
    const agent = await ofSomebody();
    const [first, second, third] = [await proposed(agent), await proposed(agent), await proposed(agent)];
    for (let n = 3; n < OPEN_PROPOSALS_MAX - 1; n++) await proposed(agent);
    const atOnce = await Promise.all([ask(agent), ask(agent), ask(agent)]);
    assert.equal(atOnce.filter(({ isError }) => !isError).length, 1, 'of three at once, more than one got the last place');
    const before = (await app().client.ai_tasks.list({ include_deleted: true })).total;
    const { text } = await ask(agent);
    assert.match(text, /^too_many: 20 proposals of this admin .* the oldest is version \d+ of task \d+\.\n/);
    assert.ok(text.includes(`the oldest is version ${first.version_id} of task ${first.task_id}.`), text);
    const other = await ofSomebody();
    await proposed(other);

    assert.equal((await finish(first)).status, 'success');
    assert.match((await ask(agent)).text, /^too_many/);
    await app().client.ai_tasks.reject_version(first.task_id, first.version_id, { reason: 'Not this week' });
    await proposed(agent);
    assert.match((await ask(agent)).text, /^too_many/);
    assert.equal((await withdraw(agent, second)).isError, false);
    assert.equal((await app().client.ai_tasks.get_run(second.task_id, second.run_id)).status, 'cancelled');
    await proposed(agent);
    await app().client.ai_tasks.cancel_run(third.task_id, third.run_id);
    await proposed(agent);
    assert.match((await ask(agent)).text, /^too_many/);
    assert.equal((await app().client.ai_tasks.list({ include_deleted: true })).total, before);
    await agent.client.close();
    await other.client.close();
  });

  test('an agent takes back what it proposed itself, until somebody has decided', async () => {
    const agent = await connect();
    const one = await proposed(agent);
    await finish(one);
    assert.equal((await withdraw(agent, one)).isError, false);
    const [decision] = await app().client.ai_tasks.list_version_approvals(one.task_id, one.version_id);
    assert.equal(decision?.decision, 'rejected');
    assert.match(decision?.comment ?? '', /^Withdrawn by .*'s agent «laptop»: Not needed$/);
    assert.ok((await app().client.ai_tasks.list_pending_versions({})).every(({ version_id }) => version_id !== one.version_id));
    assert.match((await withdraw(agent, one)).text, /^already_decided: /);
    await agent.client.close();
  });

  test('attack: nobody takes back what another proposed, nor an ordinary version, and nothing is both proposed and withdrawn', async () => {
    const agent = await connect();
    const one = await proposed(agent);
    const [sister, stranger] = [await connect('phone'), await ofSomebody()];
    for (const other of [sister, stranger]) assert.match((await withdraw(other, one)).text, /^forbidden: .* no proposal of this agent/);
    const made = await app().client.ai_tasks.create({ name: 'Real', description: '', ...DRAFT });
    await refused(app().client.proposals.withdraw(made.task_id, made.version_id, { why: 'x' }), 403, 'forbidden');
    assert.match((await withdraw(agent, { ...one, ...made })).text, /^forbidden: /);
    assert.match((await withdraw(agent, { ...one, version_id: made.version_id })).text, /^not_found: /);
    const { task_id, version_id } = one;
    for (const args of [
      { draft: DRAFT, withdraw: { task_id, version_id } },
      {},
      { withdraw: { task_id } },
      { withdraw: { task_id: '../1', version_id } },
    ])
      assert.match((await agent.tool('propose', { ...args, why: 'x' })).text, /^(required|invalid_value|validation_failed): /);
    assert.equal((await app().client.ai_tasks.get_version(task_id, version_id)).approval, 'pending');
    await app().client.proposals.withdraw(task_id, version_id, { why: 'Its admin may, too' });
    for (const { client } of [agent, sister, stranger]) await client.close();
  });

  test('what was declined, and what nobody decided on, is deleted after 30 days; what was applied, and what still runs, is not', async () => {
    const agent = await connect();
    const [declined, waiting, applied, running] = [
      await proposed(agent),
      await proposed(agent),
      await proposed(agent),
      await proposed(agent),
    ];
    for (const one of [declined, waiting, applied]) await finish(one);
    const { ai_tasks } = app().client;
    await refused(ai_tasks.request_changes(waiting.task_id, waiting.version_id, { comment: 'Other' }), 403, 'forbidden');
    const comment = await ai_tasks.create_comment(waiting.task_id, waiting.version_id, { line: 1, text: 'Why?' });
    await ai_tasks.answer_comment(waiting.task_id, comment.id, { text: 'So' });
    await ai_tasks.reject_version(declined.task_id, declined.version_id, { reason: 'No' });
    const { source_sha256 } = await app().client.ai_tasks.get_version(applied.task_id, applied.version_id);
    const seen = { source_sha256, permissions: [PRODUCTS], run_id: applied.run_id };
    await app().client.proposals.apply(applied.task_id, applied.version_id, seen);
    const kept = async () => {
      const states: unknown[] = [];
      for (const { task_id, version_id } of [declined, waiting, applied, running])
        states.push(
          await app()
            .client.ai_tasks.get_version(task_id, version_id)
            .then(
              ({ approval }) => approval,
              ({ status }) => status,
            ),
        );
      return states;
    };
    await sweepOld(app().store, Date.now() + 29.9 * DAY_MS);
    assert.deepEqual(await kept(), ['rejected', 'pending', 'approved', 'pending']);
    await sweepOld(app().store, Date.now() + 30.1 * DAY_MS);
    assert.deepEqual(await kept(), [404, 404, 'approved', 'pending']);
    await refused(app().client.ai_tasks.get_run(declined.task_id, declined.run_id), 404, 'not_found');
    assert.ok((await agent.tool('tasks', { task_id: waiting.task_id })).isError);
    await agent.client.close();
  });

  test('one on whose task a person has hung something is kept, and the sweep goes on', async () => {
    const agent = await connect();
    const [hung, other] = [await proposed(agent), await proposed(agent)];
    for (const one of [hung, other]) await finish(one);
    await app().client.ai_tasks.create_schedule(hung.task_id, { cron: '0 0 1 1 *' });
    await sweepOld(app().store, Date.now() + 30.1 * DAY_MS);
    assert.equal((await app().client.ai_tasks.get_version(hung.task_id, hung.version_id)).approval, 'pending');
    await refused(app().client.ai_tasks.get_version(other.task_id, other.version_id), 404, 'not_found');
    await agent.client.close();
  });
});
