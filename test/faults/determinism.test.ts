import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { childrenOf, createTask, ended, fillWithCustomers, type Machines, type RunnerMachine, startMachines } from '../helpers/machines.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const PROGRAMS = 4;
const CUSTOMERS = 4;
/** Of the calls under a program, so many are its last in an attempt, as long as attempts are left. */
const KILL_RATE = 0.12;
const KILLS_A_PROGRAM = 4;
const CUT_RATE = 0.1;

/** One step of a program; customers are numbers from 0. */
type Step =
  | { kind: 'note' | 'credit' | 'read' | 'remember' | 'pause' | 'result'; customer: number }
  | { kind: 'together'; customers: number[] }
  | { kind: 'refused' };
/** Steps of each epoch. */
type Program = Step[][];

const customer = fc.nat({ max: CUSTOMERS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('note', 'credit', 'read', 'remember', 'pause', 'result'), customer }),
  fc.record({ kind: fc.constant('together'), customers: fc.array(customer, { minLength: 2, maxLength: 5 }) }),
  fc.constant<Step>({ kind: 'refused' }),
);
const programs: fc.Arbitrary<Program> = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });

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
  pause: async () => void (await sleep(5)),
  result: async ({ customer }, sum) => void result('seen', 'customer ' + customer, { sum }),
  together: async ({ customers }, sum) => void (await Promise.all(customers.map(async (n, i) => {
    const { body } = await admin_api.get(path(n));
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

describe('a program that was killed leaves the shop as one that was not', { concurrency: true, timeout: 120_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(() => startMachines(engine)));
});

type Trace = { notes: string[]; credits: string[]; results: string[]; effects: string[]; result: unknown };

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  let runner: RunnerMachine;
  before(async () => {
    machines = await start();
    runner = machines.startRunner();
  });
  after(() => machines.close());

  const seed = chooseSeed();
  test(`random programs, SEED=${seed}`, async (t) => {
    const random = seeded(seed);
    const taskId = await createTask(machines.client, INTERPRETER, { on_interrupt: 'resume', max_attempts: 1000 });
    const { store, proxy } = machines;
    let attempts = 0;

    /** Everything that a run leaves, ids and chance apart: the numbers it drew are another lineage's. */
    async function trace(program: Program, underFire: boolean): Promise<Trace> {
      const from = await fillWithCustomers(store, CUSTOMERS);
      const { run_id } = await machines.client.ai_tasks.start_run(taskId, { parameters: { from, program } });
      const run = await ended(machines.client, taskId, run_id, 60_000);
      assert.equal(run.status, 'success', `${run.end_reason} ${run.error_message}`);
      if (underFire) attempts += run.attempt;
      const relative = (text: string): string =>
        text
          .replaceAll(/\/customers\/(\d+)/g, (_, id: string) => `/customers/+${Number(id) - from}`)
          .replaceAll(/customer-\d+@/g, 'customer@')
          .replaceAll(/\b0\.\d+(e-\d+)?/g, '0.x')
          .replaceAll(/\b\d{13}\b/g, 'now');
      const notes = await store.reader
        .selectFrom('customer_notes')
        .select(['customer_id', 'body'])
        .where('customer_id', '>=', from)
        .execute();
      const ledger = await store.reader
        .selectFrom('credit_transactions')
        .select(['customer_id', 'delta_credits'])
        .where('customer_id', '>=', from)
        .execute();
      const effects = await machines.client.ai_tasks.list_effects(taskId, run_id, { limit: 1000 });
      return {
        notes: notes.map(({ customer_id, body }) => relative(`${customer_id - from} ${body}`)).sort(),
        credits: ledger.map(({ customer_id, delta_credits }) => `${customer_id - from} ${delta_credits}`).sort(),
        results: run.log.split('\n').filter((line) => line.startsWith('{"kind":"result"')),
        effects: effects.map(({ method, path, status }) => relative(`${method} ${path} ${status}`)).sort(),
        result: run.result,
      };
    }

    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        proxy.decide(() => 'pass');
        const expected = await trace(program, false);
        let kills = KILLS_A_PROGRAM;
        proxy.decide(({ path }) => {
          if (path === '/admin/api/runner/claims') return 'pass';
          if (kills > 0 && random.next() < KILL_RATE) {
            kills -= 1;
            for (const pid of childrenOf(runner.pid)) process.kill(pid, 'SIGKILL');
          }
          const draw = random.next();
          return draw < CUT_RATE ? 'cut_before' : draw < 2 * CUT_RATE ? 'cut_after' : 'pass';
        });
        assert.deepEqual(await trace(program, true), expected);
      }),
      { numRuns: PROGRAMS, seed, endOnFailure: true },
    );
    t.diagnostic(`${PROGRAMS} programs, ${attempts} attempts`);
    assert.ok(attempts > PROGRAMS, 'no kill has hit');
  });
}
