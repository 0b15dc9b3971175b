import { z } from 'zod';
import { type AdminApi, ApiError } from '../contract/calls.ts';
import { ParameterDeclaration, type Task, type TaskVersion } from '../contract/tasks.ts';
import { Failure } from './failure.ts';
import type { Entry } from './memory.ts';
import { grantsOf, hashOf, metaText, type TaskFile } from './task-files.ts';
import { hasSettings, settingsForFile } from './task-settings.ts';

export type ServerTask = {
  task: Task;
  /** The newest version, whether it is approved, pending or rejected. */
  newest: TaskVersion;
  /** The version that was pulled or pushed last; undefined where there is none, or where it was on another database. */
  known: TaskVersion | undefined;
};

/** Finds a task on the server by the remembered entry, else by its name there. An empty name finds none. */
export async function findTask(client: AdminApi, title: string, entry: Entry | undefined): Promise<ServerTask | undefined> {
  if (entry) {
    const known = await orNone(client.ai_tasks.get_version(entry.task_id, entry.version_id));
    // A task of another database may have the same ids, so the source must be the remembered one too.
    const isIt = known && (entry.source_sha256 ?? known.source_sha256) === known.source_sha256;
    if (isIt) return readTask(client, entry.task_id, known);
  }
  if (title === '') return undefined;
  const { tasks } = await client.ai_tasks.list({ search: title, limit: 200 });
  const [found, ...others] = tasks.filter(({ name }) => name === title);
  if (others.length > 0) {
    const ids = [found, ...others].map((task) => task?.id).join(', ');
    throw new Failure(
      `the server has ${others.length + 1} tasks "${title}" (${ids}): choose one of them by its id with "backroom task pull ID"`,
    );
  }
  return found && readTask(client, found.id);
}

export async function readTask(client: AdminApi, id: number, known?: TaskVersion): Promise<ServerTask> {
  const { task, versions } = await client.ai_tasks.get(id);
  const newest = versions[0] && (versions[0].id === known?.id ? known : await client.ai_tasks.get_version(id, versions[0].id));
  if (!newest) throw new Failure(`task ${id} has no version on the server`);
  return { task, newest, known };
}

/** Every task of the server that is not deleted. */
export async function listTasks(client: AdminApi): Promise<{ id: number; name: string }[]> {
  const all: { id: number; name: string }[] = [];
  for (;;) {
    const { tasks, total } = await client.ai_tasks.list({ limit: 200, offset: all.length });
    all.push(...tasks);
    if (tasks.length === 0 || all.length >= total) return all;
  }
}

const StringList = z.array(z.string());
const Declarations = z.array(ParameterDeclaration);

/** The content of the two files that hold the newest version in a folder. `here`: what the folder has now. */
export function filesOf(
  { task, newest: version }: Pick<ServerTask, 'task' | 'newest'>,
  here?: TaskFile,
): TaskFile & { source_code: string } {
  return {
    name: task.name,
    description: task.description,
    topic: here?.topic,
    permissions: StringList.parse(JSON.parse(version.permissions)),
    parameters: Declarations.parse(JSON.parse(version.parameters)),
    settings: settingsForFile(task.settings, here?.settings),
    ...grantsOf(version),
    source_code: version.source_code,
  };
}

type Content = Omit<TaskFile, 'name' | 'description' | 'topic' | 'settings'> & { source_code: string };

export function isSameVersion(local: Content, version: TaskVersion): boolean {
  return (
    local.source_code === version.source_code &&
    JSON.stringify(local.permissions) === version.permissions &&
    JSON.stringify(local.parameters) === version.parameters &&
    JSON.stringify(grantsOf(local)) === JSON.stringify(grantsOf(version))
  );
}

/** Which fields of the task itself, not of a version, are otherwise here. */
export function changedFields({ name, description, settings }: TaskFile, task: Task): string[] {
  return [
    ...(name === task.name ? [] : ['name']),
    ...(description === task.description ? [] : ['description']),
    ...(hasSettings(task.settings, settings) ? [] : ['settings']),
  ];
}

export function entryOf(taskId: number, version: Pick<TaskVersion, 'id' | 'source_code'>, meta: TaskFile): Entry {
  return { task_id: taskId, version_id: version.id, source_sha256: hashOf(version.source_code), meta_sha256: hashOf(metaText(meta)) };
}

/** `version 3, approved`; a pending version also says what it waits for. */
export function describeVersion({ version, approval }: Pick<TaskVersion, 'version' | 'approval'>): string {
  const meaning = approval === 'pending' ? 'pending: another admin has to approve it' : approval;
  return `version ${version}, ${meaning}`;
}

async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}
