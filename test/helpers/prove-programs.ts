import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Run } from '../../contract/runs.ts';
import type { TaskSettings } from '../../contract/tasks.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from './app.ts';
import { type FaultProxy, openFaultProxy, passAll } from './fault-proxy.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from './in-process-runner.ts';
import { LLM_KEY, type LlmDouble, openLlmDouble } from './llm-double.ts';
import { CUSTOMERS, INTERPRETER, type Program, programs } from './random-programs.ts';
import { makeTask } from './runs.ts';
import { chooseSeed, type Random, seeded } from './seeded.ts';
import { fillWithCustomers } from './stored-rows/sizes.ts';
import { engines, stopPostgres } from './stores.ts';

/** The share of a script's calls and answers at which the worker is killed, until `KILLS_AT_MOST` is reached. */
const KILL_RATE = 0.12;
const KILLS_AT_MOST = 3;
/** The share of kills that also kill the runner. */
const RUNNER_RATE = 0.3;
/** The share of a killed program's requests that lose their answer; as many never arrive. After each, another server takes over. */
const CUT_RATE = 0.01;
/** The same for uploads of files. The share is larger, because few programs write a file. */
const UPLOAD_CUT_RATE = 0.1;
/** The share of killed programs that also reach their budget of writes, and continue when it is raised. */
const BUDGET_RATE = 0.3;

/** A program that takes this long hangs. The test then says which program it was. */
const HUNG_MS = 300_000;

/** The share of runs without a kill that are replayed. Every killed run is replayed. */
const PLAIN_REPLAYED = 0.1;

/**
 * Random programs. Each runs once without a fault; then it is killed at random calls and resumed, by the server or by a person;
 * then it is replayed. To kill an isolate or a runner, the test simply stops using it: the journal decides as it does when a process
 * dies (exactly-once.test.ts), and hundreds of programs take only a minute. PROGRAMS sets their number.
 */
export function provePrograms(engine: Engine, usual: number): void {
  if (!engines.includes(engine)) return;
  const count = Number(process.env['PROGRAMS'] ?? usual);
  describe(`JO12: programs that are killed [${engine}]`, { timeout: 300_000 + count * 3000 }, () => suite(engine, count));
}

type Trace = {
  notes: string[];
  credits: string[];
  state: string[];
  artifacts: string[];
  results: string[];
  effects: string[];
  result: unknown;
};
type Done = { runs: Run[]; last: Run; trace: Trace };

