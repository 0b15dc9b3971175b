import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldTimes, WriterSlot } from '../../server/calls/dry-run/writer-slot.ts';
import { onBothStores, startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';
import { leaveMark, writeNothing } from '../helpers/stored-rows/faults.ts';
import { createDatabase } from '../helpers/stores.ts';

const PERMISSIONS = ['admin_api.customers.write'];

/** The writes of dry runs that this server has made, by how. */
async function counted(app: TestApp): Promise<Record<string, number>> {
  const { text } = await app.request({ method: 'GET', path: '/metrics' });
  return Object.fromEntries([...text.matchAll(/dry_run_writes_total\{how="(\w+)"\} (\d+)/g)].map(([, how, n]) => [how, Number(n)]));
}

async function succeed(run: ClaimedRun): Promise<void> {
  const { status } = await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: null }]);
  assert.equal(status, 204);
}

onBothStores('passes of dry runs', (app, engine) => {
  const dryRun = async (settings = {}) =>
    claimedRun(app(), { dry_run: true }, await makeTask(app(), { permissions: PERMISSIONS }, { on_interrupt: 'resume', ...settings }));
  const notes = async (id: number) => (await app().client.customers.list_notes(id)).map(({ body }) => body).sort();

  test('an earlier write is executed again only if what it read has changed', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun();
    const before = await counted(app());
    const added = async () => {
      const now = await counted(app());
      return ['planned', 'executed'].map((how) => (now[how] ?? 0) - (before[how] ?? 0));
    };
    for (let n = 0; n < 20; n++) assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: String(n) })).status, 201);
    // Another client's write ends the pass, and changes nothing that the planned writes read.
    await app().client.customers.create_note((await makeCustomer(app())).id, { body: 'other' });
    assert.equal((await run.call('GET', `/customers/${id}/notes`)).status, 200);
    assert.deepEqual(await added(), [20, 0]);
    await app().client.customers.update(id, { phone: '1' });
    assert.equal((await run.call('GET', `/customers/${id}/notes?_n=1`)).status, 200);
    assert.deepEqual(await added(), [20, 20]);
    await succeed(run);
    assert.deepEqual(await notes(id), []);
    assert.equal((await app().request({ method: 'POST', path: `${run.path}/apply` })).status, 201);
    assert.equal((await notes(id)).length, 20);
  });

  test('a call sees what other clients have written since the call before', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun();
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'planned' })).status, 201);
    await app().client.customers.create_note(id, { body: 'real' });
    const read = await run.call('GET', `/customers/${id}/notes`);
    assert.deepEqual(Array.isArray(read.body) && read.body.map((note) => field(note, 'body')).sort(), ['planned', 'real']);
  });

  test('two dry runs at once both get on, and each has its own plan', async () => {
    const { id } = await makeCustomer(app());
    const [first, second] = [await dryRun(), await dryRun()];
    const write = async (run: ClaimedRun, name: string) => {
      for (let n = 0; n < 15; n++) assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: `${name}${n}` })).status, 201);
      const read = await run.call('GET', `/customers/${id}/notes`);
      assert.deepEqual(new Set(Array.isArray(read.body) ? read.body.map((note) => String(field(note, 'body'))[0]) : []), new Set([name]));
      await succeed(run);
    };
    await Promise.all([write(first, 'a'), write(second, 'b')]);
    for (const run of [first, second]) assert.equal((await app().request({ method: 'POST', path: `${run.path}/apply` })).status, 201);
    assert.equal((await notes(id)).length, 30);
  });

  test('a repeated call gets its answer also while its pass has not ended, and is planned once', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun();
    const answers = await Promise.all(Array.from({ length: 3 }, () => run.call('POST', `/customers/${id}/notes`, { body: 'once' })));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    await succeed(run);
    assert.equal((await app().client.ai_tasks.list_effects(run.taskId, run.runId)).length, 1);
  });

  test('revoking the version between two calls fences the next one', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun();
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'x' })).status, 201);
    const { version_id } = await app().client.ai_tasks.get_run(run.taskId, run.runId);
    await app().client.ai_tasks.revoke_version(run.taskId, version_id);
    assert.ok([401, 409].includes((await run.call('POST', `/customers/${id}/notes`, { body: 'y' })).status));
    assert.deepEqual(await notes(id), []);
  });

  test('where a server died in a pass, neither calls nor reports of that attempt go on, and the next attempt does', async () => {
    const { id } = await makeCustomer(app());
    const run = await dryRun();
    const [{ id: claimId } = { id: 0 }] = await app()
      .store.reader.selectFrom('run_claims')
      .select('id')
      .where('run_id', '=', run.runId)
      .execute();
    await leaveMark(app().store, claimId, 60_000);
    const note = () => run.call('POST', `/customers/${id}/notes`, { body: 'x' });
    assert.deepEqual(codeOf(await note()), [503, 'busy'], 'another server may be answering a call of the run');
    await leaveMark(app().store, claimId, -1);
    assert.deepEqual(codeOf(await note()), [409, 'run_fenced']);
    assert.deepEqual(codeOf(await run.call('GET', `/customers/${id}`)), [409, 'run_fenced']);
    const finalize = { kind: 'finalize', status: 'success', end_reason: 'completed', result: null };
    assert.deepEqual(codeOf(await run.report([finalize])), [409, 'run_fenced']);
    await lapse(app(), run);
    const next = { ...run, ...(await claimRun(app(), run)) };
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: 'x' })).status, 201);
    await succeed(next);
    assert.equal((await app().client.ai_tasks.list_effects(run.taskId, run.runId)).length, 1);
  });

  test('a server that stops stores the answers that it has given', async () => {
    const database = await createDatabase(engine);
    const first = await startApp(engine, { databaseUrl: database.url });
    const { id } = await makeCustomer(first);
    const taskId = await makeTask(first, { permissions: PERMISSIONS });
    const run = await claimedRun(first, { dry_run: true }, taskId);
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'x' })).status, 201);
    await first.close();
    const second = await startApp(engine, { databaseUrl: database.url });
    try {
      assert.equal((await second.client.ai_tasks.list_effects(taskId, run.runId)).length, 1);
      assert.deepEqual(await second.store.reader.selectFrom('leases').selectAll().where('name', 'like', 'dry run%').execute(), []);
    } finally {
      await second.close();
      await database.drop();
    }
  });
});

