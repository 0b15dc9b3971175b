import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Run } from '../../contract/runs.ts';
import type { Passing } from '../helpers/fault-proxy.ts';
import { type Hold, holdAt } from '../helpers/hold.ts';
import { createTask, ended, killWorkers, type Machines, type RunnerMachine, startMachines, until } from '../helpers/machines.ts';
import { storeUsage } from '../helpers/stored-rows/runs.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const CUSTOMERS = 20;
const EPOCH_MAX_BYTES = 256 * 1024 * 1024;

/** A script that writes a note and a credit for each of 20 customers, with a checkpoint every 5 customers. */
const WELCOME = `
const { from } = parameters;
await admin_api.get('/customers?limit=3');
for (let n = last_checkpoint?.next ?? 0; n < ${CUSTOMERS}; n += 1) {
  const { body } = await admin_api.get('/customers/' + (from + n));
  await admin_api.post('/customers/' + (from + n) + '/notes', { body: 'Welcome ' + body.name });
  await admin_api.post('/customers/' + (from + n) + '/credits/adjust', { delta: n + 1 });
  if (n % 5 === 4) await checkpoint({ next: n + 1 });
}
`;

/** A script whose writes depend on a read before its checkpoint. When the run is resumed, that read is made again and not replayed. */
const FICKLE = `
const path = '/customers/' + parameters.customer;
const { body } = await admin_api.get(path);
if (!last_checkpoint) await checkpoint({ begun: true });
await admin_api.post(path + '/notes', { body: 'credits: ' + body.credits });
await admin_api.get(path + '/notes');
`;

/** A script whose clock must show the same time when it is resumed, although its first read is answered later this time. */
const TIMED = `
const path = '/customers/' + parameters.customer;
await admin_api.get(path);
if (!last_checkpoint) await checkpoint({ begun: true });
await admin_api.post(path + '/notes', { body: 'at ' + Date.now() + ' ' + Math.random() });
await admin_api.get(path + '/notes');
`;

const THREE_AT_ONCE = `
const path = '/customers/' + parameters.customer;
await Promise.all(['a', 'b', 'c'].map((body) => admin_api.post(path + '/notes', { body })));
await admin_api.get(path);
`;

