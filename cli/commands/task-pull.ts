import { slugOf } from '../../contract/texts.ts';
import { type Command, DIR_HELP, folderOption, parse, readId, SERVER_HELP, say } from '../command.ts';
import { Failure, UsageError } from '../failure.ts';
import { recallTasks, rememberTask } from '../memory.ts';
import { describeVersion, entryOf, filesOf, findTask, isSameVersion, listTasks, readTask, type ServerTask } from '../server-task.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import {
  checkFileName,
  exists,
  hashOf,
  type LoadedTask,
  type LocalTask,
  loadMeta,
  loadTask,
  metaText,
  pathsOf,
  saveTask,
  taskNames,
} from '../task-files.ts';
import { ALL_TASKS } from './task-push.ts';

export const taskPull: Command = {
  name: 'task pull',
  usage: '[NAME | TASK_ID]… [--all] [--as NAME] [--dir DIR] [--force]',
  about: 'writes the newest version of tasks into a folder',
  options: [
    ['--all', 'all tasks of the server'],
    ['--as NAME', 'the name for the files of the one task (default: made from its name on the server)'],
    ['--force', 'overwrites files that were changed here'],
    DIR_HELP,
    ...SERVER_HELP,
  ],
  notes: [ALL_TASKS],
  example: 'npx backroom task pull 1 --dir pulled',
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      ...folderOption,
      all: { type: 'boolean', default: false },
      as: { type: 'string' },
      force: { type: 'boolean', default: false },
    });
    if (values.all && positionals.length > 0) throw new UsageError('--all and a NAME cannot be used together');
    if (values.as !== undefined && positionals.length !== 1) throw new UsageError('--as names the files of one task: give one TASK_ID');
    const session = await openSession(values);
    const wanted = values.all ? await everyTask(session, values.dir) : await namedTasks(session, values, positionals);
    for (const { file, found } of wanted) say(await pullInto(session, values.dir, file, found, values.force));
    return 0;
  },
};

type Wanted = { file: string; found: ServerTask };

async function everyTask({ server, shop }: Session, folder: string): Promise<Wanted[]> {
  const remembered = [...(await recallTasks(folder, server))];
  const names = remembered.map(([name]) => name);
  const wanted: Wanted[] = [];
  for (const { id } of await listTasks(shop.client)) {
    const known = remembered.find(([, entry]) => entry.task_id === id);
    const found = known && (await findTask(shop.client, '', known[1]));
    const task = found ?? (await readTask(shop.client, id));
    wanted.push({ file: found && known ? known[0] : fileNameOf(task, [...names, ...wanted.map(({ file }) => file)]), found: task });
  }
  return wanted;
}

async function namedTasks(
  { server, shop }: Session,
  { dir: folder, as, force }: { dir: string; as?: string | undefined; force: boolean },
  names: readonly string[],
): Promise<Wanted[]> {
  const remembered = await recallTasks(folder, server);
  const local = await taskNames(folder).catch((): string[] => []);
  const wanted: Wanted[] = [];
  for (const name of names.length > 0 ? names : local) {
    if (/^\d+$/.test(name)) {
      const found = await readTask(shop.client, readId('TASK_ID', name));
      const [file] = [...remembered].find(([, entry]) => entry.task_id === found.task.id) ?? [];
      wanted.push({
        file: as ?? file ?? fileNameOf(found, [...remembered.keys(), ...wanted.map((one) => one.file)]),
        found: await withKnown(found, file),
      });
      continue;
    }
    checkFileName(name);
    const title = local.includes(name) ? await titleIn(folder, name, force) : await titleOf(name);
    const found = await findTask(shop.client, title, remembered.get(name));
    if (found) wanted.push({ file: as ?? name, found });
    else if (names.length > 0) throw new Failure(`${name}: there is no such task on the server`);
    else say(`${name}: not on the server`);
  }
  return wanted;

  async function withKnown(found: ServerTask, file: string | undefined): Promise<ServerTask> {
    return (file && (await findTask(shop.client, found.task.name, remembered.get(file)))) || found;
  }

  async function titleOf(file: string): Promise<string> {
    if (remembered.get(file)) return '';
    const tasks = await listTasks(shop.client);
    const title = tasks.find(({ name }) => slugOf(name) === file)?.name;
    if (title !== undefined) return title;
    const known = tasks.map(({ name }) => slugOf(name)).slice(0, 50);
    throw new Failure(`${file}: there is no such task on the server; there are: ${known.join(', ') || 'none'}`);
  }
}

async function pullInto({ server }: Session, folder: string, file: string, found: ServerTask, force: boolean): Promise<string> {
  checkFileName(file);
  const { task, newest, known } = found;
  if (task.deleted_at !== null) throw new Failure(`${file}: task ${task.id} was deleted on the server`);
  const isHere = (await taskNames(folder).catch((): string[] => [])).includes(file);
  const { source } = pathsOf(folder, file);
  if (!isHere && !force && (await exists(source)))
    throw new Failure(
      `${source} exists and belongs to no task: --as NAME gives the files of task ${task.id} another name, --force overwrites it`,
    );
  const mine = isHere ? await loadHere(folder, file, force) : undefined;
  const theirs: LocalTask = { ...filesOf(found, mine), file };
  const summary = `${file}: task ${task.id}, ${describeVersion(newest)}`;
  const isSame = mine && isSameVersion(mine, newest) && metaText(mine) === metaText(theirs);
  if (!isSame) {
    const pulled = (await recallTasks(folder, server)).get(file)?.meta_sha256;
    const isMetaKept = !mine || pulled === undefined || pulled === hashOf(metaText(mine));
    const isSourceKept = !mine || isSameVersion(mine, newest) || (known !== undefined && isSameVersion(mine, known));
    const isKept = isMetaKept && isSourceKept;
    if (known?.id === newest.id && !isKept && !force) return `${summary}; no newer version on the server, and changed here`;
    if (!isKept && !force) {
      const since = known ? `was changed here since version ${known.version}` : 'is here already and differs from the server';
      throw new Failure(`${file} ${since}; see "backroom task diff ${file}"; --force overwrites it with ${describeVersion(newest)}`);
    }
    await saveTask(folder, theirs);
  }
  const isTheirs = !isSame || mine.pulled;
  await rememberTask(folder, server, file, { ...entryOf(task.id, newest, theirs), ...(isTheirs ? { pulled: true } : {}) });
  return isSame ? `${summary}; already here` : summary;
}

/** The task's name as the folder has it; empty where it cannot be read and `force` overwrites the file anyway. */
async function titleIn(folder: string, file: string, force: boolean): Promise<string> {
  return (await unlessDamaged(loadMeta(folder, file), force))?.name ?? '';
}

/** Loads the local task; with `force` a damaged one counts as none, because it is overwritten anyway. */
function loadHere(folder: string, file: string, force: boolean): Promise<LoadedTask | undefined> {
  return unlessDamaged(loadTask(folder, file), force);
}

async function unlessDamaged<T>(loaded: Promise<T>, force: boolean): Promise<T | undefined> {
  return loaded.catch((error) => {
    if (force && error instanceof Failure) return undefined;
    throw error;
  });
}

function fileNameOf({ task }: ServerTask, taken: readonly string[]): string {
  const name = slugOf(task.name) || `task-${task.id}`;
  return taken.includes(name) ? `${name}-${task.id}` : name;
}
