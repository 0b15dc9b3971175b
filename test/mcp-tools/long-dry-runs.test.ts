import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTaskSessionFromClient, type RawClientDispatch, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { request } from 'undici';
import { z } from 'zod';
import { type ConnectedAgent, connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';

/** The Tasks extension of the protocol, by its official client (spec MC10). */

const FRAMING = { protocolVersion: '2026-07-28', clientInfo: { name: 'test', version: '1' }, clientCapabilities: {} };
const EMAIL = 'zsofia.bodrogi@mail.example.com';
const Asked = z.object({ method: z.string(), params: z.looseObject({ name: z.string().optional(), taskId: z.string().optional() }) });
const Answer = z.union([
  z.object({ result: z.json() }).transform(({ result }) => ({ kind: 'result' as const, result })),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }).transform(({ error }) => ({ kind: 'error' as const, error })),
]);
const Task = z.looseObject({ resultType: z.string(), taskId: z.string().optional(), status: z.string().optional() });

onBothStores('MC10: a dry run that goes on', (app) => {
  let runner: InProcessRunner;
  let agent: ConnectedAgent;
  let customerId: number;
  before(async () => {
    runner = openInProcessRunner(app());
    agent = await connectAgent(app(), { permissions: ['admin_api.customers.write', 'admin_api.ai_tasks.write'] });
    customerId = (await makeCustomer(app(), { name: 'Zsófia', email: EMAIL })).id;
  });
  after(async () => {
    await agent.client.close();
    await runner.close();
  });

  function draft(source_code: string) {
    return { draft: { source_code, permissions: ['admin_api.customers.write'], parameters: [] } };
  }

  /** Sends what the SDK's client has no types for. */
  function dispatchAs(token: string): RawClientDispatch {
    return async (sent) => {
      const { method, params } = Asked.parse(sent);
      const name = params.name ?? params.taskId;
      const { body } = await request(`${app().url}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ 'mcp-protocol-version': FRAMING.protocolVersion, 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) },
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...Object(sent) }),
      });
      return Answer.parse(await body.json());
    };
  }

  /** Calls a method as the client of the extension does; the result must be one. */
  async function asked(method: string, params: Record<string, unknown>, { token = agent.token, tasks = true } = {}) {
    const capabilities = { extensions: tasks ? { 'io.modelcontextprotocol/tasks': {} } : {} };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': FRAMING.protocolVersion,
      'io.modelcontextprotocol/clientInfo': FRAMING.clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    return await dispatchAs(token)(z.json().parse({ method, params: { ...params, _meta } }));
  }

  async function beginTask(source_code: string, more: Record<string, unknown> = {}) {
    const answer = await asked('tools/call', { name: 'dry_run', arguments: { ...draft(source_code), wait_seconds: 0, ...more } });
    assert.ok(answer.kind === 'result');
    const task = Task.parse(answer.result);
    assert.deepEqual([task.resultType, task.status], ['task', 'working']);
    const [, taskId = 0, runId = 0] = /^dry_run\.(\d+)\.(\d+)\.\d+$/.exec(task.taskId ?? '')?.map(Number) ?? [];
    return { id: task.taskId ?? '', taskId, runId };
  }

  test('is a task, which the official client follows to the plan', async () => {
    const session = createTaskSessionFromClient(agent.client, {
      endpointId: 'shop',
      rawDispatch: dispatchAs(agent.token),
      v2RequestFraming: FRAMING,
    });
    const source = `await admin.customers.create_note(${customerId}, { body: 'Thanks' });`;
    const execution = await session.callTool('dry_run', { ...draft(source), wait_seconds: 0 });
    assert.equal(execution.kind, 'task');
    const { data } = await agent.data('runs', z.object({ data: z.array(z.object({ id: z.number(), task_id: z.number() })) }), { limit: 1 });
    assert.ok(data[0]);
    await runner.finish(data[0].task_id, data[0].id);
    const result = z
      .object({
        structuredContent: z.object({
          untrusted_data: z.looseObject({ status: z.string(), plan: z.looseObject({ changes: z.number() }) }),
        }),
      })
      .parse(resultFromTaskOutcome((await execution.settle()).outcome));
    const { status, plan } = result.structuredContent.untrusted_data;
    assert.deepEqual([status, plan.changes], ['success', 1]);
    await session.close();
  });

  test('is answered as ever where the request does not say that its client knows tasks', async () => {
    const call = { name: 'dry_run', arguments: { ...draft('log(1)'), wait_seconds: 0 } };
    const answer = await asked('tools/call', call, { tasks: false });
    assert.ok(answer.kind === 'result');
    const { resultType, taskId } = Task.parse(answer.result);
    assert.deepEqual([resultType, taskId], ['complete', undefined]);
  });

  test('goes on when it is cancelled, says so when a person cancels it, and a task that is unknown is refused', async () => {
    const { id, taskId, runId } = await beginTask('log(1)');
    for (const method of ['tasks/cancel', 'tasks/update']) assert.equal((await asked(method, { taskId: id })).kind, 'result');
    assert.match(JSON.stringify(await asked('tasks/get', { taskId: id })), /"status":"working"/);
    await app().client.ai_tasks.cancel_run(taskId, runId);
    assert.match(JSON.stringify(await asked('tasks/get', { taskId: id })), /"status":"cancelled"/);
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      for (const unknown of ['dry_run.1.999999.8192', 'dry_run.1.1/../../me', 'x', `dry_run.${taskId}.${'9'.repeat(16)}.1`])
        assert.match(JSON.stringify(await asked(method, { taskId: unknown })), /"code":-32602/, `${method} ${unknown}`);
  });

  test('tells at its end as much as the call asked for', async () => {
    for (const [more, isWhole] of [
      [{}, false],
      [{ max_bytes: 65_536 }, true],
    ] as const) {
      const { id, taskId, runId } = await beginTask(`export default 'x'.repeat(20_000);`, more);
      await runner.finish(taskId, runId);
      assert.equal(JSON.stringify(await asked('tasks/get', { taskId: id })).includes('x'.repeat(20_000)), isWhole);
    }
  });

  test('attack: a task tells an agent without the right to read runs nothing, and one that is blind no address', async () => {
    const { id, taskId, runId } = await beginTask(`throw new Error('write to ${EMAIL}')`);
    await runner.finish(taskId, runId);
    const told = JSON.stringify(await asked('tasks/get', { taskId: id }));
    assert.match(told, /write to hidden@example\.invalid/);
    assert.doesNotMatch(told, /bodrogi/);
    const other = await connectAgent(app(), { permissions: ['admin_api.customers.read'] });
    const refused = JSON.stringify(await asked('tasks/get', { taskId: id }, { token: other.token }));
    assert.match(refused, /"code":-32602/);
    assert.doesNotMatch(refused, /write to/);
    await other.client.close();
  });
});