test('other clients write between the calls of a dry run that never pauses', async (t) => {
  const app = await startApp('sqlite', { env: { DRY_RUN_HOLD_MS: '5' } });
  t.after(() => app.close());
  const { id } = await makeCustomer(app);
  const run = await claimedRun(app, { dry_run: true }, await makeTask(app, { permissions: PERMISSIONS }));
  const order: string[] = [];
  const calls = Array.from({ length: 40 }, async (_, n) => {
    assert.ok((await run.call('GET', `/customers/${id}/notes?_n=${n}`)).status === 200);
    order.push('call');
  });
  const write = run.call('POST', `/customers/${id}/notes`, { body: 'x' }).then(() => order.push('call'));
  await writeNothing(app.store).then(() => order.push('other'));
  await Promise.all([...calls, write]);
  assert.ok(order.indexOf('other') < order.length - 1, order.join());
});

/** The cost of a dry run of so many writes on a clock that only work moves. `stepMs`: one call; `againMs`: one earlier write, repeated. */
async function costOf(writes: number, { stepMs, againMs, isWaitedFor }: { stepMs: number; againMs: number; isWaitedFor: boolean }) {
  let nowMs = 0;
  let longestMs = 0;
  const services = { config: { dryRunHoldMs: 50, dryRunTotalMs: 1e9 }, store: { waitingWrites: () => (isWaitedFor ? 1 : 0) } };
  for (let made = 0; made < writes; ) {
    const beganMs = nowMs;
    const slot = new WriterSlot({ services, runId: 1, heldTimes: new HeldTimes(), now: () => nowMs });
    nowMs += made * againMs;
    slot.established();
    do {
      made += 1;
      nowMs += stepMs;
    } while (made < writes && !(await slot.isOver(async () => isWaitedFor)));
    longestMs = Math.max(longestMs, nowMs - beganMs);
  }
  return { eachMs: nowMs / writes, longestMs };
}

test('the cost of a write does not grow with the plan, and others wait no longer than the time of a slot and one call', async () => {
  const slow = { stepMs: 4, againMs: 0.3, isWaitedFor: false };
  assert.ok((await costOf(800, slow)).eachMs / (await costOf(50, slow)).eachMs < 1.5);
  assert.ok((await costOf(10_000, slow)).eachMs / (await costOf(50, slow)).eachMs < 1.5);
  const beside = { stepMs: 4, againMs: 0.03, isWaitedFor: true };
  const [few, many] = [await costOf(50, beside), await costOf(800, beside)];
  assert.ok(many.eachMs / few.eachMs < 1.5, `${many.eachMs} / ${few.eachMs}`);
  assert.ok(Math.max(few.longestMs, many.longestMs) <= 50 + 4);
});

test('a pass ends after its time if somebody waits for it, else after a multiple of what the earlier writes took', async () => {
  let nowMs = 0;
  const services = { config: { dryRunHoldMs: 50, dryRunTotalMs: 1e9 }, store: { waitingWrites: () => 0 } };
  const slot = new WriterSlot({ services, runId: 1, heldTimes: new HeldTimes(), now: () => nowMs });
  nowMs = 20;
  slot.established();
  const isOver = (isWaitedFor: boolean) => slot.isOver(async () => isWaitedFor);
  nowMs = 49;
  assert.equal(await isOver(true), false);
  nowMs = 50;
  assert.deepEqual([await isOver(true), await isOver(false)], [true, false]);
  nowMs = 80;
  assert.equal(await isOver(false), true, 'four times as long as the earlier writes took');
});
