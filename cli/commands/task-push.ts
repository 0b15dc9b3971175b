import { type Command, DIR_HELP, folderOption, note, type Option, parse, SERVER_HELP, say } from '../command.ts';
import { confirm } from '../confirm.ts';
import { Failure, UsageError } from '../failure.ts';
import { recallTasks, rememberTask } from '../memory.ts';
import { type Pushed, pushTask } from '../push.ts';
import { oneLine, plain } from '../screen.ts';
import { describeVersion } from '../server-task.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import { loadTask, savePermissionTypes, taskNames } from '../task-files.ts';
import { unifiedDiff } from '../text-diff.ts';

/** The options of every command that pushes. */
export const pushOptions = {
  force: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  note: { type: 'string' },
} as const;
export const PUSH_HELP: readonly Option[] = [
  ['--force', 'pushes over a version that is newer than the one pulled'],
  ['--note TEXT', 'what you say about the new version, for those who decide on it'],
  ['--yes', 'pushes a changed source that came from the server without asking; the changes are still shown'],
];
export const ALL_TASKS = 'Without a NAME, all tasks of the folder are meant.';

export const taskPush: Command = {
  name: 'task push',
  usage: '[NAME]… [--note TEXT] [--dir DIR] [--force] [--yes]',
  about: 'creates the tasks of a folder on the server, or gives them new versions; shows added and removed permissions',
  options: [...PUSH_HELP, DIR_HELP, ...SERVER_HELP],
  notes: [ALL_TASKS, 'A new version is refused where the server has a newer one than was pulled (--force).'],
  example: "npx backroom task push pending-orders --note 'Counts the orders'",
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...folderOption, ...pushOptions });
    const names = await namesOr(positionals, values.dir);
    const session = await openSession(values);
    for (const name of names) showPushed(name, await pushFrom(session, values, name, say), say);
    return 0;
  },
};

/** The given names, or the names of all tasks in the folder where none is given. */
export async function namesOr(given: readonly string[], folder: string): Promise<readonly string[]> {
  if (given.length > 0) return given;
  const names = await taskNames(folder);
  if (names.length === 0)
    throw new UsageError(`there is no task in ${folder}: backroom task new NAME makes one, --dir names another folder`);
  return names;
}

/** Pushes one task of the folder and remembers its version in the folder. */
export async function pushFrom(
  { server, shop }: Session,
  { dir: folder, force, yes, note: text }: { dir: string; force: boolean; yes: boolean; note?: string | undefined },
  name: string,
  write: (text: string) => void,
): Promise<Pushed> {
  const local = await loadTask(folder, name);
  const entry = (await recallTasks(folder, server)).get(name);
  let isTheirs = local.pulled;
  const approve = async (before: string): Promise<void> => {
    // Where the source does not change, nobody has looked at it, so it still counts as the server's text.
    if (!isTheirs || before === local.source_code) return;
    await approvePulled({ name, before, after: local.source_code, yes, write, act: 'push' });
    isTheirs = false;
  };
  const pushed = await pushTask(shop.client, local, { entry, force, note: text, approve });
  if (text !== undefined && pushed.outcome === 'unchanged') note(`${name}: nothing was changed, so the note is not stored`);
  await rememberTask(folder, server, name, { ...pushed.entry, ...(isTheirs ? { pulled: true } : {}) });
  await savePermissionTypes(folder, local);
  return pushed;
}

type Asked = { name: string; before: string; after: string; yes: boolean; write: (text: string) => void; act: 'push' | 'try' };

const ACTS = {
  push: { done: 'pushed', does: 'pushes', ask: 'Push' },
  try: { done: 'tried', does: 'tries', ask: 'Try' },
};

/** Shows the changes and asks, because the user would push or try, in their own name, a text that others may have written. */
export async function approvePulled({ name, before, after, yes, write, act }: Asked): Promise<void> {
  const { done, does, ask } = ACTS[act];
  write(`${name}: its source came from the server; it differs from the newest version there in these lines:`);
  for (const line of unifiedDiff(before, after)) write(plain(line));
  if (yes) return;
  const what = `${name} is not ${done}: its source came from the server`;
  if (!process.stdin.isTTY) throw new Failure(`${what}, and nobody can be asked here; --yes ${does} it as it is shown`);
  if (!(await confirm(`${ask} ${name} as it is shown?`, process.stdin, process.stderr))) throw new Failure(what);
}

export function showPushed(name: string, { taskId, version, outcome, changed, permissions }: Pushed, write: (text: string) => void): void {
  write(`${name}: task ${taskId}, ${outcome}${changed.length > 0 ? `, ${changed.join(', ')} changed` : ''}: ${describeVersion(version)}`);
  for (const permission of permissions.added) write(`  + ${oneLine(permission)}`);
  for (const permission of permissions.removed) write(`  - ${oneLine(permission)}`);
  if (outcome === 'new version' && permissions.added.length + permissions.removed.length === 0) write('  the same permissions as before');
  for (const { line, column, message } of version.warnings) note(`  ${name}.ts:${line}:${column} ${oneLine(message)}`);
}
