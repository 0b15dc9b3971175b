import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Engine } from '../../server/db/dialect.ts';
import type { Passing } from '../helpers/fault-proxy.ts';
import { ended, killWorkers, type Machines, type RunnerMachine, startMachines, until } from '../helpers/machines.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const SCRIPT = `
const note = (body) => admin_api.post('/customers/' + parameters.from + '/notes', { body });
await note('begun');
const event = await waitFor('customer.created', { match: { customer_id: parameters.awaited } });
await note('came ' + event.data.customer_id);
await sleep(1200);
const { data } = await waitFor('signal:go');
await note('told ' + data);
export default () => [event.id, Date.parse(event.at) > 0];
`;

type Victim = 'worker' | 'runner' | 'server';
/** Kills of the server are tested on both engines; worker and runner do not depend on the engine. */
const victims: Record<Engine, Victim[]> = { sqlite: ['worker', 'server'], postgres: ['runner', 'server'] };
const RUNNER = { RUNNER_SLOTS: '1' };

/**
 * A run waits for an event, a time and a signal, and writes between them. SIGKILL ends the worker, the runner or the server when it begins
 * to wait, and while the event and the signal are stored. Each wakes the run once, and each effect happens once.
 */
describe('JO14: kills during waits', { concurrency: true, timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(engine));
});

function suite(engine: Engine): void {
  let machines: Machines;
  let runner: RunnerMachine;
  before(async () => {
    machines = await startMachines(engine);
    runner = machines.startRunner(RUNNER);
  });
  after(() => machines.close());

  async function kill(victim: Victim): Promise<void> {
    if (victim === 'worker') {
      killWorkers(runner);
    } else if (victim === 'runner') {
      await runner.stop('SIGKILL');
      runner = machines.startRunner(RUNNER);
    } else {
      await machines.server().stop('SIGKILL');
      await machines.startServer();
    }
  }

  /** At each wait, the kill comes at the first request, the second loses its answer, and another kill comes at the third. */
  function underFire(victim: Victim): Map<string, number> {
    const visits = new Map<string, number>();
    machines.proxy.decide(async ({ method, path, body }: Passing) => {
      if (method !== 'POST' || !path.endsWith('/waits')) return 'pass';
      const key = /"key":"([^"]*)"/.exec(body)?.[1] ?? '';
      const visit = (visits.get(key) ?? 0) + 1;
      visits.set(key, visit);
      if (visit === 2) return 'cut_after';
      if (visit > 3) return 'pass';
      await kill(victim);
      return 'cut_before';
    });
    return visits;
  }

  for (const victim of victims[engine]) {
    test(`if the ${victim} is killed, the event, the time and the signal wake the run once each`, async () => {
      const { client, store } = machines;
      const tasks = client.ai_tasks;
      const from = await fillWithCustomers(store, 1);
      const { task_id: taskId } = await tasks.create({
        name: 'Waits',
        description: '',
        source_code: SCRIPT,
        permissions: ['admin_api.customers.write'],
        parameters: [],
      });
      await tasks.update(taskId, { settings: { on_interrupt: 'resume', max_attempts: 100 } });
      const visits = underFire(victim);
      const { id: before_ } = await client.customers.create({ email: `before-${victim}@example.com`, name: 'Before' });
      const { run_id: runId } = await tasks.start_run(taskId, { parameters: { from, awaited: before_ + 1 } });
      const parked = (reason: string) =>
        until(`it waits for the ${reason}`, async () => {
          const run = await tasks.get_run(taskId, runId);
          return run.waiting_reason === reason && run.claimed_by === null;
        });
      await parked('event');
      const [made] = await Promise.all([
        client.customers.create({ email: `awaited-${victim}@example.com`, name: 'Awaited' }),
        kill('server'),
      ]);
      assert.equal(made.id, before_ + 1);
      await parked('signal');
      await Promise.all([tasks.signal_run(taskId, runId, { key: 'go', value: 7 }), kill('server')]);
      const run = await ended(client, taskId, runId);
      machines.proxy.decide(() => 'pass');

      assert.equal(run.status, 'success', `${run.end_reason} ${run.error_message}\n${run.log}`);
      for (const [key, count] of visits) assert.ok(count > 3, `${key}: ${count}`);
      assert.equal(visits.size, 3);
      const notes = await store.reader.selectFrom('customer_notes').select('body').where('customer_id', '=', from).orderBy('id').execute();
      assert.deepEqual(
        notes.map(({ body }) => body),
        ['begun', `came ${made.id}`, 'told 7'],
      );
      assert.deepEqual(await store.reader.selectFrom('run_signals').select('id').execute(), []);
    });
  }
}
