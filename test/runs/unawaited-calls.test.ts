import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Replay } from '../../contract/replays.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type FaultProxy, openFaultProxy, passAll } from '../helpers/fault-proxy.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { makeTask } from '../helpers/runs.ts';

const SOURCE = `
const path = '/customers/' + parameters.id;
void admin_api.get('/customers?search=cut');
void admin_api.post(path + '/notes', { body: 'unawaited' });
await admin_api.post(path + '/notes', { body: 'awaited' });
`;
const OTHER = `${SOURCE}void admin_api.post(path + '/credits/adjust', { delta: 1 });`;

onBothStores('RP1: calls that a recorded script did not wait for', (app) => {
  let proxy: FaultProxy;
  let runner: InProcessRunner;
  before(async () => {
    proxy = await openFaultProxy(Number(new URL(app().url).port));
    runner = openInProcessRunner(app(), { url: proxy.url });
  });
  after(async () => {
    await runner.close();
    await proxy.close();
  });

  async function replay(taskId: number, runId: number, body: { version_id?: number } = {}): Promise<Replay> {
    const { run_id } = await app().client.replays.start(taskId, runId, body);
    await runner.finish(taskId, run_id);
    return app().client.replays.get(taskId, run_id);
  }

  test('are no difference where one never reached the server, and a new one of another version is', async () => {
    const { id } = await makeCustomer(app());
    const version = { permissions: ['admin_api.customers.write' as const], parameters: [] };
    const taskId = await makeTask(app(), { source_code: SOURCE, ...version });
    const { run_id: runId } = await app().client.ai_tasks.start_run(taskId, { parameters: { id }, record: true });
    const ended = Promise.withResolvers<void>();
    proxy.decide(async ({ path, body }) => {
      if (path.endsWith('search=cut')) {
        await ended.promise;
        return 'cut_before';
      }
      if (body.includes('"body":"awaited"'))
        await until('the first note', async () => (await app().client.customers.list_notes(id)).length === 1);
      return 'pass';
    });
    const run = await runner.finish(taskId, runId);
    proxy.decide(passAll);
    ended.resolve();
    assert.equal(run.status, 'success', `${run.error_message}`);
    const same = await replay(taskId, runId);
    assert.ok(same.identical, JSON.stringify(same));
    assert.deepEqual([same.calls.same, same.calls.added], [2, 0]);
    const { version_id } = await app().client.ai_tasks.create_version(taskId, { source_code: OTHER, ...version });
    const other = await replay(taskId, runId, { version_id });
    assert.deepEqual(
      [other.identical, other.effects.added, other.effects.additions[0]?.path],
      [false, 1, `/customers/${id}/credits/adjust`],
    );
  });

  test('do not change which answers equal calls get that were made after them', async () => {
    const { id } = await makeCustomer(app());
    const source_code = `
      const path = '/customers/' + parameters.id;
      void admin_api.get('/customers?search=equal');
      await admin_api.get('/customers?search=equal');
      await admin_api.post(path + '/notes', { body: 'done' });`;
    const taskId = await makeTask(app(), { source_code, permissions: ['admin_api.customers.write'] });
    const { run_id: runId } = await app().client.ai_tasks.start_run(taskId, { parameters: { id }, record: true });
    const ended = Promise.withResolvers<void>();
    let reads = 0;
    proxy.decide(async ({ path, key }) => {
      if (!path.endsWith('search=equal') || !key.endsWith('/0"')) return 'pass';
      reads += 1;
      await ended.promise;
      return 'cut_before';
    });
    const run = await runner.finish(taskId, runId);
    proxy.decide(passAll);
    ended.resolve();
    assert.deepEqual([run.status, reads], ['success', 1]);
    const same = await replay(taskId, runId);
    assert.ok(same.identical, JSON.stringify(same));
  });
});
