import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Run } from '../../contract/runs.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { type FaultProxy, openFaultProxy } from '../helpers/fault-proxy.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { LANES, type Lanes, lanes, notesOf } from '../helpers/random-lanes.ts';
import { makeTask } from '../helpers/runs.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { fillWithCustomers } from '../helpers/stored-rows/sizes.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

/** Set PROGRAMS for more. */
const PROGRAMS = Number(process.env['PROGRAMS'] ?? 15);
const KILL_RATE = 0.06;
const KILLS_AT_MOST = 4;
const RUNNER_RATE = 0.3;
const CUT_RATE = 0.02;
/** The longest time that a request takes on its way, so that answers come in another order each time. */
const LATENCY_MS = 6;

describe('JO12: workers over one list', { timeout: 300_000 + PROGRAMS * 8000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, () => suite(engine));
});

function suite(engine: Engine): void {
  const seed = chooseSeed();
  const random = seeded(seed);
  let app: TestApp;
  let proxy: FaultProxy;
  let runner: InProcessRunner;
  let taskId: number;
  before(async () => {
    app = await startApp(engine);
    proxy = await openFaultProxy(Number(new URL(app.url).port));
    runner = openInProcessRunner(app, { url: proxy.url });
    taskId = await makeTask(app, { source_code: LANES, permissions: ['admin_api.customers.write'] });
    proxy.decide(async ({ path }) => {
      if (path.endsWith('/claims')) return 'pass';
      await delay(random.below(LATENCY_MS));
      const draw = random.next();
      return draw < CUT_RATE ? 'cut_before' : draw < 2 * CUT_RATE ? 'cut_after' : 'pass';
    });
  });
  after(async () => {
    await runner.close();
    await proxy.close();
    await app.close();
  });

  test(`${PROGRAMS} programs that are killed write each note once, need nobody and replay identically, SEED=${seed}`, async (t) => {
    let attempts = 0;
    const property = fc.asyncProperty(lanes, async (program) => {
      const { last, customer } = await underFire(program);
      attempts += last.attempt;
      const notes = await app.client.customers.list_notes(customer);
      const told = notes.map(({ body }) => body.split(' | ', 1)[0]).sort();
      assert.deepEqual(told, notesOf(program), last.log);
      const replay = await app.client.replays.start(taskId, last.id);
      await runner.finish(taskId, replay.run_id);
      const report = await app.client.replays.get(taskId, replay.run_id);
      assert.equal(report.identical, true, JSON.stringify(report));
    });
    await fc.assert(property, { numRuns: PROGRAMS, seed, endOnFailure: true, includeErrorInReport: true });
    t.diagnostic(`${engine}: ${attempts} attempts, ${JSON.stringify(proxy.cuts)}`);
    assert.ok(attempts > PROGRAMS, 'a kill has hit');
  });

  async function underFire(program: Lanes): Promise<{ last: Run; customer: number }> {
    const customer = await fillWithCustomers(app.store, 1);
    const byServer = random.next() < 0.5;
    await app.client.ai_tasks.update(taskId, { settings: { on_interrupt: byServer ? 'resume' : 'hold', max_attempts: 1000 } });
    const { run_id } = await app.client.ai_tasks.start_run(taskId, { parameters: { customer, program }, record: true });
    const fate = killer();
    let last = await runner.finish(taskId, run_id, fate);
    while (last.status === 'interrupted') {
      assert.notEqual(last.end_reason, 'resume_mismatch', `${last.error_message}\n${last.log}`);
      const next = await app.client.ai_tasks.start_run(taskId, { resume_run_id: last.id, record: true });
      last = await runner.finish(taskId, next.run_id, fate);
    }
    assert.equal(last.status, 'success', `${last.end_reason} ${last.error_message}\n${last.log}`);
    return { last, customer };
  }

  function killer(): Fate {
    let kills = random.below(KILLS_AT_MOST + 1);
    return () => {
      if (kills === 0 || random.next() >= KILL_RATE) return false;
      kills -= 1;
      return random.next() < RUNNER_RATE ? 'runner' : true;
    };
  }
}
