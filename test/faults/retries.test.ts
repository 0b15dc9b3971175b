import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Passing } from '../helpers/fault-proxy.ts';
import { createTask, ended, type Machines, type RunnerMachine, startMachines, until } from '../helpers/machines.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const ROUNDS = 6;

/** Each attempt writes a note, stores a checkpoint, writes another note, and fails; the last one succeeds. */
const FAILS = `
const note = (body) => admin_api.post('/customers/' + parameters.from + '/notes', { body });
const round = last_checkpoint?.round ?? 0;
if (round > 0) await note('again ' + round);
await note('round ' + round);
await checkpoint({ round: round + 1 });
await note('after ' + round);
if (round + 1 < ${ROUNDS}) throw new RetryAfter(1500, 'not yet');
`;
const EXPECTED = Array.from({ length: ROUNDS }, (_, n) => [...(n > 0 ? [`again ${n}`] : []), `round ${n}`, `after ${n}`]).flat();

const isEnd = ({ method, body }: Passing): boolean => method === 'PATCH' && body.includes('"kind":"finalize"');

describe('retries: kills between the end of an attempt and the next one', { concurrency: true, timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(() => startMachines(engine)));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  let runner: RunnerMachine;
  before(async () => {
    machines = await start();
    runner = machines.startRunner();
  });
  after(() => machines.close());

  async function killServer(): Promise<void> {
    await machines.server().stop('SIGKILL');
    await machines.startServer();
  }
  async function killRunner(): Promise<void> {
    await runner.stop('SIGKILL');
    runner = machines.startRunner();
  }

  test('no attempt is lost or made twice, and each effect happens once', async () => {
    const { client } = machines;
    const from = await fillWithCustomers(machines.store, 1);
    const retry = { attempts: 20, first_ms: 0, on: ['script_error' as const, 'lost_runner' as const] };
    const taskId = await createTask(client, FAILS, { retry: { backoff: 'fixed', max_ms: 0, ...retry } });
    let ends = 0;
    machines.proxy.decide(async (passing) => {
      if (!isEnd(passing)) return 'pass';
      ends += 1;
      // The first end is lost with the server, the third takes effect without an answer, the fifth is lost with its runner.
      if (ends === 1) await killServer();
      if (ends === 5) await killRunner();
      return ends === 1 || ends === 5 ? 'cut_before' : ends === 3 ? 'cut_after' : 'pass';
    });
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from } });
    for (const kill of [killServer, killRunner]) {
      const seen = await waiting(taskId, runId, 0);
      await kill();
      const later = await client.ai_tasks.get_run(taskId, runId);
      assert.ok(later.attempt >= seen.attempt && later.status === 'running', 'a run that waits survives its server and its runner');
      await waiting(taskId, runId, later.attempt);
    }
    const run = await ended(client, taskId, runId, 120_000);
    machines.proxy.decide(() => 'pass');
    assert.equal(run.status, 'success', `${run.end_reason} ${run.error_message}\n${run.log}`);
    assert.ok(ends > 5, `${ends} ends were reported`);
    const { rows } = { rows: await client.customers.list_notes(from) };
    assert.deepEqual(
      rows.map(({ body }) => body).reverse(),
      EXPECTED.filter((body) => body !== 'again 0'),
    );
    const begun = run.log.split('\n').filter((line) => /"attempt \d+ of \d+ in /.test(line));
    assert.equal(begun.length, run.attempt - 1, 'each attempt after the first is announced once');
    assert.equal(run.attempts, 20);
  });

  /** Waits until the run waits for an attempt after this one. */
  function waiting(taskId: number, runId: number, attempt: number) {
    return until('it waits for another attempt', async () => {
      const run = await machines.client.ai_tasks.get_run(taskId, runId);
      return run.waiting_reason === 'retry' && run.attempt > attempt && run;
    });
  }
}
