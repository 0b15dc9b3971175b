import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { passAll } from '../helpers/fault-proxy.ts';
import { holdAt } from '../helpers/hold.ts';
import { ended, type Machines, type RunnerMachine, startMachines } from '../helpers/machines.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const ROUNDS = 4;
const NUMBERS = Array.from({ length: ROUNDS }, (_, n) => `{"n":${n}}`);

const LEAD = `export default async () => {
  let { n, sum } = last_checkpoint ?? { n: 0, sum: 0 };
  while (n < ${ROUNDS}) {
    await tasks.start('Noted', { n });
    sum += await tasks.run('Doubled', { n });
    n += 1;
    await checkpoint({ n, sum });
  }
  return sum;
};`;

/** A call of the runner is answered, but the answer is lost with the server or the runner. Each task is still started once a round. */
describe('a run that starts tasks and waits for them, while server and runner are killed', { timeout: 900_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, () => suite(() => startMachines(engine)));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  let runner: RunnerMachine;
  before(async () => {
    machines = await start();
    runner = machines.startRunner();
  });
  after(() => machines.close());

  for (const lost of ['/task-runs', '/awaited-runs'])
    for (const victim of ['server', 'runner'] as const) {
      test(`the answer to POST ${lost} is lost with the ${victim}`, async () => {
        const { client, proxy } = machines;
        const tasks = ['Noted', 'Doubled'].map(async (name) => {
          const source_code = `export default () => ${name === 'Noted' ? 'null' : '2 * parameters.n'};`;
          const parameters = [{ name: 'n', kind: 'number' as const }];
          return (await client.ai_tasks.create({ name, description: '', source_code, permissions: [], parameters })).task_id;
        });
        const may_start = await Promise.all(tasks);
        const { task_id: taskId } = await client.ai_tasks.create({
          ...{ name: `Lead ${lost} ${victim}`, description: '', source_code: LEAD, parameters: [] },
          ...{ permissions: ['tasks_start'], may_start },
        });
        await client.ai_tasks.update(taskId, { settings: { on_interrupt: 'resume', max_attempts: 10 } });
        // The third such call takes effect; its answer is lost, and its repeat waits for the kill.
        let calls = 0;
        const hold = holdAt(
          proxy,
          ({ method, path }) => {
            if (method === 'POST' && path.endsWith(lost)) calls += 1;
            return method === 'POST' && path.endsWith(lost) && calls >= 3;
          },
          { answersLost: 1 },
        );
        const { run_id: runId } = await client.ai_tasks.start_run(taskId, {});
        await hold.reached;
        if (victim === 'server') {
          await machines.server().stop('SIGKILL');
          await machines.startServer();
        } else {
          await runner.stop('SIGKILL');
          runner = machines.startRunner();
        }
        hold.release();
        proxy.decide(passAll);
        const run = await ended(client, taskId, runId, 300_000);
        assert.deepEqual([run.status, run.result], ['success', 2 * ((ROUNDS * (ROUNDS - 1)) / 2)], run.error_message ?? '');
        for (const id of may_start) {
          const started = await client.ai_tasks.list_runs(id);
          assert.deepEqual(started.map(({ parameters }) => parameters).sort(), NUMBERS);
          assert.deepEqual(new Set(started.map(({ started_by }) => started_by)), new Set([`run:${runId}`]));
          await client.ai_tasks.delete(id);
        }
      });
    }
}
