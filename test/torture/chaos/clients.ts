import { setTimeout as delay } from 'node:timers/promises';
import type { AdminApi, CallOptions } from '../../../contract/calls.ts';
import type { Random } from '../soak/random.ts';
import type { Goods } from './goods.ts';
import type { Ledger, Written, WrittenKind } from './ledger.ts';
import { isRefusal, Unanswered } from './sending.ts';

/** What one client works with; `name` is the beginning of its marks. */
export type ClientSetting = { name: string; api: AdminApi; ledger: Ledger; goods: Goods; random: Random; stopping: AbortSignal };

type Write = (setting: ClientSetting, mark: string, options: CallOptions) => Promise<{ id: number }>;

/** What is written, each with its share. A write with the same mark and options is the same request. */
const writes: readonly (readonly [weight: number, kind: Exclude<WrittenKind, 'run'>, write: Write])[] = [
  [2, 'order', createOrder],
  [5, 'note', async ({ api, goods, random }, body, options) => api.customers.create_note(one(goods.customers, random), { body }, options)],
  [4, 'stock', changeStock],
  [4, 'credit', grantCredit],
  [2, 'customer', createCustomer],
  [2, 'file', uploadFile],
];

const PAUSE_MS = 120;
/** The share of answered requests that are sent again, and of notes that are deleted. */
const REPEATED = 0.1;
const REMOVED = 0.3;

/** Writes one thing after the other until it is told to stop; ends when the last is answered. */
export async function keepWriting(setting: ClientSetting): Promise<void> {
  const { name, random, stopping } = setting;
  const weights = writes.reduce((sum, [weight]) => sum + weight, 0);
  for (let n = 1; !stopping.aborted; n += 1) {
    let point = random.below(weights);
    const chosen = writes.find(([weight]) => {
      point -= weight;
      return point < 0;
    });
    if (chosen) await writeOnce(setting, chosen[1], `${name}-${n}`, chosen[2]);
    await delay(random.below(PAUSE_MS));
  }
}

async function writeOnce(setting: ClientSetting, kind: WrittenKind, mark: string, write: Write): Promise<void> {
  const { ledger, random } = setting;
  // The draws of a write are made before it is sent, so that its repeat is the same request.
  const [seed, repeats, removes] = [random.below(2 ** 31), random.chance(REPEATED), random.chance(REMOVED)];
  const again = { ...setting, random: { ...random, below: (n: number) => seed % n } };
  const options = { headers: { 'idempotency-key': `"${mark}"` } };
  const written = ledger.begin(kind, mark);
  try {
    written.id = (await write(again, mark, options)).id;
    written.state = 'acknowledged';
    if (repeats) {
      const { id } = await write(again, mark, options);
      if (id !== written.id) ledger.faults.push(`${kind} ${mark}: ${written.id}, and ${id} when the request was repeated`);
    }
    if (kind === 'note' && removes) await removeNote(setting, written, one(setting.goods.customers, again.random));
  } catch (error) {
    if (isRefusal(error, ['insufficient_stock'])) written.state = 'refused';
    // The books say what was not answered.
    else if (!(error instanceof Unanswered)) ledger.faults.push(`${kind} ${mark}: ${String(error)}`);
  }
}

async function removeNote({ api }: ClientSetting, written: Written, customer: number): Promise<void> {
  written.state = 'sent';
  await api.customers.delete_note(customer, written.id, { headers: { 'idempotency-key': `"${written.mark}-removed"` } });
  written.state = 'removed';
}

function one(ids: readonly number[], random: Random): number {
  return ids[random.below(ids.length)] ?? 0;
}

async function createOrder({ api, goods, random }: ClientSetting, mark: string, options: CallOptions): Promise<{ id: number }> {
  return api.orders.create(
    {
      customer: { name: mark, email: `${mark}@example.com`, phone: '' },
      shipping_address: null,
      items: [{ variant_id: one(goods.variants, random), quantity: 1 + random.below(3) }],
      shipping: { kind: 'none' },
      payment_status: 'none',
      register_customer: false,
      send_confirmation_email: false,
    },
    options,
  );
}

async function changeStock({ api, goods, random }: ClientSetting, mark: string, options: CallOptions): Promise<{ id: number }> {
  return api.products.change_stock(one(goods.variants, random), { delta: 1 + random.below(5), reason: mark }, options);
}

async function grantCredit({ api, goods, random }: ClientSetting, mark: string, options: CallOptions): Promise<{ id: number }> {
  const customer = one(goods.customers, random);
  await api.customers.adjust_credits(customer, { delta: 1 + random.below(50), note: mark }, options);
  return { id: customer };
}

async function createCustomer({ api }: ClientSetting, mark: string, options: CallOptions): Promise<{ id: number }> {
  return api.customers.create({ name: mark, email: `new-${mark}@example.com`, phone: '+43 1 234567' }, options);
}

async function uploadFile({ api, goods, random }: ClientSetting, mark: string, options: CallOptions): Promise<{ id: number }> {
  const file = { filename: mark, content: `${mark} `.repeat(1 + random.below(3000)) };
  return api.customers.upload_file(one(goods.customers, random), { file }, options);
}

const LOOK_MS = 250;

/** Opens one run after the other until it is told to stop, and waits for the end of each. */
export async function keepRunning(setting: ClientSetting): Promise<void> {
  const { name, api, ledger, goods, random, stopping } = setting;
  for (let n = 1; !stopping.aborted; n += 1) {
    const mark = `${name}-${n}`;
    const leads = random.chance(0.25);
    const parameters = { mark, customer: one(goods.customers, random), variant: one(goods.variants, random) };
    const taskId = leads ? goods.tasks.lead : goods.tasks.steps;
    const written = ledger.begin('run', mark);
    try {
      const { run_id } = await api.ai_tasks.start_run(
        taskId,
        // The runs of the trigger, which are many, wait for these.
        { parameters: leads ? parameters : { ...parameters, count: 10 + random.below(30) }, priority: 10 },
        { headers: { 'idempotency-key': `"${mark}"` } },
      );
      written.id = run_id;
      written.state = 'acknowledged';
      while ((await api.ai_tasks.get_run(taskId, run_id)).status === 'running') await delay(LOOK_MS);
    } catch (error) {
      if (!(error instanceof Unanswered)) ledger.faults.push(`run ${mark}: ${String(error)}`);
    }
  }
}
