import type { JsonObject } from '../../contract/run-events.ts';
import { type Command, DIR_HELP, exactly, folderOption, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { readEffects } from '../effects.ts';
import { Failure } from '../failure.ts';
import type { RemoteShop } from '../remote-shop.ts';
import { shorten } from '../run-screen.ts';
import { coloursFor, oneLine } from '../screen.ts';
import { describeVersion } from '../server-task.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import { exitCodeOf, readPairs, splitPair, watch } from './run-watch.ts';
import { PUSH_HELP, pushFrom, pushOptions, showPushed } from './task-push.ts';

export const taskRun: Command = {
  name: 'task run',
  usage: 'NAME | TASK_ID [--set KEY=VALUE]… [--file KEY=PATH]… [--answer KEY=VALUE]… [--dry-run] [--record] [--dir DIR] [--force] [--yes]',
  about: 'pushes a task, runs it and shows the run; with a TASK_ID it runs the version on the server',
  details: `  --set KEY=VALUE     a parameter; a value that is valid JSON is read as JSON, any other as text
  --file KEY=PATH     a parameter of kind file: uploads the file and gives its id
  --answer KEY=VALUE  the answer for the field of that name, where the run asks a question
  --dry-run           changes nothing in the shop; shows what the run would change
  --record            records the run, so that it can be replayed
${PUSH_HELP}
${DIR_HELP}\n${SERVER_HELP}
The exit code is 0 where the run ends in success, else 1. Ctrl-C stops showing the run, which goes on.`,
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      ...folderOption,
      set: { type: 'string', multiple: true, default: [] },
      file: { type: 'string', multiple: true, default: [] },
      answer: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      ...pushOptions,
    });
    const [name = ''] = exactly(positionals, ['NAME or TASK_ID']);
    const given = readPairs('--set', values.set);
    const answers = readPairs('--answer', values.answer);
    const files = values.file.map((pair) => splitPair('--file', pair));
    const session = await openSession(values);
    const { shop } = session;
    const taskId = /^\d+$/.test(name) ? readId('TASK_ID', name) : await pushToRun(session, values, name);
    const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, {
      parameters: { ...given, ...(await uploadFiles(shop, files)) },
      ...(values['dry-run'] ? { dry_run: true } : {}),
      ...(values.record ? { record: true } : {}),
    });
    note(`${name}: run ${runId} of task ${taskId}`);
    const run = await watch(shop, { taskId, runId }, answers);
    if (run && values['dry-run']) await showPlan(shop, taskId, runId);
    return exitCodeOf(run);
  },
};

/** Pushes the task before a run; throws unless the version in the folder is the one that the server would run. */
async function pushToRun(session: Session, values: Parameters<typeof pushFrom>[1], name: string): Promise<number> {
  const pushed = await pushFrom(session, values, name, note);
  if (pushed.outcome !== 'unchanged' || pushed.renamed) showPushed(name, pushed, note);
  const { approval, id } = pushed.version;
  if (approval !== 'approved') throw new Failure(`${name} was pushed, but cannot run: ${describeVersion(pushed.version)}`);
  const { task } = await session.shop.client.ai_tasks.get(pushed.taskId);
  if (task.current_version_id !== id)
    throw new Failure(`${name} cannot run: another version is the current one; see "backroom task status"`);
  return pushed.taskId;
}

async function uploadFiles(shop: RemoteShop, files: readonly (readonly [key: string, path: string])[]): Promise<JsonObject> {
  const ids: [string, number][] = [];
  for (const [key, path] of files) ids.push([key, await shop.upload(path)]);
  return Object.fromEntries(ids);
}

/** Shows the effects of a dry run: every write, with the values before and after. */
async function showPlan(shop: RemoteShop, taskId: number, runId: number): Promise<void> {
  const { bold, dim } = coloursFor(process.stdout);
  const effects = await readEffects(shop, taskId, runId);
  const lines = effects.flatMap(({ method, path, status, changes }) => [
    `${method} ${path}${status < 400 ? '' : ` ${status}`}`,
    ...Object.entries(changes).map(([field, [before, next]]) =>
      dim(`  ${oneLine(field)}: ${JSON.stringify(before)} → ${JSON.stringify(next)}`),
    ),
  ]);
  say(`  ${bold('plan')} ${effects.length === 0 ? 'no writes' : `${effects.length} writes, none of them made`}`);
  if (effects.length > 0) say(`  ${shorten(lines.join('\n'), process.stdout).replaceAll('\n', '\n  ')}`);
}
