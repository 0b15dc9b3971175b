import { setTimeout as pause } from 'node:timers/promises';
import type { AssistantConversation } from '../../contract/assistant.ts';
import type { SettingsPatch } from '../../contract/settings.ts';
import type { EvalCase } from './case.ts';
import type { Judge } from './judge.ts';
import type { EvalShop } from './shop.ts';

export type Account = { provider: 'openai' | 'anthropic'; base_url?: string; model: string; api_key: string | null };
export type Verdict = { name: string; topic: string; faults: string[]; calls: number; tokens: number; seconds: number };

const THREAD_TOKENS = 400_000;
const DAY_TOKENS = 50_000_000;
const POLL_MS = 150;
/** How often a thread that failed goes on, as a person would let it. */
const RETRIES = 2;

type Evals = { shop: EvalShop; judge: Judge; cases: readonly EvalCase[]; atOnce: number; isRecorded: boolean };

/** Asks the assistant of the shop for each wish, some at a time, and judges what it made. */
export async function runCases({ cases, atOnce, ...evals }: Evals, account: Account): Promise<Verdict[]> {
  const limits = { thread_tokens: THREAD_TOKENS, day_tokens: DAY_TOKENS, admin_day_tokens: DAY_TOKENS, keep_days: 1 };
  const assistant: SettingsPatch['assistant'] = { ...account, ...limits };
  await evals.shop.client.settings.update({ assistant });
  const verdicts: Verdict[] = [];
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) verdicts.push(await runCase(evals, one));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const order = new Map(cases.map(({ name }, n) => [name, n]));
  return verdicts.toSorted((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
}

async function runCase({ shop, judge, isRecorded }: Omit<Evals, 'cases' | 'atOnce'>, one: EvalCase): Promise<Verdict> {
  const began = performance.now();
  const { name, topic } = one;
  try {
    const thread = await converse(shop, one.wish);
    const seconds = (performance.now() - began) / 1000;
    const calls = thread.items.filter(({ kind }) => kind === 'tool').length;
    const faults = [...(await judge(one, thread)), ...(isRecorded ? unnoticed(one, thread) : [])];
    return { name, topic, faults, calls, tokens: thread.tokens_used, seconds };
  } catch (error) {
    return { name, topic, faults: [String(error)], calls: 0, tokens: 0, seconds: (performance.now() - began) / 1000 };
  }
}

function unnoticed({ notices = [] }: EvalCase, { items }: AssistantConversation): string[] {
  const told = items.flatMap((item) => (item.kind === 'notice' ? [item.code] : []));
  return notices.filter((code) => !told.includes(code)).map((code) => `there is no notice ${code}`);
}

async function converse({ client: { assistant } }: EvalShop, wish: string): Promise<AssistantConversation> {
  const { id } = await assistant.create_thread({});
  await assistant.send_message(id, { text: wish });
  for (let retries = 0; ; ) {
    const thread = await assistant.get_thread(id);
    if (thread.state === 'working') await pause(POLL_MS);
    else if (thread.state === 'failed' && retries < RETRIES) {
      retries += 1;
      await assistant.retry(id);
    } else return thread;
  }
}
