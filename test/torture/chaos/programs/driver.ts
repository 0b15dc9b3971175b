import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '../../../../contract/runs.ts';
import type { RunWait } from '../../../../contract/waits.ts';
import type { Store } from '../../../../server/db/open.ts';
import { isRefusal } from '../sending.ts';
import { faultsOf } from './judging.ts';
import { type Own, passTimeOf, recordsOf, runsOf, startsLeft } from './records.ts';
import { keyed, type Setting } from './setting.ts';
import { EARLY, expectedOf, type Program, type Step } from './steps.ts';
import { takeBack } from './taking-back.ts';

const LOOK_MS = 60;
const FAR_MS = 86_400_000;

/** Runs a program while the shop suffers faults, and takes it back; returns what is wrong. */
export async function drive(setting: Setting, program: Program): Promise<string[]> {
  const own = await make(setting, `p${program.seed}x`);
  const before = await recordsOf(setting.store, own);
  const { steps } = program;
  const first = await startAndFinish(setting, own, steps, own.mark);
  const expected = [expectedOf(steps, own)];
  const faults = await faultsOf(setting, own, { runs: [first], expected });
  const restarted = program.restarts && first.status === 'success' ? await restart(setting, own, program, first) : null;
  if (restarted) {
    expected.push(restarted.expected);
    faults.push(...(await faultsOf(setting, own, { runs: [first, restarted.run], expected })));
  }
  if (faults.length > 0) return faults;
  return takeBack(setting, own, { program, before });
}

async function make({ api, taxRateId }: Setting, mark: string): Promise<Own> {
  const { id: customer } = await api.customers.create({ name: 'At first', email: `own-${mark}@example.com` }, keyed(`${mark} customer`));
  const values = { slug: mark, name: mark, status: 'active', tax_rate_id: taxRateId } as const;
  const product = await api.products.create(values, keyed(`${mark} product`));
  const variant = await api.products.create_variant(product.id, { sku: mark, price_cents: 500, stock: 100 }, keyed(`${mark} variant`));
  const order = await api.orders.create(
    {
      customer: { name: 'Buyer', email: `buyer-${mark}@example.com`, phone: '' },
      shipping_address: null,
      items: [{ variant_id: variant.id, quantity: 1 }],
      ...{ shipping: { kind: 'none' }, payment_status: 'none', register_customer: false, send_confirmation_email: false },
    },
    keyed(`${mark} order`),
  );
  return { mark, customer, variant: variant.id, order: order.id };
}

async function startAndFinish(setting: Setting, own: Own, steps: Step[], mark: string): Promise<Run> {
  const { api, taskId } = setting;
  const parameters = { ...own, steps };
  const { run_id } = await api.ai_tasks.start_run(taskId, { parameters }, keyed(`${mark} run`));
  return finish(setting, { ...own, mark }, run_id, steps, 0);
}

type Restarted = { run: Run; expected: ReturnType<typeof expectedOf> };

async function restart(setting: Setting, own: Own, { seed, steps }: Program, { id }: Run): Promise<Restarted | null> {
  const { api, taskId } = setting;
  const kept = (await api.ai_tasks.list_checkpoints(taskId, id)).filter((one) => one.kept);
  const chosen = kept[seed % kept.length];
  if (!chosen) return null;
  const { state } = await api.ai_tasks.get_checkpoint_state(taskId, id, chosen.epoch);
  const { at, came } = JSON.parse(state) as { at: number; came: [number, unknown][] };
  const mark = `${own.mark}r`;
  const body = { checkpoint: chosen.epoch, parameters: { ...own, mark, steps } };
  const { run_id } = await api.ai_tasks.restart_run(taskId, id, body, keyed(`${mark} run`));
  const run = await finish(setting, { ...own, mark }, run_id, steps, at);
  return { run, expected: expectedOf(steps, { mark, order: own.order, from: at, earlier: came }) };
}

/** Brings what the run waits for until it has ended, and with it all that it has led to. */
async function finish(setting: Setting, own: Own, runId: number, steps: readonly Step[], from: number): Promise<Run> {
  const { api, store, taskId, stopping } = setting;
  await sendEarly(setting, own, runId, steps, from);
  for (;;) {
    stopping.throwIfAborted();
    const run = await api.ai_tasks.get_run(taskId, runId);
    if (run.status === 'running') await answer(setting, own, runId);
    else if (run.status !== 'success' || (await isOver(store, own.mark))) return run;
    await delay(LOOK_MS);
  }
}

async function isOver(store: Store, mark: string): Promise<boolean> {
  return (await startsLeft(store, mark)) === 0 && (await runsOf(store, mark)).every(({ status }) => status !== 'running');
}

async function sendEarly({ api, taskId }: Setting, { mark }: Own, runId: number, steps: readonly Step[], from: number): Promise<void> {
  for (const [at, { kind }] of steps.entries()) {
    if (kind !== 'early' || at < from) continue;
    await api.ai_tasks.signal_run(taskId, runId, { key: `${EARLY}${at}`, value: `${mark}/${at}` }, keyed(`${mark} ${EARLY}${at}`));
  }
}

async function answer(setting: Setting, own: Own, runId: number): Promise<void> {
  const { api, taskId } = setting;
  for (const { id, label, answered_at } of await api.ai_tasks.list_prompts(taskId, runId)) {
    if (answered_at !== null) continue;
    // The run may have been cut off meanwhile; it asks again.
    await api.ai_tasks
      .answer_prompt(taskId, runId, id, { answers: { n: label.length } }, keyed(`${own.mark} prompt ${id}`))
      .catch((error: unknown) => passOver(error, ['prompt_answered', 'run_not_running']));
  }
  for (const wait of await api.ai_tasks.list_waits(taskId, runId)) await bring(setting, own, runId, wait);
}

function passOver(error: unknown, codes: readonly string[]): void {
  if (!isRefusal(error, codes)) throw error;
}

/** Brings what a wait is for. The same wait is brought the same, under the same key, so that its event is stored once. */
async function bring({ api, store, taskId, tell }: Setting, { mark, order }: Own, runId: number, wait: RunWait): Promise<void> {
  const { id, event, match, until } = wait;
  const key = `${mark} wait ${id}`;
  if (event === 'order.status_changed') {
    const { status } = await api.orders.get(order);
    await api.orders
      .update_status(order, { status: status === 'processing' ? 'shipped' : 'processing' }, keyed(key))
      .catch((error: unknown) =>
        // The first request has come, and its answer was lost: this one has another status.
        passOver(error, ['idempotency_key_reused', 'idempotency_mismatch']),
      );
  } else if (event === 'hook:Told') await tell({ ...match, value: `${mark}/${String(match['at'])}` }, key);
  else if (event?.startsWith(`signal:${mark}/`))
    await api.ai_tasks.signal_run(taskId, runId, { key: event.slice('signal:'.length), value: event.slice('signal:'.length) }, keyed(key));
  else if (event === null && Date.parse(until) - Date.now() > FAR_MS) await passTimeOf(store, id);
}
