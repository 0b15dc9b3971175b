import fc from 'fast-check';

export const CUSTOMERS = 4;

/** One step of a program. Customers have numbers from 0. */
type Step =
  | {
      kind: 'note' | 'credit' | 'count' | 'read' | 'remember' | 'keep' | 'pause' | 'result' | 'say' | 'file' | 'ask' | 'person';
      customer: number;
    }
  | { kind: 'told' | 'early' | 'late' | 'nap' | 'beside'; customer: number }
  | { kind: 'together'; customers: number[] }
  | { kind: 'refused' | 'here' | 'next' | 'twice' };
/** What a script does before it reads its last checkpoint. */
type Opening = 'list' | 'remember' | 'first' | 'say';
export type Program = { opening: Opening[]; steps: Step[] };

const customer = fc.nat({ max: CUSTOMERS - 1 });
const checkpoints: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom('here', 'here', 'next', 'next', 'twice') });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: checkpoints },
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'note',
        'note',
        'credit',
        'credit',
        'count',
        'count',
        'read',
        'remember',
        'keep',
        'pause',
        'result',
        'say',
        'file',
      ),
      customer,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('ask', 'person'), customer }) },
  // A nap takes its second.
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('told', 'told', 'told', 'early', 'early', 'late', 'beside', 'beside', 'nap'), customer }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('together'), customers: fc.array(customer, { minLength: 2, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'refused' }) },
);
/** The same few steps several times, as in a loop. */
const round: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 1, maxLength: 4 });
const loop = fc.tuple(round, fc.integer({ min: 1, max: 3 })).map(([steps, times]) => Array.from({ length: times }, () => steps).flat());

export const programs: fc.Arbitrary<Program> = fc.record({
  opening: fc.array(fc.constantFrom<Opening[]>('list', 'remember', 'first', 'say'), { maxLength: 3 }),
  steps: fc.oneof(fc.array(step, { minLength: 1, maxLength: 9 }), loop),
});

/**
 * The script that executes a program. Its checkpoints store the step at which a resumed run continues: `here` and `twice` store
 * their own step, as a loop does before its effects; `next` stores the step after it. Its writes contain the time, random numbers
 * and values that it has read, so that a difference in any of these becomes visible.
 */
export const INTERPRETER = `
const { from, program } = parameters;
const path = (n) => '/customers/' + (from + n);
const opening = {
  list: () => admin_api.get('/customers'),
  remember: () => once('begun', () => program.steps.length),
  first: async () => last_checkpoint ?? (await admin_api.post(path(0) + '/notes', { body: 'first ' + Math.random() })),
  say: () => log('from', last_checkpoint, new Date()),
};
const person = async (label) => (await prompt({ label, fields: [{ name: 'n', kind: 'number', required: true }] })).n;
const told = async (key) => (await waitFor('signal:' + key)).data;
const write = (n, body) => admin_api.post(path(n) + '/notes', { body });
const does = {
  note: async ({ customer }, sum) => void (await write(customer, [sum, Math.random(), Date.now()].join(' '))),
  credit: async ({ customer }, sum) => void (await admin_api.post(path(customer) + '/credits/adjust', { delta: 1 + sum % 50 })),
  count: async ({ customer }, sum) => state.update('count.' + (from + customer), (n) => (n ?? 0) + 1 + sum % 7),
  read: async ({ customer }) => (await admin_api.get(path(customer) + '/credits')).body.credits,
  remember: async ({ customer }, sum) => once('number ' + customer, () => sum + 0 * Math.random()),
  keep: async ({ customer }, sum, at) => once('step ' + at, async () => (await write(customer, 'kept ' + sum)).status),
  pause: async () => void (await sleep(2)),
  result: async ({ customer }, sum) => void result('seen', 'customer ' + customer, { sum }),
  say: async ({ customer }, sum) => {
    log(customer, sum, Math.random(), new Date());
    progress(sum, sum + 1);
  },
  file: async ({ customer }, sum) => void (await files.write('file ' + customer + '.txt', 'the sum is ' + sum)),
  ask: async (_, sum) => (await llm.complete({ messages: [{ role: 'user', content: 'How much is ' + sum + '?' }], max_tokens: 5 })).text.length,
  told: async ({ customer }, sum, at) => told(at + ' ' + customer + ' ' + sum),
  early: async ({ customer }, sum, at) => {
    const key = 'early ' + from + ' ' + at + ' ' + sum;
    await signal(key, customer + sum);
    return (await waitFor('signal:' + key)).data;
  },
  late: async () => (await waitFor('signal:never', { timeout: 5 })) ?? 3,
  nap: async () => {
    const before = Date.now();
    await sleep(1000);
    return Date.now() - before >= 1000 ? 2 : 0;
  },
  beside: async ({ customer }, sum, at) => (await Promise.all([
    told('beside ' + at + ' ' + sum), write(customer, 'beside ' + sum + ' ' + Math.random()), state.update('count.' + from, (n) => (n ?? 0) + 1),
  ]))[0],
  person: async ({ customer }, sum) => person('How many are ' + sum + ' of ' + customer + '?'),
  together: async ({ customers }, sum) => void (await Promise.all(customers.map(async (n, i) => {
    await state.update('count.' + from, (seen) => (seen ?? 0) + 1);
    const { body } = await admin_api.get(path(n));
    log(i, Math.random(), Date.now());
    await write(n, body.email + ' ' + i + ' ' + sum);
  }))),
  refused: async () => {
    const error = await admin_api.post(path(0) + '/credits/adjust', { delta: -1_000_000 }).catch((error) => error);
    return error.status;
  },
  here: async (_, sum, at) => (await checkpoint({ at, sum }), 0),
  next: async (_, sum, at) => (await checkpoint({ at: at + 1, sum }), 0),
  twice: async (_, sum, at) => {
    await checkpoint({ at, sum });
    log('between', Math.random());
    await admin_api.get('/customers?per_page=1');
    await checkpoint({ sum, at });
    return 0;
  },
};
for (const kind of program.opening) await opening[kind]();
let { at, sum } = last_checkpoint ?? { at: 0, sum: 0 };
for (; at < program.steps.length; at += 1) {
  const clock = Date.now();
  const step = program.steps[at];
  sum += (await does[step.kind](step, sum, at)) ?? 1;
  if (Date.now() < clock) throw new Error('the clock went back');
}
export default () => ({ sum });
`;
