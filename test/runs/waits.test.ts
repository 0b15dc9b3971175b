import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '../../contract/runs.ts';
import { waitEnder } from '../../server/automation/run-waits/waking.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Fate, openFaultProxy } from '../helpers/fault-proxy.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { emptyQueue, makeTask } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { letSleepEnd } from '../helpers/stored-rows/automation.ts';
import { success, waitingRuns } from '../helpers/waiting-runs.ts';

const YEAR_MS = 366 * 86_400_000;

onBothStores('scripts that wait for events and times', (app) => {
  const tasks = () => app().client.ai_tasks;
  const { inProcess, outcome } = waitingRuns(app);

  test('a sleep gives the worker back, takes no wall time, and the log tells everything once', async () => {
    let parked: Run | undefined;
    const run = await outcome(
      `log('a'); const before = Date.now(); await sleep(1500); log('b');
       await Promise.all([new Promise((done) => setTimeout(done, 1000)), admin_api.get('/customers?limit=1')]); log('c');
       export default () => Date.now() - before`,
      { reason: 'sleep', meanwhile: async (one) => (parked = one) },
    );
    success(run);
    assert.deepEqual(
      run.lines.filter((line) => line !== 'undefined'),
      ['a', 'b', 'c'],
    );
    assert.equal(run.log.match(/"admin_api"/g)?.length, 1);
    assert.ok(Number(run.result) >= 2500 && Number(run.result) < 20_000, `${run.result}`);
    const claims = await app().store.reader.selectFrom('run_claims').select('wall_ms').where('run_id', '=', run.id).execute();
    assert.equal(claims.length, 3);
    const tookMs = Date.parse(run.finished_at ?? '') - Date.parse(run.started_at);
    assert.ok(Math.max(...claims.map(({ wall_ms }) => wall_ms)) <= tookMs - 2400, JSON.stringify([tookMs, claims]));
    assert.deepEqual([parked?.status, parked?.claimed_by, parked?.waiting_for], ['running', null, null]);
    assert.ok(Math.abs(Date.parse(parked?.waiting_until ?? '') - Date.parse(run.started_at)) < 30_000, `${parked?.waiting_until}`);
  });

  test('what a script says while a value of `once` is made counts no more once it is stored, so nothing later is left out', async () => {
    const run = await outcome(
      `const make = (name) => once(name, async () => { log(name); progress(1, 9); return (await admin_api.get('/customers?limit=1')).status; });
       log('a'); await make('first');
       await once('slow', async () => { log('slow'); await sleep(1000); return 1; });
       await make('second'); log('b');
       await sleep(1000);
       describe('told'); details('# told'); progress(3, 9, 'late'); log('c'); await admin_api.get('/customers?limit=2');`,
    );
    success(run);
    assert.deepEqual(
      run.lines.filter((line) => line !== 'undefined'),
      ['a', 'first', 'slow', 'second', 'b', 'c'],
    );
    assert.equal(run.log.match(/"admin_api"/g)?.length, 3);
    assert.deepEqual([run.description, run.progress?.label], ['told', 'late']);
  });

  test('a script whose values come of its own clock and chance goes the same way after each sleep', async () => {
    const { id } = await makeCustomer(app());
    const run = await outcome(
      `const path = '/customers/' + parameters.id;
       const note = (...parts) => admin_api.post(path + '/notes', { body: parts.join(' ') });
       const top = [Date.now(), Math.random(), crypto.randomUUID(), performance.now(), new Date().toISOString()];
       const { body: first } = await admin_api.get(path + '/credits');
       await note('top', ...top, first.credits);
       await admin_api.post(path + '/credits/adjust', { delta: 1 });
       for (let i = 0; i < 2; i++) { await note('loop', i, Date.now(), Math.random()); await sleep(1000); }
       await Promise.all([sleep(1100), note('beside', Date.now(), Math.random()), admin_api.get('/customers?limit=1')]);
       const ticks = [];
       await new Promise((done) => { const tick = () => ticks.push(Date.now()) < 2 ? setTimeout(tick, 1000) : done(); setTimeout(tick, 1000); });
       await note('ticks', ...ticks, top[2]);
       await sleep(20);
       await note('short', Date.now());
       const { body: last } = await admin_api.get(path + '/credits?_n=2');
       export default () => [first.credits, last.credits, Date.now() - top[0] >= 5000, top]`,
      { body: { parameters: { id } } },
    );
    success(run);
    const notes = (await app().client.customers.list_notes(id)).map(({ body }) => body).reverse();
    assert.deepEqual(
      notes.map((body) => body.split(' ')[0]),
      ['top', 'loop', 'loop', 'beside', 'ticks', 'short'],
    );
    const [from, to, isLater, top] = Array.isArray(run.result) ? run.result : [];
    assert.deepEqual([from, to, isLater], [0, 1, true]);
    assert.equal(notes[0], ['top', ...(Array.isArray(top) ? top : []), 0].join(' '));
  });

  test('a script that stores checkpoints and begins from none of them goes on after short sleeps as if there were none', async () => {
    const { id } = await makeCustomer(app());
    const run = await outcome(
      `const note = (...parts) => admin_api.post('/customers/' + parameters.id + '/notes', { body: parts.join(' ') });
       for (let i = 0; i < 2; i++) { await note('at', i, Date.now(), Math.random()); await checkpoint({ i }); await sleep(1000); }`,
      { body: { parameters: { id } } },
    );
    success(run);
    const notes = (await app().client.customers.list_notes(id)).map(({ body }) => body).reverse();
    assert.deepEqual(
      notes.map((body) => body.slice(0, 4)),
      ['at 0', 'at 1'],
    );
  });

  test('a wait that is slow on its way comes before the checkpoint that the script stores after it', async () => {
    const proxy = await openFaultProxy(Number(new URL(app().url).port));
    const runner = openInProcessRunner(app(), { url: proxy.url });
    const SLOW_MS = 300;
    proxy.decide(async ({ path }): Promise<Fate> => {
      if (path.endsWith('/waits')) await delay(SLOW_MS);
      return 'pass';
    });
    try {
      await emptyQueue(app());
      const source = `setTimeout(() => log('never'), 600_000); void waitFor('signal:never'); await checkpoint({}); log('stored');`;
      const taskId = await makeTask(app(), { source_code: source });
      const { run_id: runId } = await tasks().start_run(taskId);
      const { status, log, error_message } = await runner.finish(taskId, runId);
      assert.equal(status, 'success', error_message ?? '');
      assert.match(log, /waits for signal:never.*\n(.*\n)*.*"stored"/);
    } finally {
      await runner.close();
      await proxy.close();
    }
  });

  test('an event wakes a wait once, each of two waits for it, and none that asks for another', async () => {
    const source = `
      const own = waitFor('customer.created', { match: { customer_id: parameters.id }, timeout: 86_400_000 });
      const any = waitFor('customer.created', { timeout: ${YEAR_MS} });
      const other = waitFor('customer.created', { match: { customer_id: [1e9, 2e9] }, timeout: 6000 });
      export default async () => (await Promise.all([own, any, other])).map((event) => event && [event.type, event.data.customer_id])`;
    const { id } = await makeCustomer(app());
    const open: (string | null)[] = [];
    const run = await outcome(source, {
      body: { parameters: { id: id + 1 } },
      async meanwhile(parked) {
        for (const { event, match } of await tasks().list_waits(parked.task_id, parked.id)) open.push(event, JSON.stringify(match));
        assert.deepEqual([parked.waiting_for, parked.claimed_by], ['customer.created', null]);
        assert.equal((await makeCustomer(app())).id, id + 1);
        await makeCustomer(app());
      },
    });
    success(run);
    assert.deepEqual(open, [
      ...['customer.created', '{"customer_id":[1000000000,2000000000]}', 'customer.created', `{"customer_id":${id + 1}}`],
      ...['customer.created', '{}'],
    ]);
    assert.deepEqual(run.result, [['customer.created', id + 1], ['customer.created', id + 1], null]);
    assert.match(run.log, /customer\.created came: the run goes on from checkpoint 0/);
  });

  test('an event since the start counts where the script says so, each once', async () => {
    const made = (n: number) =>
      `await admin_api.post('/customers', { email: 'since' + ${n} + '-' + crypto.randomUUID() + '@example.com', name: 'S' });`;
    const run = await outcome(`if (!last_checkpoint) { ${made(1)} ${made(2)} }
      const found = [];
      for (let i = 0; i < 3; i++) {
        const event = await waitFor('customer.created', { since: 'start', timeout: 0 });
        found.push(event && event.data.customer_id);
        if (i === 0) await checkpoint({ i });
      }
      const now = await waitFor('customer.created', { timeout: 0 });
      export default () => [found[0] < found[1], found[2], now]`);
    success(run);
    assert.deepEqual(run.result, [true, null, null]);
  });

  test('killed at each call and answer, a run gets each event once and does everything once', async () => {
    let kills = 0;
    const seen = new Set<string>();
    const { id } = await makeCustomer(app());
    let first = 0;
    const run = await outcome(
      `const note = (body) => admin_api.post('/customers/' + parameters.id + '/notes', { body });
       const event = await waitFor('customer.created', { match: { customer_id: parameters.id + 1 } });
       await note('first ' + event.data.customer_id); await sleep(1000);
       const late = await waitFor('customer.created', { timeout: 500 });
       await note('late ' + late); export default () => event.id`,
      {
        body: { parameters: { id } },
        fate(message) {
          const point =
            'operation' in message ? `call ${message.operation} ${message.payload.slice(0, 60)}` : `answer ${message.value?.slice(0, 40)}`;
          if (seen.has(point)) return false;
          seen.add(point);
          kills += 1;
          return kills % 2 === 0 ? 'runner' : true;
        },
        async meanwhile() {
          first = (await makeCustomer(app())).id;
        },
      },
    );
    success(run);
    assert.ok(kills >= 8, `${kills}`);
    const notes = (await app().client.customers.list_notes(id)).map(({ body }) => body).reverse();
    assert.deepEqual(notes, [`first ${first}`, 'late null']);
    const { rows } = {
      rows: await app().store.reader.selectFrom('run_prompts').select(['answered_at', 'wakes']).where('run_id', '=', run.id).execute(),
    };
    assert.equal(rows.filter(({ answered_at }) => answered_at === null).length, 0);
  });

  test('a dry run waits for nothing: it gets the sample or null, and its clock moves on', async () => {
    const run = await outcome(
      `const times = [Date.now()];
       const paid = await waitFor('customer.created', { sample: { data: { customer_id: 7 } } }); times.push(Date.now());
       const none = await waitFor('customer.created', { timeout: 5000 }); times.push(Date.now());
       await sleep(30 * 86_400_000); times.push(Date.now());
       const signal = AbortSignal.timeout(60_000);
       await admin_api.get('/customers?limit=1');
       export default () => [paid.data.customer_id, none, signal.aborted, times[2] - times[1] >= 5000, Math.round((times[3] - times[2]) / 86_400_000)]`,
      { body: { dry_run: true } },
    );
    success(run);
    assert.deepEqual(run.result, [7, null, false, true, 30]);
  });

  test('a replay of a run that waited takes no time and goes the same way', async () => {
    const run = await outcome(
      `await sleep(1200); const event = await waitFor('customer.created'); log(event.data.customer_id);
       export default () => [event.id, Date.now()]`,
      { body: { record: true }, meanwhile: () => makeCustomer(app()) },
    );
    success(run);
    const { run_id } = await app().client.replays.start(run.task_id, run.id, {});
    const replay = await inProcess().finish(run.task_id, run_id);
    success(replay);
    assert.deepEqual(replay.result, run.result);
    const report = await app().client.replays.get(run.task_id, run_id);
    assert.ok(report.identical, JSON.stringify(report));
  });

  test('a run slept for a month, started, signalled and told: its replay and its dry run take no time, and bring nothing about', async () => {
    const child = await makeTask(app(), { permissions: [], parameters: [{ name: 'n', kind: 'number' }] });
    const source = `export default async () => {
      const { run_id } = await tasks.start(parameters.child, { n: 1 }, { debounce: { ms: 86_400_000 } });
      const { taken } = await signal('later', 7);
      describe('before'); details('# before');
      const before = Date.now();
      await sleep(30 * 86_400_000);
      describe('after'); details('# after');
      const none = await waitFor('signal:never', { timeout: 100 });
      return [run_id, taken, Math.round((Date.now() - before) / 86_400_000), none];
    }`;
    const values = { permissions: ['tasks_start' as const], may_start: [child], parameters: [{ name: 'child', kind: 'number' as const }] };
    const parameters = { child };
    const run = await outcome(source, {
      ...{ values, reason: 'sleep', body: { record: true, parameters } },
      async meanwhile({ id }) {
        await letSleepEnd(app().store, id);
        await waitEnder(await servicesOf(app().store))();
      },
    });
    success(run);
    assert.deepEqual([run.result, run.description], [[null, false, 30, null], 'after']);
    const { reader } = app().store;
    const brought = async () => [
      ...(await reader.selectFrom('gathered_items').select(['id', 'run_id', 'content']).execute()),
      ...(await reader.selectFrom('run_signals').select(['id', 'key']).execute()),
    ];
    const before = await brought();

    const { run_id } = await app().client.replays.start(run.task_id, run.id, {});
    const replay = await inProcess().finish(run.task_id, run_id);
    const report = await app().client.replays.get(run.task_id, run_id);
    assert.ok(report.identical, JSON.stringify(report));
    assert.deepEqual([replay.result, replay.description], [run.result, 'after']);
    const { rows } = await tasks().undo_run(run.task_id, run_id, {});
    assert.deepEqual(rows, { ready: 0, conflict: 0, irreversible: 0, already_as_before: 0 }, 'a replay has done nothing');

    const dry = await outcome(source, { values, body: { dry_run: true, parameters } });
    success(dry);
    assert.deepEqual([Array.isArray(dry.result) && dry.result[2], dry.description], [30, 'after']);
    for (const { id } of [replay, dry]) {
      const claims = await reader.selectFrom('run_claims').select('id').where('run_id', '=', id).execute();
      assert.equal(claims.length, 1, 'it never gave its worker back');
    }
    assert.deepEqual(await brought(), before);
    assert.deepEqual(await tasks().list_runs(child), []);
  });
});
