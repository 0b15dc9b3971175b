import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { AdminApi } from '../../contract/calls.ts';
import type { Permission } from '../../contract/permissions.ts';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const PRODUCTS = 'admin_api.products.write' as const;
const CUSTOMERS = 'admin_api.customers.write' as const;
const RENAME = `export default async () => {
  const product = await admin.products.get(parameters.id);
  await admin.products.update(product.id, { name: product.name + parameters.name });
};`;
const PARAMETERS = [
  { name: 'id', kind: 'number', required: true },
  { name: 'name', kind: 'string' },
];
const Proposed = z.object({ task_id: z.number(), version_id: z.number(), run_id: z.number() });
type Proposed = z.infer<typeof Proposed>;

onBothStores('MC9: a proposal to run once', (app) => {
  let runner: InProcessRunner;
  let agent: ConnectedAgent;
  let productId: number;
  before(async () => {
    runner = openInProcessRunner(app());
    agent = await connectAgent(app(), { permissions: [PRODUCTS, CUSTOMERS, 'admin_api.ai_tasks.write'], sees_personal_data: true });
    productId = (await app().client.products.create({ name: 'Tea', slug: 'tea' })).id;
  });
  after(async () => {
    await agent.client.close();
    await runner.close();
  });

  const draft = (source_code = RENAME, permissions: Permission[] = [PRODUCTS]) => ({ source_code, permissions, parameters: PARAMETERS });
  async function proposed(args: Record<string, unknown> = {}, by = agent, isBad = false): Promise<Proposed> {
    const values = { id: productId, name: '!' };
    const made = await by.data('propose', Proposed, { draft: draft(), values, why: 'It lacks a mark', wait_seconds: 0, ...args });
    const run = await runner.finish(made.task_id, made.run_id);
    if (!isBad) assert.equal(run.status, 'success', run.error_message ?? '');
    return made;
  }
  async function apply({ task_id, version_id, run_id }: Proposed, api: AdminApi = app().client): Promise<{ run_id: number }> {
    const { source_sha256, permissions } = await app().client.ai_tasks.get_version(task_id, version_id);
    const seen = { source_sha256, permissions: z.array(z.string()).parse(JSON.parse(permissions)) };
    return api.proposals.apply(task_id, version_id, { ...seen, run_id });
  }
  const name = async () => (await app().client.products.get(productId)).name;
  const waiting = async () => (await app().client.ai_tasks.list_pending_versions({})).filter(({ one_off }) => one_off);

  test('DE8: where it takes two persons, the admin of the agent is one of them, and another applies it', async () => {
    const other = await person(app(), { role: 'owner' });
    await app().client.settings.update({ four_eyes: { writes_over: null, kinds: ['product'] } });
    const one = await proposed();
    const before = await name();
    await refused(apply(one), 403, 'second_person_required');
    assert.equal(await name(), before);
    await apply(one, app().clientFor(other.token));
    assert.equal(await name(), `${before}!`);
    await app().client.settings.update({ four_eyes: { writes_over: null, kinds: [] } });
  });

  test('runs dry, waits for a person, is applied exactly, and nothing runs of it again', async () => {
    const before = await name();
    const one = await proposed();
    assert.equal(await name(), before);
    const [shown] = await waiting();
    assert.deepEqual(
      [shown?.version_id, shown?.created_via, shown?.note, shown?.may_approve],
      [one.version_id, 'mcp', 'It lacks a mark', true],
    );
    assert.ok(!(await app().client.ai_tasks.list({ include_deleted: true })).tasks.some(({ id }) => id === one.task_id));
    const version = await app().client.ai_tasks.get_version(one.task_id, one.version_id);
    assert.deepEqual(
      [version.proposal, version.evidence.map(({ run_id, writes }) => [run_id, writes])],
      [{ run_id: one.run_id }, [[one.run_id, 1]]],
    );
    const applied = await apply(one);
    assert.equal(await name(), `${before}!`);
    assert.equal((await app().client.ai_tasks.get_run(one.task_id, applied.run_id)).status, 'success');
    assert.deepEqual(await waiting(), []);
    await refused(app().client.ai_tasks.start_run(one.task_id, { parameters: { id: productId } }), 409, 'task_deleted');
    await refused(app().client.ai_tasks.apply_run(one.task_id, one.run_id), 409, 'task_deleted');
    await refused(apply(one), 409, 'already_decided');
    assert.equal(await name(), `${before}!`);
  });

  test('is declined with a word that the agent can read; then it is never applied, and what was applied is not declined', async () => {
    const before = await name();
    const one = await proposed();
    await app().client.ai_tasks.reject_version(one.task_id, one.version_id, { reason: 'Not this week' });
    await refused(apply(one), 409, 'already_decided');
    const told = await agent.tool('tasks', { task_id: one.task_id, version_id: one.version_id });
    assert.match(told.text, /"approval":"rejected"/);
    assert.match(told.text, /Not this week/);
    const other = await proposed();
    await apply(other);
    await refused(app().client.ai_tasks.reject_version(other.task_id, other.version_id, { reason: 'Too late' }), 409, 'already_decided');
    assert.equal(await name(), `${before}!`);
  });

  test('two admins who apply it at once apply it once', async () => {
    const before = await name();
    const one = await proposed();
    const second = app().clientFor((await person(app(), { role: 'owner' })).token);
    const ends = await Promise.allSettled([apply(one), apply(one, second), apply(one)]);
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await name(), `${before}!`);
  });

  test('whose plan would be another one meanwhile is refused, and stays open', async () => {
    const one = await proposed();
    await app().client.products.update(productId, { name: 'Coffee' });
    await refused(apply(one), 409, 'plan_outdated');
    assert.equal(await name(), 'Coffee');
    const { approval } = await app().client.ai_tasks.get_version(one.task_id, one.version_id);
    assert.equal(approval, 'pending');
    // A dry run of a person has another plan now than what was proposed.
    const { run_id } = await app().client.ai_tasks.start_run(one.task_id, { dry_run: true, version_id: one.version_id });
    await runner.finish(one.task_id, run_id);
    await refused(apply({ ...one, run_id }), 409, 'plan_outdated');
    assert.equal(await name(), 'Coffee');
  });

  test('of an agent that sees no people is applied by a person’s own dry run alone, with the same plan', async () => {
    const { id } = await makeCustomer(app(), { name: 'Anna Kovács' });
    const blind = await connectAgent(app(), { permissions: [CUSTOMERS, 'admin_api.ai_tasks.write'] });
    const source = `const { name } = await admin.customers.get(${id}); await admin.customers.create_note(${id}, { body: 'Dear ' + name });`;
    const one = await proposed({ draft: { ...draft(source, [CUSTOMERS]), parameters: [] }, values: {} }, blind);
    assert.deepEqual((await app().client.ai_tasks.get_version(one.task_id, one.version_id)).proposal, { run_id: null });
    await refused(apply(one), 409, 'not_applicable');
    const { run_id } = await app().client.ai_tasks.start_run(one.task_id, { dry_run: true, version_id: one.version_id });
    await runner.finish(one.task_id, run_id);
    assert.deepEqual((await app().client.ai_tasks.get_version(one.task_id, one.version_id)).proposal, { run_id });
    await apply({ ...one, run_id });
    const notes = await app().client.customers.list_notes(id);
    assert.deepEqual(
      notes.map(({ body }) => body),
      ['Dear Anna Kovács'],
    );
    const all = "for await (const { id } of admin.customers.each()) await admin.customers.create_note(id, { body: 'seen' });";
    const other = await proposed({ draft: { ...draft(all, [CUSTOMERS]), parameters: [] }, values: {} }, blind);
    await makeCustomer(app(), {});
    const anew = await app().client.ai_tasks.start_run(other.task_id, { dry_run: true, version_id: other.version_id });
    await runner.finish(other.task_id, anew.run_id);
    await refused(apply({ ...other, run_id: anew.run_id }), 409, 'plan_outdated');
    assert.equal((await app().client.customers.list_notes(id)).length, 1);
    await blind.client.close();
  });

  test('attack: nobody applies it who lacks one of its permissions, or may not approve, or whose policy asks for another admin', async () => {
    const before = await name();
    const one = await proposed();
    const staff = async (permissions: Permission[]) => app().clientFor((await person(app(), { permissions })).token);
    const approve = 'admin_api.ai_tasks.approve' as const;
    await refused(apply(one, await staff([approve, 'admin_api.ai_tasks.write'])), 403, 'permission_not_held');
    await refused(apply(one, await staff([PRODUCTS, 'admin_api.ai_tasks.write'])), 403, 'forbidden');
    await app().client.settings.update({ approval_policy: 'second_admin' });
    await refused(apply(one), 403, 'self_approval');
    await app().client.settings.update({ approval_policy: 'author' });
    assert.equal(await name(), before);
    await apply(one, await staff([approve, PRODUCTS]));
    assert.equal(await name(), `${before}!`);
  });

  test('attack: the agent itself applies nothing, and no other way makes a proposal run', async () => {
    const before = await name();
    const one = await proposed();
    const { source_sha256 } = await app().client.ai_tasks.get_version(one.task_id, one.version_id);
    const seen = { source_sha256, permissions: [PRODUCTS] };
    assert.match(
      (await agent.tool('call', { operation: 'proposals.apply', params: { id: one.task_id, version_id: one.version_id } })).text,
      /^forbidden/,
    );
    await assert.rejects(
      app()
        .clientFor(agent.token)
        .proposals.apply(one.task_id, one.version_id, { ...seen, run_id: one.run_id }),
      /403/,
    );
    const { ai_tasks } = app().client;
    await refused(ai_tasks.approve_version(one.task_id, one.version_id, seen), 403, 'forbidden');
    await refused(ai_tasks.apply_run(one.task_id, one.run_id), 409, 'not_applicable');
    await refused(ai_tasks.start_run(one.task_id, { parameters: { id: productId } }), 409, 'version_not_approved');
    await refused(ai_tasks.create_version(one.task_id, { ...draft(), permissions: [PRODUCTS] }), 403, 'forbidden');
    assert.ok((await agent.tool('submit', { ...draft(), task_id: one.task_id, note: '' })).isError);
    const foreign = await proposed();
    await refused(apply({ ...one, run_id: foreign.run_id }), 409, 'not_applicable');
    assert.equal(await name(), before);
    await refused(
      app().client.proposals.apply(one.task_id, one.version_id, { ...seen, permissions: [], run_id: one.run_id }),
      409,
      'version_changed',
    );
  });

  test('attack: an ordinary version is not applied as a proposal, nor more proposed than the agent may', async () => {
    const made = await agent.data('submit', z.object({ task_id: z.number(), version_id: z.number() }).loose(), {
      ...draft(),
      name: 'Real',
      note: '',
    });
    await refused(apply({ ...made, run_id: 1 }), 409, 'not_applicable');
    const more = { ...draft(RENAME, [PRODUCTS, 'llm']) };
    assert.match((await agent.tool('propose', { draft: more, why: 'x', wait_seconds: 0 })).text, /^permission_not_held/);
    assert.match(
      (await agent.tool('propose', { draft: draft(), values: { other: 1 }, why: 'x' })).text,
      /not among the declared parameters/,
    );
    assert.match((await agent.tool('propose', { draft: draft(), why: '' })).text, /why/);
  });

  test('whose dry run did not end well waits for nobody', async () => {
    const before = (await waiting()).length;
    await proposed({ draft: { ...draft("throw new Error('no');"), parameters: [] }, values: {} }, agent, true);
    assert.equal((await waiting()).length, before);
  });
});
