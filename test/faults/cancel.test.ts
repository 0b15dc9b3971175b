import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AdminApi } from '../../contract/calls.ts';
import type { Run } from '../../contract/runs.ts';
import { childrenOf } from '../../runner/isolation/proc.ts';
import { createTask, isAlive, type Machines, type RunnerMachine, startMachines, until } from '../helpers/machines.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

/** So long that no lease lapses on a slow machine and ends the run instead; a heartbeat comes every 2 s. */
const LEASE_SECONDS = '120';
const GONE_WITHIN_MS = 240_000;

type How = { reason: string; end(client: AdminApi, run: Run): Promise<unknown> };
const cancel: How = { reason: 'cancelled', end: (client, run) => client.ai_tasks.cancel_run(run.task_id, run.id) };
const revoke: How = { reason: 'revoked', end: (client, run) => client.ai_tasks.revoke_version(run.task_id, run.version_id) };

const runs: Record<string, [source: string, how: How]> = {
  'cancel of a run in a busy loop': [`log('begun'); for (;;);`, cancel],
  'cancel of a run waiting for an hour': [`log('begun'); await sleep(3_600_000);`, cancel],
  'cancel of a run making calls': [`log('begun'); for (;;) await admin_api.get('/customers');`, cancel],
  'AP5, revoke of the version of a run in a busy loop': [`log('begun'); for (;;);`, revoke],
  'AP5, revoke of the version of a run making calls': [`log('begun'); for (;;) await admin_api.get('/customers');`, revoke],
};

describe('cancel and revoke', { concurrency: true, timeout: 480_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(() => startMachines(engine, { LEASE_SECONDS })));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  let runner: RunnerMachine;
  before(async () => {
    machines = await start();
    runner = machines.startRunner({ RUNNER_SLOTS: '1' });
  });
  after(() => machines.close());

  for (const [name, [source, how]] of Object.entries(runs)) {
    test(`${name}: the run is cancelled at once, and its worker ends long before its lease`, async () => {
      const { client } = machines;
      const taskId = await createTask(client, source);
      // With one slot, the run's worker is among the workers that exist when the run begins, and no other run takes one.
      const standby = await until('a worker is ready', () => {
        const pids = childrenOf(runner.pid);
        return pids.length > 0 && pids;
      });
      const { run_id: runId } = await client.ai_tasks.start_run(taskId, {});
      await until('the script has begun', async () => (await client.ai_tasks.get_run(taskId, runId)).log.includes('begun'));
      const run = await client.ai_tasks.get_run(taskId, runId);
      await how.end(client, run);
      const cancelled = await client.ai_tasks.get_run(taskId, runId);
      assert.deepEqual([cancelled.status, cancelled.end_reason], ['cancelled', how.reason]);
      const gone = await until('a worker is gone', () => standby.find((pid) => !isAlive(pid)), GONE_WITHIN_MS);
      assert.ok(!childrenOf(runner.pid).filter(isAlive).includes(gone));
      const log = (await client.ai_tasks.get_run(taskId, runId)).log.length;
      assert.equal(await nextRun(), 'success');
      const after = await client.ai_tasks.get_run(taskId, runId);
      assert.deepEqual([after.status, after.log.length], ['cancelled', log]);
    });
  }

  /** Checks that the slot is free again: another run can use it. */
  async function nextRun(): Promise<string> {
    const { client } = machines;
    const taskId = await createTask(client, `log('next')`);
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, {});
    return until('the next run has ended', async () => {
      const { status } = await client.ai_tasks.get_run(taskId, runId);
      return status !== 'running' && status;
    });
  }
}
