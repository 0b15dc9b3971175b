import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { onBothStores, startApp } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { type ClaimedRun, claimedRun, codeOf, field, makeTask } from '../helpers/runs.ts';
import { writeNothing } from '../helpers/stored-rows/faults.ts';
import { storeUsage } from '../helpers/stored-rows/runs.ts';

const PERMISSIONS = ['admin_api.customers.write', 'admin_api.orders.write'];
const SPENT = [409, 'dry_run_full'];

onBothStores('budgets of a dry run (DR5)', (app) => {
  async function dryRun(settings = {}): Promise<ClaimedRun> {
    return claimedRun(app(), { dry_run: true }, await makeTask(app(), { permissions: PERMISSIONS }, settings));
  }

  /** Changes what a planned note has read of its customer, so that its statements cannot just be repeated. */
  const touch = (id: number, phone: string) => app().client.customers.update(id, { phone });

  const spend = (run: ClaimedRun, records: number) => storeUsage(app().store, run.claim.lineage_id, { carried_out_again: records });

  test('dry_run_writes: a plan holds that many writes, a further one is 409 dry_run_full; a refused one does not count', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun({ limits: { dry_run_writes: 2 } });
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: '' })).status, 422);
    for (const body of ['a', 'b']) assert.equal((await run.call('POST', `/customers/${id}/notes`, { body })).status, 201);
    const full = await run.call('POST', `/customers/${id}/notes`, { body: 'c' });
    assert.deepEqual([...codeOf(full), field(full.body, 'budget')], [409, 'dry_run_full', 'dry_run_writes']);
    assert.equal((await run.call('GET', `/customers/${id}/notes`)).status, 200);
  });

  test('a dry run ends after 20,000 records changed again; a run that resumes it starts from 0', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun({ on_interrupt: 'hold' });
    await run.call('POST', `/customers/${id}/notes`, { body: 'a' });
    await spend(run, 19_999);
    assert.equal((await run.call('GET', `/customers/${id}/notes?_n=1`)).status, 200);
    await touch(id, '1');
    assert.equal((await run.call('GET', `/customers/${id}/notes`)).status, 200);
    await touch(id, '2');
    const full = await run.call('GET', `/customers/${id}`);
    assert.deepEqual([...codeOf(full), field(full.body, 'budget')], [409, 'dry_run_full', 'carried_out_again']);
    await run.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'budget' }]);
    const next = await claimedRun(app(), { resume_run_id: run.runId }, run.taskId);
    assert.equal(next.claim.run.dry_run, true);
    assert.equal((await next.call('GET', `/customers/${id}`)).status, 200);
  });

  test('a bulk write that is executed again counts once for each record; one whose statements are repeated does not count', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push((await makeOrder(app())).id);
    const run = await dryRun();
    const { status, body } = await run.call('POST', '/orders/bulk-status', { ids, status: 'shipped' });
    assert.equal(status, 200);
    assert.equal((await run.call('POST', '/orders/bulk-status', { ids: [999_999], status: 'shipped' })).status, 200, String(body));
    const touchAll = async (delivery_date: string) => {
      for (const id of [...ids]) await app().client.orders.update_delivery_date(id, { delivery_date });
    };
    await spend(run, 19_995);
    await touchAll('2030-01-01');
    assert.equal((await run.call('GET', `/orders/${ids[0]}`)).status, 200);
    await spend(run, 19_996);
    await touchAll('2030-01-02');
    const full = await run.call('GET', `/orders/${ids[1]}`);
    assert.deepEqual([...codeOf(full), field(full.body, 'budget')], [...SPENT, 'carried_out_again']);
    assert.match(String(field(full.body, 'detail')), /20000 records changed again/);
  });

  test('simultaneous calls of a dry run are carried out one after the other, and each write is planned once', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun();
    const bodies = Array.from({ length: 12 }, (_, n) => `note ${n}`);
    const made = await Promise.all(bodies.map((body) => run.call('POST', `/customers/${id}/notes`, { body })));
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [201]);
    assert.equal(new Set(made.map(({ body }) => field(body, 'id'))).size, bodies.length);
    const read = await run.call('GET', `/customers/${id}/notes`);
    assert.equal(Array.isArray(read.body) && read.body.length, bodies.length);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: null }]);
    const answers = await Promise.all(Array.from({ length: 3 }, () => app().request({ method: 'POST', path: `${run.path}/apply` })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    assert.deepEqual((await app().client.customers.list_notes(id)).map(({ body }) => body).sort(), bodies.sort());
  });
});