describe('resumed from the checkpoint', { concurrency: true, timeout: 300_000 }, () => {
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

  for (const victim of ['worker', 'runner'] as const) {
    test(`if a ${victim} is killed after a write took effect and before its answer came, each write happens once`, async () => {
      const from = await fillWithCustomers(machines.store, CUSTOMERS);
      const hold = holdAt(machines.proxy, isPost(`/customers/${from + 12}/notes`), { answersLost: 1 });
      const { taskId, runId } = await open(WELCOME, { from });
      await hold.reached;
      const notes = await notesOf(from + 12);
      assert.equal(notes.length, 1);
      await kill(victim);
      const lost = await ended(machines.client, taskId, runId);
      assert.deepEqual([lost.status, lost.end_reason, lost.last_checkpoint], ['interrupted', `lost_${victim}`, '{"next":10}']);
      hold.release();
      const resumed = await resume(taskId, runId);
      assert.equal(resumed.status, 'success', `${resumed.error_message}`);
      await assertWelcomedOnce(from);
      const effects = [...(await effectPaths(taskId, runId)), ...(await effectPaths(taskId, resumed.id))];
      assert.equal(effects.length, 2 * CUSTOMERS);
      assert.equal(new Set(effects).size, 2 * CUSTOMERS);
    });
  }

  test('a resumed script that makes other calls writes nothing; if the journal is dropped, it goes on', async () => {
    const customer = await fillWithCustomers(machines.store, 1);
    const hold = holdAt(machines.proxy, isGet(`/customers/${customer}/notes`));
    const { taskId, runId } = await open(FICKLE, { customer });
    await killHeld(hold, taskId, runId);
    await machines.client.customers.adjust_credits(customer, { delta: 5 });
    const mismatched = await resume(taskId, runId);
    assert.deepEqual([mismatched.status, mismatched.end_reason], ['interrupted', 'resume_mismatch']);
    assert.match(String(mismatched.error_message), /credits: 0.*credits: 5/s);
    assert.deepEqual(await notesOf(customer), ['credits: 0']);
    assert.deepEqual(await effectPaths(taskId, mismatched.id), []);

    const dropped = await resume(taskId, mismatched.id, { journal: 'drop' });
    assert.equal(dropped.status, 'success', `${dropped.error_message}`);
    assert.deepEqual(await notesOf(customer), ['credits: 0', 'credits: 5']);
  });

  for (const [what, source] of Object.entries({ 'what it read': FICKLE, 'the clock and chance': TIMED })) {
    test(`a script that writes ${what} is resumed without a mismatch if nothing has changed`, async () => {
      const customer = await fillWithCustomers(machines.store, 1);
      const hold = holdAt(machines.proxy, isGet(`/customers/${customer}/notes`));
      const { taskId, runId } = await open(source, { customer });
      await killHeld(hold, taskId, runId);
      const before = await notesOf(customer);
      const resumed = await resume(taskId, runId);
      assert.equal(resumed.status, 'success', `${resumed.error_message}`);
      assert.equal(before.length, 1);
      assert.deepEqual(await notesOf(customer), before);
    });
  }

  for (const first of ['a', 'b', 'c']) {
    test(`if only "${first}" of three concurrent writes to one path took effect before the kill, there is no mismatch`, async () => {
      const customer = await fillWithCustomers(machines.store, 1);
      const isNote = isPost(`/customers/${customer}/notes`);
      const others = holdAt(machines.proxy, (passing) => isNote(passing) && passing.body !== `{"body":"${first}"}`, { held: 2 });
      const { taskId, runId } = await open(THREE_AT_ONCE, { customer });
      await others.reached;
      await untilNoted(customer);
      await killHeld(others, taskId, runId);
      // The write that has a stored answer comes last this time.
      const late = holdAt(machines.proxy, (passing) => isNote(passing) && passing.body === `{"body":"${first}"}`);
      const { run_id } = await machines.client.ai_tasks.start_run(taskId, { resume_run_id: runId });
      await late.reached;
      await late.othersAnswered(2);
      late.release();
      const resumed = await ended(machines.client, taskId, run_id);
      assert.equal(resumed.status, 'success', `${resumed.error_message}`);
      assert.deepEqual(await notesOf(customer), ['a', 'b', 'c']);
    });
  }

  test('a run is interrupted when its answers exceed what an epoch may store', async () => {
    const customer = await fillWithCustomers(machines.store, 1);
    // Even compressed, this is more than the server collects before it writes.
    const bodies = Array.from({ length: 16 }, () => randomBytes(6500).toString('base64'));
    for (const body of bodies) await machines.client.customers.create_note(customer, { body });
    const path = `/customers/${customer}/notes`;
    const hold = holdAt(machines.proxy, isGet(path));
    const { taskId, runId } = await open(`await admin_api.get('${path}'); await admin_api.post('${path}', { body: 'never' });`, {});
    await hold.reached;
    const run = machines.store.reader.selectFrom('runs').select('lineage_id').where('id', '=', runId);
    const { lineage_id } = await run.executeTakeFirstOrThrow();
    await storeUsage(machines.store, lineage_id, { journal_bytes: EPOCH_MAX_BYTES });
    hold.release();
    const full = await ended(machines.client, taskId, runId);
    assert.deepEqual([full.status, full.end_reason], ['interrupted', 'budget']);
    assert.ok(
      (await notesOf(customer)).every((body) => bodies.includes(body)),
      'the run wrote no note',
    );
  });

  async function open(source: string, parameters: Record<string, number>): Promise<{ taskId: number; runId: number }> {
    const taskId = await createTask(machines.client, source);
    const { run_id: runId } = await machines.client.ai_tasks.start_run(taskId, { parameters });
    return { taskId, runId };
  }

  async function kill(victim: 'worker' | 'runner'): Promise<void> {
    if (victim === 'worker') killWorkers(runner);
    else {
      await runner.stop('SIGKILL');
      runner = machines.startRunner();
    }
  }

  async function killHeld(hold: Hold, taskId: number, runId: number): Promise<void> {
    await hold.reached;
    await kill('worker');
    const { end_reason } = await ended(machines.client, taskId, runId);
    assert.equal(end_reason, 'lost_worker');
    hold.release();
  }

  async function resume(taskId: number, runId: number, more: { journal?: 'drop' } = {}): Promise<Run> {
    const { run_id } = await machines.client.ai_tasks.start_run(taskId, { resume_run_id: runId, ...more });
    assert.equal((await machines.client.ai_tasks.get_run(taskId, runId)).status, 'resumed');
    return ended(machines.client, taskId, run_id);
  }

  async function notesOf(customerId: number): Promise<string[]> {
    return (await machines.client.customers.list_notes(customerId)).map(({ body }) => body).sort();
  }

  function untilNoted(customerId: number): Promise<boolean> {
    return until('the first note is there', async () => (await notesOf(customerId)).length === 1);
  }

  async function effectPaths(taskId: number, runId: number): Promise<string[]> {
    return (await machines.client.ai_tasks.list_effects(taskId, runId)).map(({ method, path }) => `${method} ${path}`);
  }

  async function assertWelcomedOnce(from: number): Promise<void> {
    const ids = Array.from({ length: CUSTOMERS }, (_, n) => from + n);
    const notes = await machines.store.reader
      .selectFrom('customer_notes')
      .select('customer_id')
      .where('customer_id', '>=', from)
      .orderBy('customer_id')
      .execute();
    assert.deepEqual(
      notes.map(({ customer_id }) => customer_id),
      ids,
    );
    const ledger = await machines.store.reader
      .selectFrom('credit_transactions')
      .select(['customer_id', 'delta_credits'])
      .where('customer_id', '>=', from)
      .orderBy('customer_id')
      .execute();
    assert.deepEqual(
      ledger,
      ids.map((id, n) => ({ customer_id: id, delta_credits: n + 1 })),
    );
  }
}

function isPost(path: string): (passing: Passing) => boolean {
  return (passing) => passing.method === 'POST' && passing.path === `/admin/api${path}`;
}

function isGet(path: string): (passing: Passing) => boolean {
  return (passing) => passing.method === 'GET' && passing.path === `/admin/api${path}`;
}
