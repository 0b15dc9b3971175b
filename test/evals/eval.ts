import { parseArgs } from 'node:util';
import { MODEL_KEY, type Provider } from '../helpers/model-server.ts';
import { cases } from './cases.ts';
import { type Account, runCases, type Verdict } from './evals.ts';
import { createJudge } from './judge.ts';
import { leaks, openRecordedModel } from './recorded.ts';
import { tableOf } from './report.ts';
import { openEvalShop } from './shop.ts';

const USAGE = `npm run eval -- --provider openai|anthropic --model NAME [--base-url URL] [--case NAME …]
npm run eval -- --recorded [--provider openai|anthropic] [--case NAME …]

Asks the assistant for what shops wish, in a sample shop of its own, and judges each draft: whether its types are right, whether it runs
dry, changes exactly the records that it should, and asks for no permission too many. The key of the model is read from EVAL_API_KEY.
--recorded: plays turns that were written by hand, with their faults, to both providers' adapters, without a network.

Cases: ${cases.map(({ name }) => name).join(', ')}`;

const PROVIDERS: readonly Provider[] = ['openai', 'anthropic'];
/** A model of others is asked less at once, because it counts requests. */
const AT_ONCE = { recorded: 6, live: 2 };

const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    case: { type: 'string', multiple: true },
    recorded: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const provider = PROVIDERS.find((name) => name === values.provider);
const chosen = cases.filter(({ name }) => values.case?.includes(name) ?? true);
const unknown = values.case?.filter((name) => !cases.some((one) => one.name === name)) ?? [];
const isWrong =
  unknown.length > 0 || (values.provider !== undefined && !provider) || (!values.recorded && (!provider || values.model === undefined));
if (values.help || isWrong) {
  process.stderr.write(`${unknown.length > 0 ? `There is no case ${unknown.join(', ')}.\n\n` : ''}${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}

const shop = await openEvalShop();
const judge = createJudge(shop);
try {
  const isPassed = values.recorded ? await playRecorded() : await askModel();
  if (!isPassed) process.exitCode = 1;
} finally {
  await shop.close();
}

async function playRecorded(): Promise<boolean> {
  const { data, secrets } = shop;
  const model = await openRecordedModel(chosen, data);
  try {
    let isPassed = true;
    for (const name of provider ? [provider] : PROVIDERS) {
      const account: Account = { provider: name, base_url: model.url(name), model: 'recorded', api_key: MODEL_KEY };
      const verdicts = await runCases({ shop, judge, cases: chosen, atOnce: AT_ONCE.recorded, isRecorded: true }, account);
      const leaked = leaks(model, name, [...secrets, MODEL_KEY], data);
      if (!show(`recorded, ${name}`, verdicts, leaked)) isPassed = false;
    }
    return isPassed;
  } finally {
    await model.close();
  }
}

async function askModel(): Promise<boolean> {
  const base = values['base-url'];
  const api_key = process.env['EVAL_API_KEY'] ?? null;
  const account = { provider: provider ?? 'openai', model: values.model ?? '', api_key, ...(base !== undefined && { base_url: base }) };
  const verdicts = await runCases({ shop, judge, cases: chosen, atOnce: AT_ONCE.live, isRecorded: false }, account);
  return show(`${account.provider}, ${account.model}`, verdicts, []);
}

function show(title: string, verdicts: readonly Verdict[], others: readonly string[]): boolean {
  process.stdout.write(`${tableOf(title, verdicts)}\n${others.map((fault) => `✖ ${fault}\n`).join('')}`);
  return others.length === 0 && verdicts.every(({ faults }) => faults.length === 0);
}
