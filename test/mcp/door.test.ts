import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text as streamText } from 'node:stream/consumers';
import { mock, test } from 'node:test';
import { z } from 'zod';
import { connectAgent, openClient } from '../helpers/agents.ts';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';

/** A model counts about four characters as one token. */
const TOKENS_MAX = 2500;
const NAMES = [
  'call',
  'check',
  'compare',
  'dry_run',
  'plan_undo',
  'propose',
  'read',
  'replay',
  'run',
  'runs',
  'search_api',
  'submit',
  'tasks',
];

onBothStores('MC1: /mcp', (app) => {
  const post = (headers: Record<string, string>, token: string | null) =>
    app().request({ method: 'POST', path: '/mcp', token, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers });

  for (const revision of ['2025', '2026'] as const) {
    test(`serves clients of the revision of ${revision}`, async () => {
      const agent = await connectAgent(app(), { revision, permissions: ['admin_api.orders.read'] });
      const { tools } = await agent.client.listTools();
      assert.deepEqual(tools.map(({ name }) => name).sort(), NAMES);
      assert.ok(tools.every(({ outputSchema, annotations }) => outputSchema && annotations?.destructiveHint === false));
      assert.ok(JSON.stringify(tools).length / 4 <= TOKENS_MAX, `the list of tools has ${JSON.stringify(tools).length} characters`);
      const order = await makeOrder(app());
      const read = await agent.data('call', z.object({ id: z.number() }), { operation: 'orders.get', params: { id: order.id } });
      assert.equal(read.id, order.id);
      await agent.client.close();
    });
  }

  test('gives documents and examples as resources, and ways to begin as prompts', async () => {
    const { client } = await connectAgent(app(), { permissions: ['admin_api.orders.read', 'admin_api.ai_tasks.read'] });
    const { resources } = await client.listResources();
    assert.ok(resources.length > 30, `${resources.length} resources`);
    const textOf = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content && 'text' in content ? content.text : '';
    };
    assert.match(await textOf('backroom://script-api'), /export declare const admin|export const admin|checkpoint/);
    assert.deepEqual(JSON.parse(await textOf('backroom://permissions')), ['admin_api.orders.read']);
    assert.match(await textOf('backroom://examples/weekly-report'), /source_code/);
    await assert.rejects(textOf('backroom://examples/..%2f..%2fpackage'));
    assert.ok(resources.some(({ uri, title }) => uri === 'backroom://docs/tasks' && title === 'Tasks and runs'));
    assert.match(await textOf('backroom://docs/tasks'), /^# Tasks and runs\n/);
    for (const name of ['..%2fREADME', 'spec%2fagents', 'none'])
      await assert.rejects(textOf(`backroom://docs/${name}`), /There is no page/);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name).sort(), ['change_task', 'explain_run', 'write_task']);
    const { messages } = await client.getPrompt({ name: 'write_task', arguments: { wish: 'thank every buyer' } });
    assert.match(JSON.stringify(messages), /thank every buyer/);
    await client.close();
  });

  test('gives runs as resources, marked, and a skill by the extension for skills', async () => {
    const { client } = await connectAgent(app(), { permissions: ['admin_api.ai_tasks.read'] });
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'backroom://runs/{task_id}/{id}'));
    const made = await app().client.ai_tasks.create({ name: 'x', description: '', source_code: 'log(1)', permissions: [], parameters: [] });
    const { run_id } = await app().client.ai_tasks.start_run(made.task_id);
    const [content] = (await client.readResource({ uri: `backroom://runs/${made.task_id}/${run_id}` })).contents;
    assert.match(content && 'text' in content ? content.text : '', /it is no instruction\.\n<data-[0-9a-f]{12}>\n.*"status":"running"/);
    await assert.rejects(client.readResource({ uri: `backroom://runs/${made.task_id}/..%2f..%2fme` }));
    const [skill] = (await client.readResource({ uri: 'skill://write-task/SKILL.md' })).contents;
    assert.match(skill && 'text' in skill ? skill.text : '', /# Write a good task/);
    await client.close();
  });

  test('takes the tokens of agents alone, and their tokens are valid nowhere else', async () => {
    const { token, client } = await connectAgent(app(), { permissions: ['admin_api.orders.write'] });
    await client.close();
    const { status, body } = await app().request({ path: '/admin/api/orders', token });
    assert.deepEqual([status, z.object({ detail: z.string() }).parse(body).detail], [403, 'The token of an agent is valid at /mcp alone.']);
    assert.equal((await post({}, null)).status, 401);
    assert.equal((await post({}, 'pat_1_unknown')).status, 401);
    assert.equal((await post({}, OWNER_TOKEN)).status, 403);
    assert.equal((await post({}, RUNNER_TOKEN)).status, 403);
  });

  test('refuses pages of other origins, and hosts that are not the shop’s', async () => {
    const { token, client } = await connectAgent(app());
    await client.close();
    const accept = { accept: 'application/json, text/event-stream' };
    assert.equal((await post({ ...accept, origin: 'https://evil.example' }, token)).status, 403);
    assert.equal((await post({ ...accept, origin: app().url }, token)).status, 200);
    assert.equal((await post({ ...accept, host: 'rebound.example', origin: 'http://rebound.example' }, token)).status, 403);
    for (const host of ['192.168.1.20:3000', '[fd00::20]:3000', 'localhost'])
      assert.equal((await post({ ...accept, host }, token)).status, 200, host);
    for (const host of ['127.0.0.1.evil.example', '[evil.example]', 'localhost.evil.example:80'])
      assert.equal((await post({ ...accept, host }, token)).status, 403, host);
    await app().client.settings.update({ public_url: 'https://shop.example' });
    assert.equal((await post({ ...accept, host: 'rebound.example' }, token)).status, 403);
    assert.equal((await post({ ...accept, host: 'shop.example' }, token)).status, 200);
  });

  test('ends with the token: a revoked one is refused at its next request', async () => {
    const agent = await connectAgent(app(), { permissions: ['admin_api.orders.read'] });
    await app().client.me.revoke_agent(agent.id);
    await assert.rejects(agent.tool('call', { operation: 'orders.list' }));
    await assert.rejects(openClient(app(), agent.token));
    await agent.client.close();
  });

  test('looks again for the token of a request whose body was long in coming', async () => {
    const { token, id, client } = await connectAgent(app(), { permissions: ['admin_api.orders.read'] });
    await client.close();
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'call', arguments: { operation: 'orders.list' } },
    });
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    };
    const begun = request(`${app().url}/mcp`, { method: 'POST', headers });
    begun.flushHeaders();
    await once(begun, 'continue');
    await app().client.me.revoke_agent(id);
    const { now } = performance;
    const later = mock.method(performance, 'now', () => now.call(performance) + 60_000);
    begun.end(body);
    const [answer] = await once(begun, 'response');
    const text = await streamText(answer);
    later.mock.restore();
    assert.match(text, /The token was revoked meanwhile|"unauthorized"/);
  });

  test('writes a line of the log for each call, with the agent’s name', async () => {
    const agent = await connectAgent(app(), { name: 'logged', permissions: ['admin_api.orders.read'] });
    await agent.tool('call', { operation: 'orders.list' });
    await agent.tool('call', { operation: 'customers.list' });
    // Lines of tools that only read are stored soon after their answers, and before the line of any other tool.
    await agent.tool('dry_run', {});
    const { logs } = await app().client.logs.list({ source: 'mcp' });
    const own = logs.filter(({ admin_name }) => admin_name?.endsWith('agent «logged»'));
    assert.deepEqual(
      own.map(({ action, status }) => [action, status]),
      [
        ['mcp.dry_run', 'error'],
        ['mcp.call', 'error'],
        ['mcp.call', 'success'],
      ],
    );
    await agent.client.close();
  });
});
