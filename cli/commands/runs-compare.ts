import { requestText } from '../../contract/request-text.ts';
import type { Outcome, RunComparison } from '../../contract/run-comparison.ts';
import type { RunRow } from '../../contract/runs.ts';
import { type Command, exactly, parse, readId, SERVER_HELP, say } from '../command.ts';
import type { RemoteShop } from '../remote-shop.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';

export const runsCompare: Command = {
  name: 'runs compare',
  usage: 'RUN_ID RUN_ID',
  about: 'shows in what the calls, effects and results of two runs differ',
  options: SERVER_HELP,
  notes: [
    'A line begins with - where only the first run has it, with + where only the second has it, with ~ where both have it in different forms.',
    'The exit code is 0 where all of both runs was compared and is the same, else 1.',
  ],
  async run(args) {
    const { values, positionals } = parse(args, serverOptions);
    const [a = '', b = ''] = exactly(positionals, ['RUN_ID', 'RUN_ID']);
    const { shop } = await openSession(values);
    const isSame = await showComparison(shop, readId('RUN_ID', a), readId('RUN_ID', b));
    return isSame ? 0 : 1;
  },
};

type Rows = { [Part in 'calls' | 'effects' | 'results']: RunComparison[Part]['data'] };

async function showComparison({ client }: RemoteShop, a: number, b: number): Promise<boolean> {
  const first = await client.ai_tasks.compare_runs({ a, b });
  const all: Rows = { calls: [...first.calls.data], effects: [...first.effects.data], results: [...first.results.data] };
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const page = await client.ai_tasks.compare_runs({ a, b, cursor });
    all.calls.push(...page.calls.data);
    all.effects.push(...page.effects.data);
    all.results.push(...page.results.data);
    cursor = page.next_cursor;
  }
  for (const run of [first.a, first.b]) say(`run ${run.id}  ${oneLine(run.task_name)}  ${endOf(run)}`);
  show('calls', first.calls, all.calls, (call) => `${call.method} ${call.path}  ${call.status}${requestText(call.request)}`);
  show('effects', first.effects, all.effects, ({ method, path, resource, changes }) =>
    [`${method} ${path}`, `${resource.type} ${resource.id ?? ''}`.trim(), JSON.stringify(changes)].join('  '),
  );
  show('results', first.results, all.results, ({ item, status, details }) => `${item}  ${status}  ${JSON.stringify(details)}`);
  say(first.result === 'same' ? 'result: the same' : `result:\n  - ${oneLine(resultOf(first.a))}\n  + ${oneLine(resultOf(first.b))}`);
  const parts = [first.calls, first.effects, first.results];
  return (
    first.a.status === first.b.status &&
    first.result === 'same' &&
    parts.every(({ changed, only_a, only_b, is_complete }) => is_complete && changed + only_a + only_b === 0)
  );
}

function endOf({ status, end_reason }: RunRow): string {
  return end_reason === null ? status : `${status} (${end_reason})`;
}

function resultOf({ result }: RunRow): string {
  return JSON.stringify(result);
}

type Part = Pick<RunComparison['calls'], 'same' | 'changed' | 'only_a' | 'only_b' | 'is_complete'>;

function show<T>(
  name: string,
  { same, changed, only_a, only_b, is_complete }: Part,
  rows: readonly { outcome: Outcome; a: T | null; b: T | null }[],
  textOf: (item: T) => string,
): void {
  const cut = is_complete ? '' : ', of the first ones that are compared';
  say(`${name}: ${same} the same, ${changed} changed, ${only_a} only in the first, ${only_b} only in the second${cut}`);
  for (const { outcome, a, b } of rows) {
    if (outcome === 'same') continue;
    if (a !== null) say(`  ${outcome === 'changed' ? '~' : '-'} ${oneLine(textOf(a))}`);
    if (b !== null) say(outcome === 'changed' ? `    → ${oneLine(textOf(b))}` : `  + ${oneLine(textOf(b))}`);
  }
}
