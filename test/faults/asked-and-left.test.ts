import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Engine } from '../../server/db/dialect.ts';
import type { Passing } from '../helpers/fault-proxy.ts';
import { ended, killWorkers, type Machines, type RunnerMachine, startMachines, until } from '../helpers/machines.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const SCRIPT = `
const { from } = parameters;
await files.write('first.txt', 'one', 'text/plain');
await admin_api.post('/customers/' + from + '/notes', { body: 'asked' });
const { name } = await prompt({ label: 'Who?', fields: [{ name: 'name', kind: 'string', required: true }] });
await admin_api.post('/customers/' + from + '/notes', { body: name });
await files.write('second.txt', name, 'text/plain');
export default () => name;
`;

const points: Record<string, (passing: Passing) => boolean> = {
  first: ({ path, body }) => path.endsWith('/artifacts') && body.includes('first.txt'),
  asked: ({ path }) => path.endsWith('/prompts'),
  second: ({ path, body }) => path.endsWith('/artifacts') && body.includes('second.txt'),
};
type Victim = 'worker' | 'runner' | 'server';
/** Kills of the server are tested on both engines; worker and runner do not depend on the engine. */
const victims: Record<Engine, Victim[]> = { sqlite: ['worker', 'server'], postgres: ['runner', 'server'] };

/** The worker is soon given back, so the run is parked when the person answers. */
const RUNNER = { PROMPT_HOLD_SECONDS: '1', RUNNER_SLOTS: '1' };

/**
 * A run writes two files and asks a person between them. SIGKILL ends the worker, the runner or the server at each of these calls:
 * before the call took effect, and after it, with its answer lost. Each effect happens once.
 */
describe('SF9, SF10: kills during questions and files', { concurrency: true, timeout: 300_000 }, () => {
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

  /** At each point, the kill comes at the first request, the second loses its answer, and another kill comes at the third. */
  function underFire(victim: Victim): { visits: Map<string, number> } {
    const visits = new Map<string, number>();
    machines.proxy.decide(async (passing) => {
      const point = passing.method === 'POST' ? Object.keys(points).find((name) => points[name]?.(passing)) : undefined;
      if (point === undefined) return 'pass';
      const visit = (visits.get(point) ?? 0) + 1;
      visits.set(point, visit);
      if (visit === 2) return 'cut_after';
      if (visit > 3) return 'pass';
      await kill(victim);
      return 'cut_before';
    });
    return { visits };
  }

  for (const victim of victims[engine]) {
    test(`if the ${victim} is killed, there are still one question, two files and two notes`, async () => {
      const { ai_tasks: tasks } = machines.client;
      const from = await fillWithCustomers(machines.store, 1);
      const { task_id: taskId } = await tasks.create({
        name: 'Asks',
        description: '',
        source_code: SCRIPT,
        permissions: ['admin_api.customers.write', 'prompt_input', 'file_download'],
        parameters: [],
      });
      await tasks.update(taskId, { settings: { on_interrupt: 'resume', max_attempts: 100 } });
      const { visits } = underFire(victim);
      const { run_id: runId } = await tasks.start_run(taskId, { parameters: { from } });
      await until('its worker is given back', async () => {
        const run = await tasks.get_run(taskId, runId);
        return run.waiting_reason === 'prompt' && run.claimed_by === null;
      });
      const [asked] = await tasks.list_prompts(taskId, runId);
      await Promise.all([tasks.answer_prompt(taskId, runId, asked?.id ?? 0, { answers: { name: 'Ada' } }), kill('server')]);
      const run = await ended(machines.client, taskId, runId);
      machines.proxy.decide(() => 'pass');

      assert.deepEqual([run.status, run.result], ['success', 'Ada'], `${run.end_reason} ${run.error_message}\n${run.log}`);
      // A claim whose runner dies before its first heartbeat is offered again and does not count as an attempt.
      const claims = await machines.store.reader.selectFrom('run_claims').select('id').where('run_id', '=', runId).execute();
      if (victim !== 'server') assert.ok(claims.length > 3, `${claims.length} claims`);
      for (const point of Object.keys(points)) assert.ok((visits.get(point) ?? 0) > 3, `${point}: ${visits.get(point)}`);
      const prompts = await tasks.list_prompts(taskId, runId);
      assert.deepEqual(
        prompts.map(({ label, answers }) => [label, answers]),
        [['Who?', { name: 'Ada' }]],
      );
      const artifacts = await tasks.list_artifacts(taskId, runId);
      assert.deepEqual(
        artifacts.map(({ name, size_bytes }) => [name, size_bytes]),
        [
          ['first.txt', 3],
          ['second.txt', 3],
        ],
      );
      const notes = await machines.store.reader.selectFrom('customer_notes').select('body').where('customer_id', '=', from).execute();
      assert.deepEqual(notes.map(({ body }) => body).sort(), ['Ada', 'asked']);
    });
  }
}
