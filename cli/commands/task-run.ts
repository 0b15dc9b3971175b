import type { JsonObject } from '../../contract/run-events.ts';
import { type Command, DIR_HELP, exactly, folderOption, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { readEffects } from '../effects.ts';
import { Failure, UsageError } from '../failure.ts';
import { recallTasks } from '../memory.ts';
import type { RemoteShop } from '../remote-shop.ts';
import { shorten } from '../run-screen.ts';
import { coloursFor, oneLine } from '../screen.ts';
import { describeVersion, findTask } from '../server-task.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import { grantsOf, loadTask } from '../task-files.ts';
import { exitCodeOf, RUN_NOTES, readPairs, splitPair, watch } from './run-watch.ts';
import { approvePulled, PUSH_HELP, pushFrom, pushOptions, showPushed } from './task-push.ts';

export const taskRun: Command = {
  name: 'task run',
  usage:
    'NAME | TASK_ID [--set KEY=VALUE]… [--file KEY=PATH]… [--answer KEY=VALUE]… [--dry-run | --draft] [--record] [--dir DIR] [--force] [--yes]',
  about: 'pushes a task, runs it and shows the run; with a TASK_ID it runs the version on the server',
  options: [
    ['--set KEY=VALUE', 'a parameter; a value that is valid JSON is read as JSON, any other as text; may be given several times'],
    ['--file KEY=PATH', 'a parameter of kind file: uploads the file and gives its id; may be given several times'],
    ['--answer KEY=VALUE', 'the answer for the field of that name, where the run asks a question; may be given several times'],
    ['--dry-run', 'changes nothing in the shop; shows what the run would change'],
    ['--draft', 'a dry run of what is in the folder, without pushing it: no version is made; the task must be on the server'],
    ['--record', 'records the run, so that it can be replayed'],
    ...PUSH_HELP,
    DIR_HELP,
    ...SERVER_HELP,
  ],
  notes: RUN_NOTES,
  example: 'npx backroom task run low-stock --set threshold=3 --dry-run\nnpx backroom task run 1 --set threshold=3 --record',
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      ...folderOption,
      set: { type: 'string', multiple: true, default: [] },
      file: { type: 'string', multiple: true, default: [] },
      answer: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
      draft: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      ...pushOptions,
    });
    const [name = ''] = exactly(positionals, ['NAME or TASK_ID']);
    const isId = /^\d+$/.test(name);
    if (values.draft && isId) throw new UsageError('--draft needs the NAME of a task in the folder, not a TASK_ID');
    if (values.draft && (values.force || values.note !== undefined))
      throw new UsageError('--draft pushes nothing: --force and --note cannot be used with it');
    const isDry = values['dry-run'] || values.draft;
    const given = readPairs('--set', values.set);
    const answers = readPairs('--answer', values.answer);
    const files = values.file.map((pair) => splitPair('--file', pair));
    const session = await openSession(values);
    const { shop } = session;
    const { taskId, ...executed } = isId
      ? { taskId: readId('TASK_ID', name) }
      : values.draft
        ? await draftToTry(session, values, name)
        : await pushToRun(session, { ...values, isDry }, name);
    const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, {
      parameters: { ...given, ...(await uploadFiles(shop, files)) },
      ...(isDry ? { dry_run: true } : {}),
      ...executed,
      ...(values.record ? { record: true } : {}),
    });
    note(`${name}: run ${runId} of task ${taskId}`);
    const run = await watch(shop, { taskId, runId }, answers);
    if (run && isDry) await showPlan(shop, taskId, runId);
    return exitCodeOf(run);
  },
};

/**
 * Pushes the task before a run; throws unless the version in the folder is the one that the server would run. A dry run can
 * also be of a version that waits for approval.
 */
async function pushToRun(session: Session, { isDry, ...values }: Parameters<typeof pushFrom>[1] & { isDry: boolean }, name: string) {
  const pushed = await pushFrom(session, values, name, note);
  if (pushed.outcome !== 'unchanged' || pushed.changed.length > 0) showPushed(name, pushed, note);
  const { approval, id } = pushed.version;
  if (isDry) return { taskId: pushed.taskId, version_id: id };
  if (approval !== 'approved') throw new Failure(`${name} was pushed, but cannot run: ${describeVersion(pushed.version)}`);
  const { task } = await session.shop.client.ai_tasks.get(pushed.taskId);
  if (task.current_version_id !== id)
    throw new Failure(`${name} cannot run: another version is the current one; see "backroom task status"`);
  return { taskId: pushed.taskId };
}

/** Loads the task of the folder for a dry run as a draft, and finds the task on the server. */
async function draftToTry({ server, shop }: Session, { dir, yes }: Parameters<typeof pushFrom>[1], name: string) {
  const { name: title, source_code, permissions, parameters, pulled, ...rest } = await loadTask(dir, name);
  const found = await findTask(shop.client, title, (await recallTasks(dir, server)).get(name));
  if (!found) throw new Failure(`${name} is not on the server: --draft tries changes of a task that was pushed before`);
  const before = found.newest.source_code;
  if (pulled && before !== source_code) await approvePulled({ name, before, after: source_code, yes, write: note, act: 'try' });
  return { taskId: found.task.id, draft: { source_code, permissions, parameters, ...grantsOf(rest) } };
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
