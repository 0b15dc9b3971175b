import fc from 'fast-check';

/** What one item of a round has a worker of the script do; each ends in notes that name the item. */
const ops = ['note', 'note', 'slow', 'timer', 'read', 'once', 'shared', 'rejected', 'refused', 'pair', 'drawn', 'count'] as const;
type Round = { workers: number; items: (typeof ops)[number][]; checkpoint: 'before' | 'after' | 'none' };
/** Rounds of a script; in each, workers take items from one list until it is empty. */
export type Lanes = Round[];

export const lanes: fc.Arbitrary<Lanes> = fc.array(
  fc.record({
    workers: fc.integer({ min: 2, max: 5 }),
    items: fc.array(fc.constantFrom(...ops), { minLength: 3, maxLength: 12 }),
    checkpoint: fc.constantFrom('before', 'after', 'none'),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The notes that a program leaves, each once, without what depends on the order of answers. */
export function notesOf(program: Lanes): string[] {
  return program
    .flatMap(({ items }, round) =>
      items.flatMap((op, n) => {
        const name = `${round}.${n}`;
        if (op === 'pair') return [`${name} left`, `${name} right`];
        if (op === 'shared') return [`${name} after`];
        if (op === 'rejected') return [`${name} caught`];
        return [`${name} ${op}`];
      }),
    )
    .concat(program.flatMap(({ items }, round) => (items.includes('shared') ? [`${round} shared`] : [])))
    .sort();
}

/**
 * The script of such a program. All notes go to one path, and each holds what depends on the order in which the script got its answers: the
 * worker that took the item, how many items were taken before, the time, and random numbers.
 */
export const LANES = `
const { customer, program } = parameters;
const path = '/customers/' + customer;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
for (let round = last_checkpoint?.round ?? 0; round < program.length; round += 1) {
  const { workers, items, checkpoint: when } = program[round];
  if (when === 'before') await checkpoint({ round });
  const queue = items.map((op, n) => ({ op, name: round + '.' + n }));
  let taken = 0;
  const work = async (w) => {
    const write = (text) => admin_api.post(path + '/notes', { body: [text, w, taken, Date.now(), Math.random()].join(' | ') });
    const does = {
      note: ({ name }) => write(name + ' note'),
      slow: async ({ name }) => { await sleep(1 + ((taken * 7) % 20)); await write(name + ' slow'); },
      timer: async ({ name }) => { await pause(1 + ((taken * 5) % 15)); await write(name + ' timer'); },
      read: async ({ name }) => { await admin_api.get(path + '?n=' + taken).catch(() => 0); await write(name + ' read'); },
      once: ({ name }) => once('of ' + name, async () => { await write(name + ' once'); return w; }),
      shared: async ({ name }) => {
        const who = await once('shared ' + round, async () => { await admin_api.get(path); await write(round + ' shared'); return [w, Math.random()]; });
        await write(name + ' after | ' + who);
      },
      rejected: async ({ name }) => {
        try {
          await Promise.all([admin_api.get(path), admin_api.get('/customers/0').then(() => 0), sleep(3)]);
        } catch (error) {
          await write(name + ' caught');
        }
      },
      refused: async ({ name }) => {
        await admin_api.post(path + '/credits/adjust', { delta: -1_000_000 - w }).catch((error) => error);
        await write(name + ' refused');
      },
      pair: ({ name }) => Promise.all([write(name + ' left'), write(name + ' right')]),
      drawn: async ({ name }) => { await Promise.all([sleep(Math.random() * 10), admin_api.get(path)]); await write(name + ' drawn'); },
      count: async ({ name }) => { await state.update('count', (n) => (n ?? 0) + 1); await write(name + ' count'); },
    };
    for (let item = queue.shift(); item; item = queue.shift()) {
      taken += 1;
      await does[item.op](item);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, w) => work(w)));
  if (when === 'after') await checkpoint({ round: round + 1 });
}
export default () => 'done';
`;
