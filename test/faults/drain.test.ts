import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Passing } from '../helpers/fault-proxy.ts';
import { holdAt } from '../helpers/hold.ts';
import { createTask, ended, type Machines, startMachines, until } from '../helpers/machines.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const CUSTOMERS = 40;
/** Longer than a server takes to start again on a busy machine. */
const LEASE_SECONDS = '15';

/** A script with a checkpoint after each customer, which takes about three seconds. */
const SLOWLY = `
const { from } = parameters;
for (let n = last_checkpoint?.next ?? 0; n < ${CUSTOMERS}; n += 1) {
  await admin_api.post('/customers/' + (from + n) + '/notes', { body: 'Hello' });
  await sleep(60);
  await checkpoint({ next: n + 1 });
}
`;

describe('SIGTERM', { concurrency: true, timeout: 480_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(() => startMachines(engine, { LEASE_SECONDS })));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  before(async () => {
    machines = await start();
  });
  after(() => machines.close());

  test('to the runner: the run ends at its checkpoint, no other run is begun, and the daemon exits with 0', async () => {
    const { client } = machines;
    const from = await fillWithCustomers(machines.store, CUSTOMERS);
    const runner = machines.startRunner();
    const taskId = await createTask(client, SLOWLY);
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from } });
    await untilNotes(from, 3);
    const stopped = runner.stop();
    await until('the runner drains', () => runner.lines.some((line) => line.includes('the runner stops')));
    const { run_id: later } = await client.ai_tasks.start_run(taskId, { parameters: { from } });
    await stopped;
    assert.equal(await runner.exited, 0);
    const run = await ended(client, taskId, runId);
    assert.deepEqual([run.status, run.end_reason], ['interrupted', 'drained']);
    const { next } = checkpointOf(run.last_checkpoint);
    assert.ok(next >= 3 && next < CUSTOMERS);
    // The run ended with the checkpoint: nothing was written after it.
    assert.equal((await notesFrom(from)).length, next);
    const waiting = await client.ai_tasks.get_run(taskId, later);
    // A request for work that the runner gave up may still get the other run. That run is not begun, and is offered again after 5 s.
    assert.deepEqual([waiting.status, waiting.attempt, waiting.log], ['running', 1, '']);
    await client.ai_tasks.cancel_run(taskId, later);

    machines.startRunner();
    const { run_id: resumed } = await client.ai_tasks.start_run(taskId, { resume_run_id: runId });
    assert.equal((await ended(client, taskId, resumed)).status, 'success');
    assert.deepEqual(await notesFrom(from), idsFrom(from));
  });

  test('to the runner, with on_interrupt resume: another runner finishes the same run', async () => {
    const { client } = machines;
    const from = await fillWithCustomers(machines.store, CUSTOMERS);
    const other = machines.startRunner();
    const taskId = await createTask(client, SLOWLY, { on_interrupt: 'resume' });
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from } });
    await untilNotes(from, 3);
    const { claimed_by } = await client.ai_tasks.get_run(taskId, runId);
    const owner = machines.runners().find(({ name }) => name === claimed_by);
    assert.ok(owner);
    await owner.stop();
    assert.equal(await owner.exited, 0);
    if (owner === other) machines.startRunner();
    const run = await ended(client, taskId, runId);
    assert.deepEqual([run.status, run.attempt], ['success', 2], `${run.error_message}`);
    assert.notEqual(run.claimed_by, claimed_by);
    assert.match(run.log, /attempt 2 from checkpoint \d+/);
    assert.deepEqual(await notesFrom(from), idsFrom(from));
  });

  test('to the server: it completes the answer in flight and exits with 0, and the run goes on with the next server', async () => {
    const { client } = machines;
    const from = await fillWithCustomers(machines.store, CUSTOMERS);
    machines.startRunner();
    const taskId = await createTask(client, SLOWLY);
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from } });
    await untilNotes(from, 3);
    const answered: Promise<string>[] = Array.from(
      { length: 8 },
      async (_, n) => (await client.customers.create_note(from, { body: `beside ${n}` })).body,
    );
    const server = machines.server();
    await server.stop();
    assert.equal(await server.exited, 0);
    await machines.startServer();
    assert.deepEqual(
      await Promise.all(answered),
      answered.map((_, n) => `beside ${n}`),
    );
    const run = await ended(client, taskId, runId);
    assert.deepEqual([run.status, run.attempt], ['success', 1], `${run.error_message}`);
    const notes = await notesFrom(from);
    assert.deepEqual(
      notes.filter((id) => id !== from),
      idsFrom(from).slice(1),
    );
    assert.equal(notes.length, CUSTOMERS + 8);
  });

  test('to the server after an answer was lost: the next server gives the stored answer', async () => {
    const { client, proxy } = machines;
    const from = await fillWithCustomers(machines.store, CUSTOMERS);
    const hold = holdAt(proxy, isNote(from + 5), { answersLost: 1 });
    const taskId = await createTask(client, SLOWLY);
    const { run_id: runId } = await client.ai_tasks.start_run(taskId, { parameters: { from } });
    await hold.reached;
    await machines.server().stop();
    await machines.startServer();
    hold.release();
    const run = await ended(client, taskId, runId);
    assert.deepEqual([run.status, run.attempt], ['success', 1], `${run.error_message}`);
    assert.deepEqual(await notesFrom(from), idsFrom(from));
  });

  async function notesFrom(from: number): Promise<number[]> {
    const { store } = machines;
    const notes = await store.reader
      .selectFrom('customer_notes')
      .select('customer_id')
      .where('customer_id', '>=', from)
      .orderBy('customer_id')
      .execute();
    return notes.map(({ customer_id }) => customer_id);
  }

  function untilNotes(from: number, count: number): Promise<boolean> {
    return until(`${count} notes`, async () => (await notesFrom(from)).length >= count);
  }
}

function idsFrom(from: number): number[] {
  return Array.from({ length: CUSTOMERS }, (_, n) => from + n);
}

function isNote(customerId: number): (passing: Passing) => boolean {
  return ({ method, path }) => method === 'POST' && path === `/admin/api/customers/${customerId}/notes`;
}

function checkpointOf(text: string | null): { next: number } {
  const value: unknown = JSON.parse(text ?? 'null');
  assert.ok(typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'number');
  return { next: value.next };
}
