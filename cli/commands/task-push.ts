import { type Command, DIR_HELP, folderOption, note, parse, SERVER_HELP, say } from '../command.ts';
import { UsageError } from '../failure.ts';
import { recallTasks, rememberTask } from '../memory.ts';
import { type Pushed, pushTask } from '../push.ts';
import { describeVersion } from '../server-task.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import { loadTask, savePermissionTypes, taskNames } from '../task-files.ts';

export const taskPush: Command = {
  name: 'task push',
  usage: '[NAME]… [--dir DIR] [--force]',
  about: 'makes the tasks of a folder on the server, or gives them a new version; shows what it may more or less',
  details: `Without a NAME: all tasks of the folder.
  --force        pushes over a version that is newer than the one pulled
${DIR_HELP}\n${SERVER_HELP}`,
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...folderOption, force: { type: 'boolean', default: false } });
    const names = await namesOr(positionals, values.dir);
    const session = await openSession(values);
    for (const name of names) showPushed(name, await pushFrom(session, values.dir, name, values.force), say);
    return 0;
  },
};

/** The names given, or all of the folder. */
export async function namesOr(given: readonly string[], folder: string): Promise<readonly string[]> {
  if (given.length > 0) return given;
  const names = await taskNames(folder);
  if (names.length === 0)
    throw new UsageError(`there is no task in ${folder}: backroom task new NAME makes one, --dir names another folder`);
  return names;
}

/** Pushes one task of the folder and remembers its version there. */
export async function pushFrom({ server, shop }: Session, folder: string, name: string, force: boolean): Promise<Pushed> {
  const local = await loadTask(folder, name);
  const entry = (await recallTasks(folder, server))[name];
  const pushed = await pushTask(shop.client, local, { entry, force });
  await rememberTask(folder, server, name, pushed.entry);
  await savePermissionTypes(folder, local);
  return pushed;
}

export function showPushed(name: string, { taskId, version, outcome, renamed, permissions }: Pushed, write: (text: string) => void): void {
  write(`${name}: task ${taskId}, ${outcome}${renamed ? ', name and description changed' : ''}: ${describeVersion(version)}`);
  for (const permission of permissions.added) write(`  + ${permission}`);
  for (const permission of permissions.removed) write(`  - ${permission}`);
  if (outcome === 'new version' && permissions.added.length + permissions.removed.length === 0) write('  the same permissions as before');
  for (const { line, column, message } of version.warnings) note(`  ${name}.ts:${line}:${column} ${message}`);
}
