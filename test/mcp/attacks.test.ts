import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { AdminApi } from '../../contract/calls.ts';
import { type ConnectedAgent, connectAgent, openClient } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const PERMISSIONS = ['admin_api.products.write', 'admin_api.ai_tasks.write'] as const;
const SOURCE = `export default async () => {
  const { total } = await admin.products.list();
  await admin.products.create({ name: 'Tea', slug: 'tea-' + total });
};`;
const DRAFT = { source_code: SOURCE, permissions: ['admin_api.products.write' as const], parameters: [] };
const Started = z.object({ id: z.number(), task_id: z.number() }).loose();
const ACCEPT = { accept: 'application/json, text/event-stream' };

onBothStores('Agents attack: nothing takes effect without a person', (app) => {
  let runner: InProcessRunner;
  let agent: ConnectedAgent;
  let taskId: number;
  let versionId: number;
  before(async () => {
    runner = openInProcessRunner(app());
    agent = await connectAgent(app(), { permissions: [...PERMISSIONS] });
    const made = await app().client.ai_tasks.create({ name: 'Real', description: '', ...DRAFT });
    ({ task_id: taskId, version_id: versionId } = made);
  });
  after(async () => {
    await agent.client.close();
    await runner.close();
  });

  async function tried(args: Record<string, unknown> = { draft: DRAFT }): Promise<{ id: number; task_id: number }> {
    const run = await agent.data('dry_run', Started, { wait_seconds: 0, ...args });
    await runner.finish(run.task_id, run.id);
    return run;
  }
  const products = async () => (await app().client.products.list()).total;

  for (const path of [
    '/admin/api/me',
    '/admin/api/ai-tasks',
    '/admin/api/changes',
    '/admin/api/me/agents',
    '/admin/api/%6fpenapi.json/../me',
  ])
    test(`its token opens ${path} to nobody`, async () => {
      const { status, body } = await app().request({ path, token: agent.token });
      assert.ok(status === 403 || status === 404, `${status} ${JSON.stringify(body)}`);
    });

  for (const [what, path] of Object.entries<() => string>({
    approve: () => `/admin/api/ai-tasks/${taskId}/versions/${versionId}/approve`,
    start: () => `/admin/api/ai-tasks/${taskId}/runs`,
    'make a token': () => '/admin/api/me/tokens',
    'make an agent': () => '/admin/api/me/agents',
  }))
    test(`its token does not ${what} at the API itself`, async () => {
      const { status } = await app().request({ method: 'POST', path: path(), token: agent.token, body: {} });
      assert.equal(status, 403);
    });

  const sent = (body: unknown, headers: Record<string, string> = {}, method = 'POST') =>
    app().request({ method, path: '/mcp', token: agent.token, body, headers: { ...ACCEPT, ...headers } });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  for (const [what, headers] of Object.entries<Record<string, string>>({
    'an origin that is null': { origin: 'null' },
    'an origin with another port': { origin: 'http://127.0.0.1:1' },
    'an origin that begins like the own one': { origin: 'http://127.0.0.1.evil.example' },
  }))
    test(`${what} is refused`, async () => assert.equal((await sent(LIST, headers)).status, 403));

  test('headers of a proxy do not make another host the shop’s', async () => {
    await app().client.settings.update({ public_url: 'https://shop.example' });
    const tricks = { host: 'evil.example', 'x-forwarded-host': 'shop.example', forwarded: 'host=shop.example' };
    assert.equal((await sent(LIST, tricks)).status, 403);
    assert.equal((await sent(LIST, { host: 'shop.example.evil.example' })).status, 403);
    assert.equal((await sent(LIST, { host: 'localhost.evil.example' })).status, 403);
    await app().client.settings.update({ public_url: null });
  });

  test('bodies that are no request, and unknown methods, are refused and change nothing', async () => {
    for (const body of [
      [],
      [[LIST]],
      {},
      'tools/list',
      7,
      { ...LIST, method: '__proto__' },
      { ...LIST, method: 'sampling/createMessage' },
    ]) {
      const { status, body: answer } = await sent(body);
      assert.ok(status < 500, `${status} for ${JSON.stringify(body)}`);
      assert.ok(!JSON.stringify(answer).includes('search_api'), JSON.stringify(answer));
    }
    assert.ok((await sent({ ...LIST, filling: 'x'.repeat(5 * 1024 * 1024) })).status >= 400);
    assert.ok((await sent(LIST, { 'content-type': 'text/plain' })).status >= 400);
  });

  const ODD: [tool: string, args: Record<string, unknown>][] = [
    ['call', { operation: '__proto__' }],
    ['call', { operation: 'constructor' }],
    ['call', { operation: 'products.get', params: { id: '../customers/1' } }],
    ['call', { operation: 'products.get', params: { id: '%2e%2e/customers' } }],
    ['call', { operation: 'products.get', params: { id: '1?include=x' } }],
    ['call', { operation: 'products.get', params: { id: '1#' } }],
    ['call', { operation: 'products.get', params: { id: { toString: 1 } } }],
    ['call', { operation: 'products.get', params: { id: ['1'] } }],
    ['call', { operation: 'products.get', params: { id: null } }],
    ['call', { operation: 'products.list', params: { 'page=1&search': 'x' } }],
    ['call', { operation: 'products.list', params: { unknown: 'x' } }],
    ['call', { operation: 'products.create', params: { name: 'x', slug: 'x' } }],
    ['call', { operation: 'ai_tasks.get_artifact_content', params: {} }],
    ['call', { operation: 'changes.stream' }],
    ['run', { task_id: 1.5, run_id: 1 }],
    ['run', { task_id: 2 ** 60, run_id: 1 }],
    ['tasks', { task_id: -1 }],
    ['dry_run', { task_id: 10 ** 9, draft: DRAFT }],
    ['dry_run', { draft: { ...DRAFT, permissions: ['admin_api.ai_tasks.approve'] } }],
    ['dry_run', { draft: { ...DRAFT, permissions: ['admin_api.orders.write'] } }],
    ['dry_run', { draft: { ...DRAFT, dry_run: false } }],
    ['submit', { ...DRAFT, name: 'x', note: '', approve: true }],
    ['submit', { ...DRAFT, name: 'x', note: '', evidence: [10 ** 9] }],
    ['submit', { ...DRAFT, note: '' }],
    ['replay', { task_id: 1, run_id: 10 ** 9 }],
    ['approve', { task_id: 1 }],
  ];
  for (const [tool, args] of ODD)
    test(`${tool} ${JSON.stringify(args).slice(0, 90)} is refused with words`, async () => {
      const before = (await app().client.ai_tasks.list()).total;
      const answer = await agent.tool(tool, args).catch((error: unknown) => ({ isError: true, text: String(error) }));
      // A key that the tool does not know may be left out, but it has no effect.
      if (!answer.isError && tool === 'submit') assert.match(answer.text, /"approval":"pending"/);
      else if (!answer.isError) assert.ok(tool === 'dry_run' && 'draft' in args, answer.text);
      else assert.equal((await app().client.ai_tasks.list()).total, before);
      assert.doesNotMatch(answer.text, /internal_error|at .*\.ts:\d+/);
      assert.equal(await products(), 0);
    });

  test('a part behind the end is empty', async () => {
    for (const from of [10 ** 300, 1e6 + 0.5]) {
      const { isError, data, more } = await agent.tool('call', { operation: 'products.list', from });
      assert.deepEqual([isError, data, more], [false, '', null]);
    }
    const whole = await agent.tool('call', { operation: 'products.list' });
    assert.deepEqual((await agent.tool('call', { operation: 'products.list', from: -1 })).data, whole.data);
  });

  test('a dry run, a replay and a submission change nothing and send nothing', async () => {
    const run = await tried();
    const { task_id, version_id } = await agent.data('submit', z.object({ task_id: z.number(), version_id: z.number() }).loose(), {
      ...DRAFT,
      name: 'Proposal',
      note: '',
      evidence: [run.id],
    });
    await tried({ task_id, version_id });
    assert.equal(await products(), 0);
    await refused(app().client.ai_tasks.start_run(task_id), 409, 'version_not_approved');
    assert.equal((await app().client.mails.list()).total, 0);
  });

  test('no schedule, trigger, hook or version makes the hidden task of drafts run', async () => {
    const { task_id } = await tried();
    const { ai_tasks } = app().client;
    const attempts: (() => Promise<unknown>)[] = [
      () => ai_tasks.start_run(task_id),
      () => ai_tasks.create_version(task_id, DRAFT),
      () => agent.data('submit', z.unknown(), { ...DRAFT, task_id, note: '' }),
    ];
    for (const attempt of attempts) await assert.rejects(attempt);
    await ai_tasks.create_schedule(task_id, { cron: '* * * * *' }).catch(() => undefined);
    assert.equal((await ai_tasks.get(task_id)).versions.length, 0);
    assert.equal(await products(), 0);
  });

  test('evidence has to be a dry run of its own that ended well', async () => {
    const submit = (evidence: number[], draft: Record<string, unknown> = DRAFT) =>
      agent.tool('submit', { ...DRAFT, ...draft, name: 'Evidence', note: '', evidence });
    const open = await agent.data('dry_run', Started, { draft: DRAFT, wait_seconds: 0 });
    assert.match((await submit([open.id])).text, /is running; evidence has to be success/);
    await runner.finish(open.task_id, open.id);
    const failed = await tried({ draft: { ...DRAFT, source_code: "throw new Error('no')" } });
    assert.match((await submit([failed.id], { source_code: "throw new Error('no')" })).text, /is failed; evidence/);
    const real = await app().client.ai_tasks.start_run(taskId, { record: true });
    await runner.finish(taskId, real.run_id);
    assert.match((await submit([real.run_id])).text, /is no dry run of yours/);
    const replay = await app().client.replays.start(taskId, real.run_id);
    await runner.finish(taskId, replay.run_id);
    assert.match((await submit([replay.run_id])).text, /is no dry run of yours/);
    assert.equal((await submit([open.id, open.id], { permissions: [...DRAFT.permissions, ...DRAFT.permissions] })).isError, false);
    for (const source_code of [`${SOURCE}\u200b`, `${SOURCE} `, SOURCE.replace('Tea', 'T\u0435a'), `${SOURCE}${' '.repeat(5000)}//x`])
      assert.match((await submit([open.id], { source_code })).text, /other source/);
  });

  for (const [what, name] of Object.entries({
    'a quote that closes its name': 'laptop» approved by Eszter «',
    'a bidirectional control': 'lap\u202etop',
    'an invisible character': 'lap\u200btop',
    'a line break': 'laptop\nadmin',
    'too many characters': 'x'.repeat(300),
    nothing: '   ',
  }))
    test(`an agent’s name with ${what} is refused`, async () => {
      await assert.rejects(app().client.me.create_agent({ name, permissions: [] }), /422|must/);
    });

  const losses: Record<string, (admin: { adminId: number }, agentId: number, api: AdminApi) => Promise<unknown>> = {
    'its token is revoked': (_, id, api) => api.me.revoke_agent(id),
    'its admin loses the permission': ({ adminId }) => app().client.admins.update(adminId, { permissions: ['admin_api.orders.read'] }),
    'its admin is deactivated': ({ adminId }) => app().client.admins.update(adminId, { active: false }),
  };
  for (const [what, lose] of Object.entries(losses))
    test(`between dry run and submission ${what}: nothing is handed in`, async () => {
      const staff = await person(app(), { permissions: [...PERMISSIONS] });
      const api = app().clientFor(staff.token);
      const theirs = await connectAgent(app(), { api, permissions: [...PERMISSIONS] });
      const run = await theirs.data('dry_run', Started, { draft: DRAFT, wait_seconds: 0 });
      await runner.finish(run.task_id, run.id);
      await lose(staff, theirs.id, api);
      const before = (await app().client.ai_tasks.list()).total;
      const answer = await theirs
        .tool('submit', { ...DRAFT, name: 'Late', note: '', evidence: [run.id] })
        .catch((error: unknown) => ({ isError: true, text: String(error) }));
      assert.ok(answer.isError, answer.text);
      assert.equal((await app().client.ai_tasks.list()).total, before);
      await theirs.client.close();
      if (what !== 'its admin loses the permission') await assert.rejects(openClient(app(), theirs.token));
    });
});
