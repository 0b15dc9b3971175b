import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Run } from '../../contract/tasks.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from './app.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from './in-process-runner.ts';
import { LLM_KEY, type LlmDouble, openLlmDouble } from './llm-double.ts';
import { fillWithCustomers } from './machines.ts';
import { makeTask } from './runs.ts';
import { chooseSeed, type Random, seeded } from './seeded.ts';
import { stopPostgres } from './stores.ts';

const CUSTOMERS = 4;
/** Of the calls and answers of a script so many are the last of an attempt, as long as kills are left. */
const KILL_RATE = 0.12;
const KILLS_AT_MOST = 2;

/** Every killed run is replayed; of those that were not killed this share. */
const PLAIN_REPLAYED = 0.1;

/** One step of a program; customers are numbers from 0. */
type Step =
  | { kind: 'note' | 'credit' | 'read' | 'remember' | 'pause' | 'result' | 'say' | 'file' | 'ask'; customer: number }
  | { kind: 'together'; customers: number[] }
  | { kind: 'refused' };
/** Steps of each epoch. */
type Program = Step[][];

const customer = fc.nat({ max: CUSTOMERS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('note', 'credit', 'read', 'remember', 'pause', 'result', 'say', 'file', 'ask'), customer }),
  fc.record({ kind: fc.constant('together'), customers: fc.array(customer, { minLength: 2, maxLength: 4 }) }),
  fc.constant<Step>({ kind: 'refused' }),
);
const programs: fc.Arbitrary<Program> = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 });

/** Reads at its top; what it writes holds the clock, chance, what it read and what it remembers. */
const INTERPRETER = `
const { from, program } = parameters;
const path = (n) => '/customers/' + (from + n);
await admin_api.get('/customers');
const begun = await once('begun', () => program.length);
const does = {
  note: async ({ customer }, sum) => void (await admin_api.post(path(customer) + '/notes', { body: [sum, Math.random(), begun, Date.now()].join(' ') })),
  credit: async ({ customer }, sum) => void (await admin_api.post(path(customer) + '/credits/adjust', { delta: 1 + sum % 50 })),
  read: async ({ customer }) => (await admin_api.get(path(customer) + '/credits')).body.credits,
  remember: async ({ customer }, sum) => once('number ' + customer, () => sum),
  pause: async () => void (await sleep(2)),
  result: async ({ customer }, sum) => void result('seen', 'customer ' + customer, { sum }),
  say: async ({ customer }, sum) => {
    log(customer, sum, Math.random(), new Date());
    progress(sum, sum + 1);
  },
  file: async ({ customer }, sum) => void (await files.write('file ' + customer + '.txt', 'the sum is ' + sum)),
  ask: async (_, sum) => (await llm.complete({ messages: [{ role: 'user', content: 'How much is ' + sum + '?' }], max_tokens: 5 })).text.length,
  together: async ({ customers }, sum) => void (await Promise.all(customers.map(async (n, i) => {
    const { body } = await admin_api.get(path(n));
    log(i, Math.random(), Date.now());
    await admin_api.post(path(n) + '/notes', { body: body.email + ' ' + i + ' ' + sum });
  }))),
  refused: async () => {
    const error = await admin_api.post(path(0) + '/credits/adjust', { delta: -1_000_000 }).catch((error) => error);
    return error.status;
  },
};
let { epoch, sum } = last_checkpoint ?? { epoch: 0, sum: 0 };
for (; epoch < program.length; epoch += 1) {
  let clock = Date.now();
  for (const step of program[epoch]) {
    sum += (await does[step.kind](step, sum)) ?? 1;
    if (Date.now() < clock) throw new Error('the clock went back');
    clock = Date.now();
    Math.random();
  }
  await checkpoint({ epoch: epoch + 1, sum });
}
export default () => ({ sum });
`;

type Trace = { notes: string[]; credits: string[]; artifacts: string[]; results: string[]; effects: string[]; result: unknown };

/**
 * Random programs, each run as it is, then killed at random calls and resumed, then replayed. A kill is an isolate that
 * is forgotten: the journal decides the same as where a process dies (exactly-once.test.ts), and hundreds take a minute.
 */
export function provePrograms(engine: Engine, count: number): void {
  describe(`automation.md §5, Proof [${engine}]`, { timeout: 600_000 }, () => suite(engine, count));
}

