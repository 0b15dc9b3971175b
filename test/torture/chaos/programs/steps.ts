import { randomOf } from '../../soak/random.ts';

/** What a step does. Those of `ENDED` are ended by the driver, which brings what they wait for. */
const EFFECTS = ['note', 'credit', 'stock', 'rename', 'count', 'keep', 'file'] as const;
const STARTS = ['batch', 'debounce', 'delay', 'rate', 'receiver', 'call'] as const;
const ENDED = ['order', 'hook', 'signal', 'early', 'month', 'person'] as const;
const OWN = ['seen', 'nap', 'late', 'tell', 'both'] as const;
type Kind = (typeof EFFECTS | typeof STARTS | typeof ENDED | typeof OWN)[number] | 'checkpoint';
/** `count`: how many starts or signals. */
export type Step = { kind: Kind; count: number };

/** A program: the steps of a run; what becomes of it afterwards. */
export type Program = {
  seed: number;
  steps: Step[];
  /** Whether the run is restarted from a checkpoint, if it has stored one. */
  restarts: boolean;
  /** Whether an admin changes what the run has changed before it is taken back, and whether that is chosen all the same. */
  conflict: 'none' | 'left' | 'chosen';
  /** Whether the undo is taken back, and that again. */
  twice: boolean;
};

const MOST_STEPS = 9;

/** The program of a seed. */
export function programOf(seed: number): Program {
  const random = randomOf(seed);
  const kinds: readonly (readonly Kind[])[] = [
    ...[EFFECTS, EFFECTS, EFFECTS, ENDED, ENDED, STARTS, OWN],
    ...([['checkpoint'], ['checkpoint']] satisfies Kind[][]),
  ];
  const kind = (): Kind => random.pick(random.pick(kinds) ?? EFFECTS) ?? 'note';
  const steps = Array.from({ length: 2 + random.below(MOST_STEPS - 1) }, () => ({ kind: kind(), count: 1 + random.below(4) }));
  const conflict = random.pick(['none', 'none', 'left', 'chosen'] as const) ?? 'none';
  return { seed, steps, restarts: random.chance(0.5), conflict, twice: random.chance(0.3) };
}

/** A signal that the driver sends before the run waits for it has this beginning of its key, another one has none. */
export const EARLY = 'early ';

/**
 * Carries out the steps from the last checkpoint on. Each writes what it does with the run's mark and its number, and `came` is what its
 * waits have brought. A run that a hook opens has no steps; the books find it.
 */
export const SCRIPT = `
const { mark, customer, variant, order, steps } = parameters;
const path = '/customers/' + customer;
const note = (body) => admin_api.post(path + '/notes', { body });
const all = (count) => Array.from({ length: count }, (_, n) => n);
const child = (at, n) => ({ mark, customer, n: mark + '/' + at + '.' + n, key: mark + '/' + at });
const gather = async (task, at, count, options) => { for (const n of all(count)) await tasks.start(task, child(at, n), options); };
const does = {
  note: (at) => note(mark + '/' + at),
  credit: (at) => admin_api.post(path + '/credits/adjust', { delta: 1, note: mark + '/' + at }),
  stock: (at) => admin_api.post('/variants/' + variant + '/stock', { delta: 1, reason: mark + '/' + at }),
  rename: (at) => admin_api.patch(path, { name: mark + '/' + at }),
  count: () => state.update(mark, (n) => (n ?? 0) + 1),
  keep: (at) => once('keep ' + mark + at, async () => (await note(mark + '/' + at)).status),
  file: (at) => files.write(mark + ' ' + at + '.txt', 'of ' + at),
  batch: (at, count) => gather('Batch', at, count, { batch: { max: 3, ms: 400 } }),
  debounce: (at, count) => gather('Single', at, count, { debounce: { key: 'key', ms: 300 } }),
  delay: (at, count) => gather('Single', at, count, { delay: 200 }),
  rate: (at, count) => gather('Single', at, count, { rate: { key: 'mark', per_minute: 600 }, ttl: 3_600_000 }),
  receiver: async (at, count) => {
    const { run_id } = await tasks.start('Receiver', { ...child(at, ''), count });
    for (const n of all(count)) await signal(run_id, n, { task: 'Receiver' });
  },
  call: async (at) => (await tasks.run('Single', child(at, 0))).n,
  order: async () => { const { id, data } = await waitFor('order.status_changed', { match: { order_id: order } }); events.push(id); return data.order_id; },
  hook: async (at) => (await waitFor('hook:Told', { match: { mark, at } })).data.body.value,
  signal: async (at) => (await waitFor('signal:' + mark + '/' + at)).data,
  early: async (at) => (await waitFor('signal:${EARLY}' + at)).data,
  month: () => sleep(30 * 86_400_000),
  person: async (at) => (await prompt({ label: mark + '/' + at, fields: [{ name: 'n', kind: 'number', required: true }] })).n,
  seen: async (at) => {
    const { body } = await admin_api.post('/customers', { name: mark, email: mark + '-' + at + '@example.com' });
    const event = await waitFor('customer.created', { match: { customer_id: body.id }, since: 'start' });
    return event.data.customer_id === body.id;
  },
  nap: async () => { const before = Date.now(); await sleep(1000); return Date.now() - before >= 1000; },
  late: async (at) => await waitFor('signal:never', { timeout: 100 }),
  tell: (at) => { describe(mark + '/' + at); details('# ' + mark + '/' + at); },
  both: async (at) => (await Promise.all([waitFor('signal:' + mark + '/' + at), sleep(1000), note(mark + '/' + at)]))[0].data,
};
const TOLD = ['call', 'order', 'hook', 'signal', 'early', 'person', 'seen', 'nap', 'late', 'both'];
let { at, came, events } = last_checkpoint ?? { at: 0, came: [], events: [] };
for (; at < steps.length; at += 1) {
  const { kind, count } = steps[at];
  if (kind === 'checkpoint') await checkpoint({ at: at + 1, came, events });
  else {
    const value = await does[kind](at, count);
    if (TOLD.includes(kind)) came.push([at, value]);
  }
}
export default () => ({ came, events });
`;

