import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Engine } from '../../server/db/dialect.ts';
import { passAll } from '../helpers/fault-proxy.ts';
import { ended, type Machines, type RunnerMachine, startMachines } from '../helpers/machines.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const NAMES = ['before', 'arrived', 'answered', 'runner', 'calm'] as const;

/** Each request stands alone, so the script goes on where it is not known whether one arrived. */
const SCRIPT = `
export default async function main() {
  const told = [];
  for (const name of ${JSON.stringify(NAMES)}) {
    try {
      const { status } = await http.request({ method: 'POST', url: parameters.origin + '/v1/' + name, body: name });
      told.push(status);
    } catch (error) {
      if (error.code !== 'outcome_unknown') throw error;
      told.push('unknown');
    }
  }
  return told;
}
`;

/**
 * SIGKILL ends the server or the runner at each point of a request that changes something in another system: before it is sent, while
 * the other system has it, and after its answer. The other system's ledger has each request once, and the only one of which nobody can
 * know whether it arrived is marked.
 */
describe('JO9: kills during requests to other systems', { concurrency: true, timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(engine));
});

function suite(engine: Engine): void {
  let machines: Machines;
  let runner: RunnerMachine;
  let there: OtherSystem;
  before(async () => {
    there = await openOtherSystem();
    machines = await startMachines(engine, { ALLOW_PRIVATE_WEBHOOKS: 'true', LEASE_SECONDS: '3' });
    runner = machines.startRunner({});
  });
  after(async () => {
    await machines.close();
    await there.close();
  });

  async function restart(): Promise<void> {
    await machines.server().stop('SIGKILL');
    await machines.startServer();
  }

  test('no request is sent twice, and one that may have arrived is told to the script and in the effects', async () => {
    const { ai_tasks: tasks } = machines.client;
    const { task_id: taskId } = await tasks.create({
      name: 'Sends',
      description: '',
      source_code: SCRIPT,
      permissions: ['http_request'],
      http_allow: [`POST ${there.origin}/v1/*`],
      parameters: [],
    });
    await tasks.update(taskId, { settings: { on_interrupt: 'resume', max_attempts: 100 } });
    const visits = new Map<string, number>();
    machines.proxy.decide(async ({ path, body }) => {
      const name = path === '/admin/api/http/send' ? NAMES.find((one) => body.includes(`/v1/${one}"`)) : undefined;
      if (name === undefined) return 'pass';
      const visit = (visits.get(name) ?? 0) + 1;
      visits.set(name, visit);
      if (visit > 1) return 'pass';
      if (name === 'before') {
        await restart();
        return 'cut_before';
      }
      return name === 'answered' ? 'cut_after' : 'pass';
    });
    there.decide(async ({ body }) => {
      if (body === 'arrived') {
        await restart();
        return 'cut';
      }
      if (body === 'runner') {
        await runner.stop('SIGKILL');
        runner = machines.startRunner({});
      }
      return { status: 201 };
    });
    const { run_id: runId } = await tasks.start_run(taskId, { parameters: { origin: there.origin } });
    const run = await ended(machines.client, taskId, runId);
    machines.proxy.decide(passAll);

    assert.deepEqual([run.status, run.result], ['success', [201, 'unknown', 201, 201, 201]], `${run.end_reason} ${run.error_message}`);
    assert.deepEqual(
      there.got.map(({ body }) => body),
      [...NAMES],
    );
    assert.equal(new Set(there.got.map(({ headers }) => headers['idempotency-key'])).size, NAMES.length);
    const effects = await tasks.list_effects(taskId, runId);
    assert.deepEqual(
      effects.map(({ changes, maybe_twice }) => [changes['status']?.[1], maybe_twice]),
      [201, 'maybe', 201, 201, 201].map((status) => [status, false]),
    );
  });
}
