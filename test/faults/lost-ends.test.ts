import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { passAll } from '../helpers/fault-proxy.ts';
import { claimsInForce, createTask, type Machines, startMachines, until } from '../helpers/machines.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const RUNS = 30;
/** One write, whose note shows whether the run took effect once. */
const SOURCE = `await admin_api.post('/customers/' + parameters.id + '/notes', { body: 'once' });`;
const isEnd = ({ path }: { path: string }): boolean => path.endsWith('/end');

describe('RN4: the report of an end that brings the next run, when it or its answer is lost', { timeout: 480_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) {
    test(`each run is begun and ends once [${engine}]`, async () => {
      const machines = await startMachines(engine, { CLAIM_CONFIRM_SECONDS: '1', LEASE_SECONDS: '15' });
      try {
        await loseEnds(machines);
      } finally {
        await machines.close();
      }
    });
  }
});

/** Of the ends, every third one is lost before the server and every third one after it; the server is killed after one of them, a runner after another. */
async function loseEnds({ client, store, proxy, server, startServer, startRunner }: Machines): Promise<void> {
  const from = await fillWithCustomers(store, RUNS);
  const taskId = await createTask(client, SOURCE, { on_interrupt: 'resume', max_attempts: 10 });
  for (let n = 0; n < RUNS; n += 1) await client.ai_tasks.start_run(taskId, { parameters: { id: from + n } });
  let ends = 0;
  const serverIsToDie = Promise.withResolvers<void>();
  const runnerIsToDie = Promise.withResolvers<void>();
  proxy.decide((passing) => {
    if (!isEnd(passing)) return 'pass';
    ends += 1;
    if (ends === 8) serverIsToDie.resolve();
    if (ends === 20) runnerIsToDie.resolve();
    return ends === 8 || ends === 20 || ends % 3 === 0 ? 'cut_after' : ends % 3 === 1 ? 'cut_before' : 'pass';
  });
  const runner = startRunner();
  await serverIsToDie.promise;
  await server().stop('SIGKILL');
  await startServer();
  await runnerIsToDie.promise;
  await runner.stop('SIGKILL');
  startRunner();
  const runs = () => client.ai_tasks.list_runs(taskId, { limit: 100 });
  await until('all runs have ended', async () => (await runs()).every(({ status }) => status !== 'running'));
  proxy.decide(passAll);
  const ended = await runs();
  assert.equal(ended.length, RUNS);
  assert.deepEqual(
    ended.filter(({ status }) => status !== 'success').map(({ id, status, error_message }) => ({ id, status, error_message })),
    [],
  );
  const again = ended.filter(({ attempt }) => attempt > 1).length;
  assert.ok(again <= 2, `only what the killed runner had begun, at most 2 runs, takes another attempt, not ${again}`);
  assert.ok(proxy.cuts.cut_after >= 5 && proxy.cuts.cut_before >= 5, JSON.stringify(proxy.cuts));
  const notes = await store.reader.selectFrom('customer_notes').select('customer_id').where('customer_id', '>=', from).execute();
  assert.deepEqual(
    notes.map(({ customer_id }) => customer_id).toSorted((a, b) => a - b),
    Array.from({ length: RUNS }, (_, n) => from + n),
  );
  assert.deepEqual(await claimsInForce(store), []);
}
