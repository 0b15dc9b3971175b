import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type FaultProxy, openFaultProxy } from '../helpers/fault-proxy.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { emptyQueue, makeTask } from '../helpers/runs.ts';

/** Each of the concurrent reads on the right is held back until the one on its left is answered; a note tells how many were written before it. */
const LANES = `
const path = '/customers/' + parameters.id;
await once('made', () => admin_api.get(path));
await Promise.all([admin_api.get(path), admin_api.get('/customers?search=later')]);
let written = 0;
const lane = async (name) => {
  await admin_api.get('/customers?search=' + name);
  written += 1;
  await admin_api.post(path + '/notes', { body: name + written });
};
await Promise.all([lane('first'), lane('second'), lane('third')]);
`;

/** The other note is written while the answer to `once` is on its way, so it is none of the calls for the value. */
const BESIDE = `
const path = '/customers/' + parameters.id;
const note = (body) => admin_api.post(path + '/notes', { body });
await Promise.all([
  admin_api.get('/customers?search=beside').then(() => note('beside')),
  once('made', () => note('made')),
]);
`;

const SLEEPS = `
const path = '/customers/' + parameters.id + '/notes';
const began = Date.now();
await once('made', () => sleep(1000));
await sleep(1500);
await admin_api.post(path, { body: 'slept ' + (Date.now() - began >= 2500) });
`;

onBothStores('JO11: an attempt that gets a value of once', (app) => {
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

  const notes = async (id: number) => (await app().client.customers.list_notes(id)).map(({ body }) => body).reverse();

  async function finish(source_code: string, id: number, fate: Fate) {
    await emptyQueue(app());
    const settings = { on_interrupt: 'resume' as const, max_attempts: 10 };
    const taskId = await makeTask(app(), { source_code, permissions: ['admin_api.customers.write'] }, settings);
    const { run_id } = await app().client.ai_tasks.start_run(taskId, { parameters: { id } });
    const run = await runner.finish(taskId, run_id, fate);
    assert.equal(run.status, 'success', `${run.error_message}\n${run.log}`);
    return run;
  }

  test('and an attempt after it get the other answers in the order of the first', async () => {
    const { id } = await makeCustomer(app());
    const later = Promise.withResolvers<void>();
    const lanes = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
    proxy.decide(async ({ path }): Promise<'pass'> => {
      if (path.endsWith('search=later')) await later.promise;
      if (path.endsWith('search=second')) await lanes.first.promise;
      if (path.endsWith('search=third')) await lanes.second.promise;
      return 'pass';
    });
    let reads = 0;
    const kills: (keyof typeof lanes)[] = ['first', 'second'];
    const run = await finish(LANES, id, (message) => {
      const answer = message.type === 'answer' ? (message.value ?? '') : '';
      if (answer.includes(`"body":{"id":${id},`)) reads += 1;
      if (reads === 2) later.resolve();
      const [next] = kills;
      if (next === undefined || !answer.includes(`"body":"${next}`)) return false;
      kills.shift();
      lanes[next].resolve();
      return true;
    });
    assert.equal(run.attempt, 3);
    assert.deepEqual(await notes(id), ['first1', 'second2', 'third3']);
  });

  test('does not take a call for its own that was made while the answer was kept back', async () => {
    const { id } = await makeCustomer(app());
    const beside = Promise.withResolvers<void>();
    let attempt = 1;
    let asked = Promise.withResolvers<void>();
    proxy.decide(async ({ path }): Promise<'pass'> => {
      if (path.endsWith('/memory')) {
        asked.resolve();
        if (attempt === 1) await beside.promise;
      }
      if (path.endsWith('search=beside') && attempt > 1) {
        await asked.promise;
        await until('the answer to once is there', () => proxy.inFlight() === 1);
      }
      return 'pass';
    });
    const kills = ['"body":"made"', '"stored":true'];
    const run = await finish(BESIDE, id, (message) => {
      const answer = message.type === 'answer' ? (message.value ?? '') : '';
      if (answer.includes('"body":"beside"')) beside.resolve();
      if (kills[0] === undefined || !answer.includes(kills[0])) return false;
      kills.shift();
      attempt += 1;
      asked = Promise.withResolvers<void>();
      return true;
    });
    assert.equal(run.attempt, 3);
    assert.deepEqual(await notes(id), ['beside', 'made']);
  });

  test('sleeps as long as one that makes the value', async () => {
    const { id } = await makeCustomer(app());
    let sleeps = 0;
    const run = await finish(SLEEPS, id, (message) => {
      if (message.type !== 'call' || message.operation !== 'sleep') return false;
      sleeps += 1;
      return sleeps === 2;
    });
    assert.equal(run.attempt, 2);
    assert.deepEqual(await notes(id), ['slept true']);
  });
});