function suite(engine: Engine, count: number): void {
  const servers: TestApp[] = [];
  let app: TestApp;
  let proxy: FaultProxy;
  let runner: InProcessRunner;
  let model: LlmDouble;
  let taskId: number;
  let serving = 0;
  const seed = chooseSeed();
  const random = seeded(seed);
  before(async () => {
    app = await startApp(engine);
    servers.push(app);
    if (engine === 'postgres') servers.push(await startApp(engine, { databaseUrl: app.databaseUrl }));
    const ports = servers.map(({ url }) => Number(new URL(url).port));
    proxy = await openFaultProxy(() => ports[serving % ports.length] ?? 0);
    runner = openInProcessRunner(app, { url: proxy.url, promptHoldMs: () => random.pick([1, 60_000]) });
    model = await openLlmDouble();
    for (const { client } of servers) await client.settings.update({ llm: { base_url: model.url, model: 'small', api_key: LLM_KEY } });
    const permissions = ['admin_api.customers.write', 'file_download', 'llm', 'prompt_input'];
    taskId = await makeTask(app, { source_code: INTERPRETER, permissions });
  });
  after(async () => {
    await runner.close();
    await proxy.close();
    await model.close();
    for (const server of servers.toReversed()) await server.close();
    if (engine === 'postgres') await stopPostgres();
  });

  test(`${count} programs leave the shop as ones that were never killed; replays are identical, SEED=${seed}`, async (t) => {
    let attempts = 0;
    let runs = 0;
    const started = performance.now();
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const expected = await record(program);
        const killed = await underFire(program);
        attempts += killed.runs.reduce((sum, { attempt }) => sum + attempt, 0);
        runs += killed.runs.length;
        assert.deepEqual(killed.trace, expected.trace);
        await whileCut(() => replay(killed.last));
        if (random.next() < PLAIN_REPLAYED) await replay(expected.last);
      }),
      { numRuns: count, seed, endOnFailure: true, timeout: HUNG_MS },
    );
    const took = Math.round((performance.now() - started) / 1000);
    t.diagnostic(`${engine}: ${count} programs, ${runs} runs, ${attempts} attempts, ${JSON.stringify(proxy.cuts)}, ${took} s`);
    assert.ok(attempts > 1.5 * count, 'too few kills have hit');
  });

  /** Runs the program with all kinds of kills. The server, or a person with a new run, resumes what they interrupt. */
  async function underFire(program: Program): Promise<Done> {
    const bySystem = random.next() < 0.5;
    const writes = random.next() < BUDGET_RATE ? random.below(program.steps.length) : null;
    await configure({ on_interrupt: bySystem ? 'resume' : 'hold', max_attempts: 1000, limits: { writes } });
    try {
      return await whileCut(() => record(program, killer(random)));
    } finally {
      await configure({ on_interrupt: 'hold', limits: { writes: null } });
    }
  }

  async function whileCut<T>(work: () => Promise<T>): Promise<T> {
    proxy.decide(({ path }) => {
      const draw = random.next();
      // Requests for claims pass: a claim whose answer is lost would be offered again only after 5 s.
      if (path.endsWith('/claims') || draw >= 2 * (path.endsWith('/artifacts') ? UPLOAD_CUT_RATE : CUT_RATE)) return 'pass';
      serving += 1;
      return random.next() < 0.5 ? 'cut_before' : 'cut_after';
    });
    try {
      return await work();
    } finally {
      proxy.decide(passAll);
    }
  }

  async function configure(settings: Partial<TaskSettings>): Promise<void> {
    await app.client.ai_tasks.update(taskId, { settings });
  }

  async function record(program: Program, fate?: Fate): Promise<Done> {
    const from = await fillWithCustomers(app.store, CUSTOMERS);
    const first = await app.client.ai_tasks.start_run(taskId, { parameters: { from, program }, record: true });
    const runs = [await finish(first.run_id, fate)];
    for (let run = runs[0]; run?.status === 'interrupted'; run = runs.at(-1)) {
      assert.ok(fate && run.end_reason !== 'resume_mismatch', `${run.end_reason} ${run.error_message}\n${run.log}`);
      if (run.end_reason === 'budget') await configure({ limits: { writes: null } });
      const { run_id } = await app.client.ai_tasks.start_run(taskId, { resume_run_id: run.id });
      runs.push(await finish(run_id, fate));
    }
    const last = runs.at(-1);
    assert.equal(last?.status, 'success', `${last?.end_reason} ${last?.error_message}\n${last?.log}`);
    const trace = await traceOf(runs, last, from);
    // The next program of the task begins without a state.
    for (const { key } of await app.client.ai_tasks.list_state(taskId)) await app.client.ai_tasks.delete_state(taskId, key);
    return { runs, last, trace };
  }

  /** Waits for the run's end; answers its questions and sends the signals that it waits for meanwhile. */
  async function finish(runId: number, fate?: Fate): Promise<Run> {
    const { signal, abort } = abortable();
    const answering = answerAll(runId, signal);
    try {
      return await runner.finish(taskId, runId, fate);
    } finally {
      abort();
      await answering;
    }
  }

  async function answerAll(runId: number, signal: AbortSignal): Promise<void> {
    const ANSWER_MS = 15;
    while (!signal.aborted) {
      const open = await app.store.reader
        .selectFrom('run_prompts')
        .select(['id', 'label', 'awaits'])
        .where('asked_by_run_id', '=', runId)
        .where('answered_at', 'is', null)
        .execute();
      for (const { id, label, awaits } of open) {
        const answers = { n: label.length };
        const key = /^signal:(?!never|early)(.*)$/.exec(awaits ?? '')?.[1];
        // A run that was interrupted meanwhile refuses the answer; the run that resumes it takes it.
        if (awaits === null) await app.client.ai_tasks.answer_prompt(taskId, runId, id, { answers }).catch(() => undefined);
        if (key !== undefined) await app.client.ai_tasks.signal_run(taskId, runId, { key, value: key.length }).catch(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    }
  }

  async function replay(run: Run): Promise<void> {
    const { run_id } = await app.client.replays.start(taskId, run.id);
    await runner.finish(taskId, run_id);
    const report = await app.client.replays.get(taskId, run_id);
    assert.ok(report.identical, JSON.stringify(report));
    assert.deepEqual(report.replayed, report.recorded);
  }

  /** Everything that the runs of a lineage leave, without ids and random numbers, which are different in each lineage. */
  async function traceOf(runs: readonly Run[], last: Run, from: number): Promise<Trace> {
    const { reader } = app.store;
    const relative = (text: string): string =>
      text
        .replaceAll(/\/customers\/(\d+)/g, (_, id: string) => `/customers/+${Number(id) - from}`)
        .replaceAll(/\bcount\.(\d+)/g, (_, id: string) => `count.+${Number(id) - from}`)
        .replaceAll(/customer-\d+@/g, 'customer@')
        .replaceAll(/\b0\.\d+(e-\d+)?/g, '0.x')
        .replaceAll(/\b\d{13}\b/g, 'now');
    const notes = await reader.selectFrom('customer_notes').select(['customer_id', 'body']).where('customer_id', '>=', from).execute();
    const ledger = await reader
      .selectFrom('credit_transactions')
      .select(['customer_id', 'delta_credits'])
      .where('customer_id', '>=', from)
      .execute();
    const counted = await reader.selectFrom('task_state').select(['key', 'value']).where('task_id', '=', taskId).execute();
    const effects = await Promise.all(runs.map(({ id }) => app.client.ai_tasks.list_effects(taskId, id, { limit: 1000 })));
    return {
      notes: notes.map(({ customer_id, body }) => relative(`${customer_id - from} ${body}`)).sort(),
      credits: ledger.map(({ customer_id, delta_credits }) => `${customer_id - from} ${delta_credits}`).sort(),
      state: counted.map(({ key, value }) => relative(`${key} ${value}`)).sort(),
      artifacts: (await app.client.ai_tasks.list_artifacts(taskId, last.id)).map(({ name, sha256 }) => `${name} ${sha256}`).sort(),
      results: runs.flatMap(({ log }) => log.split('\n').filter((line) => line.startsWith('{"kind":"result"'))),
      // Calls of the language model are left out, because each is made at least once (test/faults/run-outside.test.ts).
      effects: effects
        .flat()
        .filter(({ path }) => !path.startsWith('/llm/'))
        .map(({ method, path, status }) => relative(`${method} ${path} ${status}`))
        .sort(),
      result: last.result,
    };
  }
}

function killer(random: Random): Fate {
  let kills = random.below(KILLS_AT_MOST + 1);
  return () => {
    if (kills === 0 || random.next() >= KILL_RATE) return false;
    kills -= 1;
    return random.next() < RUNNER_RATE ? 'runner' : true;
  };
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
