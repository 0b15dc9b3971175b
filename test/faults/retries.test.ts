import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Passing } from '../helpers/fault-proxy.ts';
import { createTask, ended, type Machines, type RunnerMachine, startMachines, until } from '../helpers/machines.ts';
import { letRetryBeDue } from '../helpers/stored-rows/runs.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const ROUNDS = 6;
const WITHIN_MS = 240_000;
const RETRY = { backoff: 'fixed' as const, first_ms: 0, max_ms: 0, on: ['script_error' as const, 'lost_runner' as const] };

/** Each attempt writes two notes, stores a checkpoint and fails; the last one succeeds. */
const FAILS = `
const note = (body) => admin_api.post('/customers/' + parameters.from + '/notes', { body });
const round = last_checkpoint?.round ?? 0;
await note('round ' + round);
await note('again ' + round);
await checkpoint({ round: round + 1 });
if (round + 1 < ${ROUNDS}) throw new RetryAfter(parameters.wait, 'not yet');
`;
const EXPECTED = Array.from({ length: ROUNDS }, (_, n) => [`round ${n}`, `again ${n}`]).flat();

const isSecondNote = ({ method, body }: Passing): boolean => method === 'POST' && body.includes('"again 3"');
const isEnd = ({ body }: Passing): boolean => body.includes('"kind":"finalize"');

describe('retries: kills between the end of an attempt and the next one', { concurrency: true, timeout: 540_000 }, () => {
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
    const taskId = await createTask(client, FAILS, { retry: { ...RETRY, attempts: 20 } });
    let ends = 0;
    let seconds = 0;
    machines.proxy.decide(async (passing) => {
      if (isSecondNote(passing)) {
        seconds += 1;
        // Between its two notes an attempt loses its runner; the retry repeats the first note, which has no second effect.
        if (seconds === 1) await killRunner();
        return seconds === 1 ? 'cut_before' : 'pass';
      }
      if (!isEnd(passing)) return 'pass';
      ends += 1;
      // The first end is lost with the server, the third takes effect without an answer, the fifth is lost with its runner.
      if (ends === 1) await killServer();
      if (ends === 5) await killRunner();
      return ends === 1 || ends === 5 ? 'cut_before' : ends === 3 ? 'cut_after' : 'pass';
    });
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from, wait: 0 } });
    const run = await ended(client, taskId, runId, WITHIN_MS);
    machines.proxy.decide(() => 'pass');
    assert.equal(run.status, 'success', `${run.end_reason} ${run.error_message}\n${run.log}`);
    assert.ok(ends > 5, `${ends} ends were reported`);
    assert.ok(seconds > 1, `${seconds} second notes`);
    const notes = await client.customers.list_notes(from);
    assert.deepEqual(notes.map(({ body }) => body).reverse(), EXPECTED);
    const begun = run.log.split('\n').filter((line) => /"attempt \d+ of \d+ in /.test(line));
    assert.equal(begun.length, run.attempt - 1, 'each attempt after the first is announced once');
    assert.equal(run.attempts, 20);
  });

  test('a run that waits outlives its server and its runners, and is given no attempt before its time', async () => {
    const { client, store } = machines;
    const from = await fillWithCustomers(store, 1);
    const taskId = await createTask(client, FAILS, { retry: { ...RETRY, attempts: 20 } });
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from, wait: 3_600_000 } });
    for (let attempt = 2; attempt <= ROUNDS; attempt += 1) {
      const waits = await until(
        `attempt ${attempt} is waited for`,
        async () => {
          const run = await client.ai_tasks.get_run(taskId, runId);
          return run.waiting_reason === 'retry' && run.attempt === attempt && run;
        },
        WITHIN_MS,
      );
      if (attempt === 2) {
        await Promise.all([killServer(), killRunner()]);
        const { waiting_reason, next_attempt_at } = await client.ai_tasks.get_run(taskId, runId);
        assert.deepEqual([waiting_reason, next_attempt_at], ['retry', waits.next_attempt_at]);
      }
      await letRetryBeDue(store, runId);
    }
    const run = await ended(client, taskId, runId, WITHIN_MS);
    assert.deepEqual([run.status, run.attempt], ['success', ROUNDS], `${run.error_message}`);
    assert.deepEqual((await client.customers.list_notes(from)).map(({ body }) => body).reverse(), EXPECTED);
  });
}
