import { JsonObject } from '../../contract/run-events.ts';
import type { Run } from '../../contract/runs.ts';
import { answerQuestions } from '../answers.ts';
import { type Command, exactly, note, parse, readId, SERVER_HELP } from '../command.ts';
import { UsageError } from '../failure.ts';
import type { RemoteShop } from '../remote-shop.ts';
import { showRun } from '../run-screen.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';

/** What holds for every command that shows a run to its end. */
export const RUN_NOTES = [
  'The exit code is 0 where the run ends in success, else 1. Ctrl-C stops showing the run, which goes on (exit code 130).',
];

export const runWatch: Command = {
  name: 'run watch',
  usage: 'TASK_ID RUN_ID [--answer KEY=VALUE]…',
  about: 'shows a run from its first line on, live, with a bar for its progress',
  options: [
    ['--answer KEY=VALUE', 'the answer for the field of that name, where the run asks a question; may be given several times'],
    ...SERVER_HELP,
  ],
  notes: RUN_NOTES,
  example: 'npx backroom run watch 3 1',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, answer: { type: 'string', multiple: true, default: [] } });
    const [task = '', run = ''] = exactly(positionals, ['TASK_ID', 'RUN_ID']);
    const at = { taskId: readId('TASK_ID', task), runId: readId('RUN_ID', run) };
    const answers = readPairs('--answer', values.answer);
    const { shop } = await openSession(values);
    // An unknown run is reported here, before its stream is requested.
    await shop.client.ai_tasks.get_run(at.taskId, at.runId);
    return exitCodeOf(await watch(shop, at, answers));
  },
};

/** Shows a run to its end; undefined where Ctrl-C stopped the showing before. */
export async function watch(shop: RemoteShop, at: { taskId: number; runId: number }, answers: JsonObject): Promise<Run | undefined> {
  const stop = new AbortController();
  const leave = (): void => stop.abort();
  process.once('SIGINT', leave);
  try {
    const answer = answerQuestions(shop, at, answers, (names, promptId) => {
      const path = `/admin/api/ai-tasks/${at.taskId}/runs/${at.runId}/prompts/${promptId}/answer`;
      note(`the run waits for answers to ${oneLine(names)}: give --answer NAME=VALUE, or POST them to ${path}`);
    });
    return await showRun(shop, at.taskId, at.runId, process.stdout, { onEvent: answer, signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    note(`The run goes on; to see it again: backroom run watch ${at.taskId} ${at.runId}`);
    return undefined;
  } finally {
    process.off('SIGINT', leave);
  }
}

export function exitCodeOf(run: Run | undefined): number {
  if (!run) return 130;
  return run.status === 'success' ? 0 : 1;
}

/** Reads pairs `KEY=VALUE`; a value that is valid JSON is read as JSON, any other as text. */
export function readPairs(option: string, pairs: readonly string[]): JsonObject {
  return JsonObject.parse(Object.fromEntries(pairs.map((pair) => splitPair(option, pair)).map(([key, value]) => [key, readValue(value)])));
}

export function splitPair(option: string, pair: string): [key: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`${option} ${pair}: KEY=VALUE is expected`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