function suite(engine: Engine, count: number): void {
  let app: TestApp;
  let runner: InProcessRunner;
  let model: LlmDouble;
  let taskId: number;
  before(async () => {
    app = await startApp(engine);
    runner = openInProcessRunner(app);
    model = await openLlmDouble();
    await app.client.settings.update({ llm: { base_url: model.url, model: 'small', api_key: LLM_KEY } });
    const permissions = ['admin_api.customers.write', 'file_download', 'llm'];
    taskId = await makeTask(app, { source_code: INTERPRETER, permissions }, { on_interrupt: 'resume', max_attempts: 1000 });
  });
  after(async () => {
    await runner.close();
    await model.close();
    await app.close();
    if (engine === 'postgres') await stopPostgres();
  });

  const seed = chooseSeed();
  test(`${count} programs leave the shop as ones that were never killed; replays are identical, SEED=${seed}`, async (t) => {
    const random = seeded(seed);
    let attempts = 0;
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const expected = await record(program);
        const killed = await record(program, killer(random));
        attempts += killed.run.attempt;
        assert.deepEqual(killed.trace, expected.trace);
        await replay(killed.run);
        if (random.next() < PLAIN_REPLAYED) await replay(expected.run);
      }),
      { numRuns: count, seed, endOnFailure: true },
    );
    t.diagnostic(`${engine}: ${count} programs, ${attempts} attempts`);
    assert.ok(attempts > 1.5 * count, 'too few kills have hit');
  });

  async function record(program: Program, fate?: Fate): Promise<{ run: Run; trace: Trace }> {
    const from = await fillWithCustomers(app.store, CUSTOMERS);
    const { run_id } = await app.client.ai_tasks.start_run(taskId, { parameters: { from, program }, record: true });
    const run = await runner.finish(taskId, run_id, fate);
    assert.equal(run.status, 'success', `${run.end_reason} ${run.error_message}`);
    return { run, trace: await traceOf(run, from) };
  }

  async function replay(run: Run): Promise<void> {
    const { run_id } = await app.client.replays.start(taskId, run.id);
    await runner.finish(taskId, run_id);
    const report = await app.client.replays.get(taskId, run_id);
    assert.ok(report.identical, JSON.stringify(report));
    assert.deepEqual(report.replayed, report.recorded);
  }

  /** Everything that a run leaves, ids and chance apart: the numbers it drew are another lineage's. */
  async function traceOf(run: Run, from: number): Promise<Trace> {
    const { reader } = app.store;
    const relative = (text: string): string =>
      text
        .replaceAll(/\/customers\/(\d+)/g, (_, id: string) => `/customers/+${Number(id) - from}`)
        .replaceAll(/customer-\d+@/g, 'customer@')
        .replaceAll(/\b0\.\d+(e-\d+)?/g, '0.x')
        .replaceAll(/\b\d{13}\b/g, 'now');
    const notes = await reader.selectFrom('customer_notes').select(['customer_id', 'body']).where('customer_id', '>=', from).execute();
    const ledger = await reader
      .selectFrom('credit_transactions')
      .select(['customer_id', 'delta_credits'])
      .where('customer_id', '>=', from)
      .execute();
    const effects = await app.client.ai_tasks.list_effects(taskId, run.id, { limit: 1000 });
    return {
      notes: notes.map(({ customer_id, body }) => relative(`${customer_id - from} ${body}`)).sort(),
      credits: ledger.map(({ customer_id, delta_credits }) => `${customer_id - from} ${delta_credits}`).sort(),
      artifacts: (await app.client.ai_tasks.list_artifacts(taskId, run.id)).map(({ name, sha256 }) => `${name} ${sha256}`).sort(),
      results: run.log.split('\n').filter((line) => line.startsWith('{"kind":"result"')),
      // A completion is at least once (test/faults/run-outside.test.ts).
      effects: effects
        .filter(({ path }) => !path.startsWith('/llm/'))
        .map(({ method, path, status }) => relative(`${method} ${path} ${status}`))
        .sort(),
      result: run.result,
    };
  }
}

function killer(random: Random): Fate {
  let kills = 1 + random.below(KILLS_AT_MOST);
  return () => {
    if (kills === 0 || random.next() >= KILL_RATE) return false;
    kills -= 1;
    return true;
  };
}
