import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { AdminApi } from '../../../../contract/calls.ts';
import type { Check } from '../books.ts';
import { checkRest } from '../books.ts';
import { type ChaosOptions, type ChaosReport, type Scene, underFaults } from '../chaos.ts';
import { drive } from './driver.ts';
import type { Setting } from './setting.ts';
import { BATCH, programOf, RECEIVER, SCRIPT, SINGLE } from './steps.ts';

/** So many programs are under way at a time: most of them wait for something. */
const LANES = 10;
const AGAIN_MS = 100;
/** So short that most runs are hit, and so long that servers and runners come to work. */
const GAP_MS = { from: 100, below: 900 };
const ANSWERS = 120;

/**
 * Random programs with everything that runs can do, in a shop whose servers, runners, workers and connections are killed: each event wakes
 * once, nothing is doubled or lost, and what a program did is taken back. Their seeds are `seed` and the following ones.
 */
export function chaosOfPrograms(
  options: Omit<ChaosOptions, 'smallRuns' | 'onlyKills' | 'beforeBooks'>,
  count: number,
): Promise<ChaosReport> {
  const wrong = new Map<number, string[]>();
  let done = 0;
  const play = async (scene: Scene): Promise<{ work: Promise<unknown>[]; over: Promise<unknown> }> => {
    const setting = await prepare(scene);
    let next = options.seed;
    const lane = async (): Promise<void> => {
      while (next < options.seed + count && !scene.ending.aborted) {
        const seed = next;
        next += 1;
        const faults = await drive(setting, programOf(seed)).catch((error: unknown) => [String(error)]);
        done += 1;
        if (done % 50 === 0) options.say(`${done} programs have ended, ${wrong.size} of them wrong`);
        if (faults.length > 0) wrong.set(seed, faults);
        for (const fault of faults) options.say(`WRONG  program ${seed}: ${fault}`);
      }
    };
    const work = Promise.all(Array.from({ length: LANES }, lane));
    return { work: [work], over: work };
  };
  return underFaults(
    { ...options, onlyKills: true, gapMs: GAP_MS, answersBetween: ANSWERS },
    {
      begin: play,
      async books({ shop, ledger }) {
        const programs: Check = {
          name: 'programs: each event has woken once, nothing is doubled or lost, and each undo has led back',
          checked: done,
          faults: [...wrong].flatMap(([seed, faults]) => faults.map((fault) => `program ${seed}: ${fault}`)),
        };
        const answers = { name: 'no client was told what may not be', checked: null, faults: ledger.faults };
        return [programs, answers, ...(await checkRest(shop.store, join(shop.dataDir, 'files')))];
      },
    },
  );
}

async function prepare({ shop, api, giveUp }: Scene): Promise<Setting> {
  const tax = await api.tax_rates.create({ name: 'Full', rate_bps: 2000 });
  const json = (name: string) => ({ name, kind: 'json' as const });
  const number = (name: string) => ({ name, kind: 'number' as const });
  const string = (name: string) => ({ name, kind: 'string' as const });
  const notes = { description: '', permissions: ['admin_api.customers.write' as const] };
  const own = [string('mark'), number('customer'), string('n'), string('key')];
  const others = [
    await make(api, { ...notes, name: 'Batch', source_code: BATCH, parameters: [json('events')] }),
    await make(api, { ...notes, name: 'Single', source_code: SINGLE, parameters: own }),
    await make(api, { ...notes, name: 'Receiver', source_code: RECEIVER, parameters: [...own, number('count')] }),
  ];
  const taskId = await make(api, {
    ...{ name: 'Program', description: '', source_code: SCRIPT, may_start: others },
    parameters: [string('mark'), ...['customer', 'variant', 'order'].map(number), json('steps'), json('payload')],
    permissions: [
      ...(['admin_api.customers.write', 'admin_api.products.write', 'admin_api.orders.read', 'file_download'] as const),
      ...(['prompt_input', 'tasks_start'] as const),
    ],
  });
  const hook = await api.ai_tasks.create_hook(taskId, {
    ...{ name: 'Told', parameter: 'payload', idempotency_header: 'X-Call', repeats: 'once', rate_per_minute: 6000 },
  });
  const address = `${shop.url}${hook.url_path}`;
  return { api, store: shop.store, taskId, taxRateId: tax.id, tell: (body, call) => tell(address, body, call, giveUp), stopping: giveUp };
}

async function make(api: AdminApi, task: Parameters<AdminApi['ai_tasks']['create']>[0]): Promise<number> {
  const { task_id } = await api.ai_tasks.create(task);
  await api.ai_tasks.update(task_id, { settings: { on_interrupt: 'resume', max_attempts: 1000 } });
  return task_id;
}

async function tell(address: string, body: object, call: string, giveUp: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-call': call },
      body: JSON.stringify(body),
      signal: AbortSignal.any([giveUp, AbortSignal.timeout(4000)]),
    }).catch(() => null);
    const text = await answer?.body.text().catch(() => null);
    if (answer?.statusCode === 202 && text !== null) return;
    if (answer && text !== null && answer.statusCode < 500 && answer.statusCode !== 429)
      throw new Error(`the hook: ${answer.statusCode} ${text}`);
    giveUp.throwIfAborted();
    await delay(AGAIN_MS);
  }
}