/** A note for each item of a batch. */
export const BATCH = `
for (const { customer, n } of parameters.events) await admin_api.post('/customers/' + customer + '/notes', { body: n });
`;

/** A note of what it was started with. */
export const SINGLE = `
const { customer, n } = parameters;
await admin_api.post('/customers/' + customer + '/notes', { body: n });
export default () => ({ n });
`;

/** A note of each signal that it gets. */
export const RECEIVER = `
const { customer, n, count } = parameters;
for (let i = 0; i < count; i += 1) {
  const { data } = await waitFor('signal');
  await admin_api.post('/customers/' + customer + '/notes', { body: n + data });
}
`;

/** What a run leaves that has done the steps from `from` on. */
export type Expected = {
  /** Each is there once. */
  notes: string[];
  /** Of each list, the last is there once, and each other at most once. */
  lasts: string[][];
  credits: string[];
  stock: string[];
  made: string[];
  files: string[];
  count: number;
  name: string | null;
  told: string | null;
  came: [number, unknown][];
  orders: number;
};

/** `mark`, `order`: of the run. What it had before the checkpoint from which it starts is `earlier`. */
export function expectedOf(
  steps: readonly Step[],
  of: { mark: string; order: number; from?: number; earlier?: [number, unknown][] },
): Expected {
  const { mark, order, from = 0, earlier = [] } = of;
  const all: Expected = {
    ...{
      notes: [],
      lasts: [],
      credits: [],
      stock: [],
      made: [],
      files: [],
      count: 0,
      name: null,
      told: null,
      came: [...earlier],
      orders: 0,
    },
  };
  for (const [at, { kind, count }] of steps.entries()) {
    if (at < from) continue;
    const text = `${mark}/${at}`;
    const items = Array.from({ length: count }, (_, n) => `${text}.${n}`);
    const does: Partial<Record<Kind, () => unknown>> = {
      note: () => all.notes.push(text),
      keep: () => all.notes.push(text),
      credit: () => all.credits.push(text),
      stock: () => all.stock.push(text),
      rename: () => (all.name = text),
      count: () => (all.count += 1),
      file: () => all.files.push(`${mark} ${at}.txt`),
      batch: () => all.notes.push(...items),
      delay: () => all.notes.push(...items),
      rate: () => all.notes.push(...items),
      receiver: () => all.notes.push(...items),
      debounce: () => all.lasts.push(items),
      call: () => all.notes.push(`${text}.0`) && all.came.push([at, `${text}.0`]),
      order: () => {
        all.orders += 1;
        all.came.push([at, order]);
      },
      hook: () => all.came.push([at, text]),
      signal: () => all.came.push([at, text]),
      early: () => all.came.push([at, text]),
      person: () => all.came.push([at, text.length]),
      seen: () => all.made.push(`${mark}-${at}@example.com`) && all.came.push([at, true]),
      nap: () => all.came.push([at, true]),
      late: () => all.came.push([at, null]),
      tell: () => (all.told = text),
      both: () => all.notes.push(text) && all.came.push([at, text]),
    };
    does[kind]?.();
  }
  return all;
}