onBothStores(
  'time budget of a dry run',
  (app) => {
    test('DRY_RUN_TOTAL_MS bounds the time of all passes of a dry run together; other runs have no such bound', async () => {
      const { id } = await makeCustomer(app());
      const taskId = await makeTask(app(), { permissions: PERMISSIONS });
      /** Creates notes until one is refused, at most `most`. */
      const write = async (run: ClaimedRun, most: number) => {
        for (let n = 0; n < most; n++) {
          const answer = await run.call('POST', `/customers/${id}/notes`, { body: `${run.runId}/${n}` });
          if (answer.status !== 201) return { answer, made: n };
        }
        return { answer: null, made: most };
      };
      const run = await claimedRun(app(), { dry_run: true }, taskId);
      const { answer, made } = await write(run, 200);
      assert.ok(answer, 'two hundred passes took less than a millisecond');
      assert.deepEqual([...codeOf(answer), field(answer.body, 'budget'), made > 0], [...SPENT, 'dry_run_time', true], answer.text);
      assert.match(String(field(answer.body, 'detail')), /budget of 1 ms for all of its calls/);
      const again = await run.call('POST', `/customers/${id}/notes`, { body: 'again' });
      assert.deepEqual(codeOf(again), SPENT);
      assert.deepEqual(await app().client.customers.list_notes(id), []);

      const other = await claimedRun(app(), { dry_run: true }, taskId);
      assert.equal((await write(other, 1)).made, 1, 'another run has its own budget');
      assert.equal((await write(await claimedRun(app(), {}, taskId), 20)).made, 20);
    });
  },
  { env: { DRY_RUN_TOTAL_MS: '1' } },
);

test('a long pass is refused while others wait for the writer, and runs when nobody waits', { timeout: 300_000 }, async (t) => {
  const app = await startApp('sqlite', { env: { DRY_RUN_HOLD_MS: '1' } });
  t.after(() => app.close());
  // The deletion of old records waits for the writer in its first round, and would be one of those for whom a pass is refused.
  await app.firstRounds;
  const { id } = await makeCustomer(app);
  const taskId = await makeTask(app, { permissions: PERMISSIONS });
  const run = await claimedRun(app, { dry_run: true }, taskId);
  for (let n = 0; n < 200; n++) assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: String(n) })).status, 201);
  const reads = Array.from({ length: 8 }, (_, n) => run.call('GET', `/customers/${id}/notes?_n=${n}`));
  const own = await Promise.all([...reads, run.report([{ kind: 'log', line: 'still here' }])]);
  assert.deepEqual(
    own.map(({ status }) => status),
    [...reads.map(() => 200), 204],
    'calls and reports of the run itself refuse none of its passes',
  );
  let stopped = false;
  let written = 0;
  const others = Array.from({ length: 3 }, async () => {
    while (!stopped) {
      await writeNothing(app.store);
      written += 1;
      // SQLite answers synchronously: this pause lets the server handle other requests.
      await setImmediate();
    }
  });
  const refused = await run.call('GET', `/customers/${id}/notes`);
  stopped = true;
  await Promise.all(others);
  assert.deepEqual([...codeOf(refused), field(refused.body, 'budget')], [409, 'dry_run_full', 'writer_time'], refused.text);
  assert.match(String(field(refused.body, 'detail')), /budget of 1 ms at a time while others wait/);
  assert.ok(written >= 7, `the others wrote ${written} times`);
  assert.equal((await run.call('GET', `/customers/${id}/notes`)).status, 200);
});
