import type { AdminApi } from '../contract/calls.ts';
import { declaredOf } from '../contract/declared.ts';
import type { TaskVersion } from '../contract/tasks.ts';
import { Failure } from './failure.ts';
import type { Entry } from './memory.ts';
import { oneLine } from './screen.ts';
import { changedFields, entryOf, findTask, isSameVersion, type ServerTask } from './server-task.ts';
import { grantsOf, type LocalTask } from './task-files.ts';

export type Pushed = {
  taskId: number;
  version: TaskVersion;
  outcome: 'created' | 'new version' | 'unchanged';
  /** Which fields of the task itself the push changed on the server: name, description, settings. */
  changed: string[];
  permissions: { added: string[]; removed: string[] };
  entry: Entry;
};

/**
 * Creates the task, or gives it a new version where its files differ from the newest one. Without `force` it throws where the
 * server has a newer version than the one that was pulled.
 */
export async function pushTask(
  client: AdminApi,
  local: LocalTask,
  options: {
    entry?: Entry | undefined;
    force: boolean;
    /** What the author says about a new version. */
    note?: string | undefined;
    /** Called before a version is created, with the source of the newest one; it throws to prevent the new version. */
    approve?: (before: string) => Promise<void>;
  },
): Promise<Pushed> {
  const { name, description, settings, source_code, permissions, parameters } = local;
  const content = { source_code, permissions, parameters, ...grantsOf(local), note: options.note };
  const found = await findTask(client, name, options.entry);
  if (!found || (found.task.deleted_at !== null && options.force)) {
    await options.approve?.(found?.newest.source_code ?? '');
    const made = await client.ai_tasks.create({ name, description, ...content });
    if (settings) await client.ai_tasks.update(made.task_id, { settings });
    const version = await client.ai_tasks.get_version(made.task_id, made.version_id);
    return result(local, made.task_id, version, { outcome: 'created', permissions: { added: declaredOf(local), removed: [] } });
  }
  const { task, newest } = found;
  if (task.deleted_at !== null) throw new Failure(`${local.file}: task ${task.id} was deleted on the server; --force creates it again`);
  const isThere = isSameVersion(local, newest) && (newest.approval === 'approved' || newest.approval === 'pending');
  if (!isThere && !options.force) refuseNewer(local, found);
  if (!isThere) await options.approve?.(newest.source_code);
  const changed = changedFields(local, task);
  const update = async () => changed.length > 0 && (await client.ai_tasks.update(task.id, { name, description, settings }));
  if (isThere) {
    await update();
    return result(local, task.id, newest, { changed });
  }
  // The server refuses the version if somebody else pushed one in the meantime.
  const made = await client.ai_tasks.create_version(task.id, { ...content, base_version_id: options.force ? undefined : newest.id });
  await update();
  const version = await client.ai_tasks.get_version(task.id, made.version_id);
  return result(local, task.id, version, { outcome: 'new version', changed, permissions: made.permissions_diff });
}

function result(local: LocalTask, taskId: number, version: TaskVersion, rest: Partial<Pushed>): Pushed {
  return {
    taskId,
    version,
    outcome: 'unchanged',
    changed: [],
    permissions: { added: [], removed: [] },
    entry: entryOf(taskId, version, local),
    ...rest,
  };
}

function refuseNewer({ file }: LocalTask, { task, newest, known }: ServerTask): void {
  if (known?.id === newest.id) return;
  const theirs = `version ${newest.version} of ${newest.created_at}`;
  const what = known
    ? `the server has ${theirs}, newer than version ${known.version} that was pulled`
    : `the server has task ${task.id} "${oneLine(task.name)}", ${theirs}, which was not pulled into this folder`;
  throw new Failure(
    `${file}: ${what}; see "backroom task diff ${file}", then take the server's version (task pull --force) or push over it (--force)`,
  );
}
