import { type Command, DIR_HELP, exactly, folderOption, parse, SERVER_HELP, say } from '../command.ts';
import { recallTasks } from '../memory.ts';
import { coloursFor, plain } from '../screen.ts';
import { changedFields, describeVersion, filesOf, findTask, isSameVersion, type ServerTask } from '../server-task.ts';
import { openSession, serverOptions } from '../session.ts';
import { type LocalTask, loadTask, metaText, taskNames } from '../task-files.ts';
import { unifiedDiff } from '../text-diff.ts';
import { ALL_TASKS, namesOr } from './task-push.ts';

/** The commands `task list`, `diff` and `status`, which show local tasks and compare them with the server; they change nothing. */

export const taskList: Command = {
  name: 'task list',
  usage: '[--dir DIR]',
  about: 'lists the names of the tasks in a folder',
  options: [DIR_HELP],
  example: 'npx backroom task list',
  async run(args) {
    const { values, positionals } = parse(args, folderOption);
    exactly(positionals, []);
    const names = await taskNames(values.dir);
    if (names.length > 0) say(names.join('\n'));
    return 0;
  },
};

export const taskDiff: Command = {
  name: 'task diff',
  usage: '[NAME]… [--dir DIR]',
  about: "shows how a folder's tasks differ from their newest versions on the server",
  options: [DIR_HELP, ...SERVER_HELP],
  notes: [ALL_TASKS, 'Lines with - are only on the server, lines with + only here.'],
  example: 'npx backroom task diff pending-orders',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...folderOption });
    const names = await namesOr(positionals, values.dir);
    const { server, shop } = await openSession(values);
    const remembered = await recallTasks(values.dir, server);
    for (const name of names) {
      const local = await loadTask(values.dir, name);
      const found = await findTask(shop.client, local.name, remembered.get(name));
      if (!found) say(`${name} is not on the server`);
      else for (const line of diffLines(local, found)) say(line);
    }
    return 0;
  },
};

export const taskStatus: Command = {
  name: 'task status',
  usage: '[NAME]… [--dir DIR]',
  about: "compares a folder's tasks with the server: same, changed here, newer there, pending",
  options: [DIR_HELP, ...SERVER_HELP],
  notes: [ALL_TASKS],
  example: 'npx backroom task status',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...folderOption });
    const names = await namesOr(positionals, values.dir);
    const { server, shop } = await openSession(values);
    const remembered = await recallTasks(values.dir, server);
    const width = Math.max(...names.map(({ length }) => length));
    for (const name of names) {
      const local = await loadTask(values.dir, name);
      const found = await findTask(shop.client, local.name, remembered.get(name));
      say(`${name.padEnd(width)}  ${found ? stateOf(local, found) : 'not on the server'}`);
    }
    return 0;
  },
};

function stateOf(local: LocalTask, { task, newest, known }: ServerTask): string {
  const where = `task ${task.id}`;
  if (task.deleted_at !== null) return `${where}, deleted on the server`;
  const running = task.current_version_id === null ? '; none can run yet' : '; an older one runs';
  const there = `${describeVersion(newest)}${task.current_version_id === newest.id ? '' : running}`;
  if (isSameVersion(local, newest)) {
    const changed = changedFields(local, task);
    return `${where}, same as ${there}${changed.length > 0 ? `; ${changed.join(', ')} changed here` : ''}`;
  }
  if (!known) return `${where}, differs from the server (${there}) and was never pulled`;
  const changed = isSameVersion(local, known) ? '' : `changed here since version ${known.version}`;
  if (known.id === newest.id) return `${where}, ${changed} (${there})`;
  return `${where}, ${[changed, `the server is newer: ${there}, version ${known.version} was pulled`].filter(Boolean).join(', and ')}`;
}

function diffLines(local: LocalTask, found: ServerTask): string[] {
  const theirs = filesOf(found, local);
  const { bold, green, red, dim } = coloursFor(process.stdout);
  const pairs = [
    [`${local.file}.task.json`, metaText(theirs), metaText(local)],
    [`${local.file}.ts`, theirs.source_code, local.source_code],
  ] as const;
  return pairs.flatMap(([file, before, after]) => {
    const hunks = unifiedDiff(before, after)
      .map(plain)
      .map((line) => (line.startsWith('+') ? green(line) : line.startsWith('-') ? red(line) : line.startsWith('@@') ? dim(line) : line));
    if (hunks.length === 0) return [];
    return [bold(`--- ${file} (server, ${describeVersion(found.newest)})`), bold(`+++ ${file} (here)`), ...hunks];
  });
}
