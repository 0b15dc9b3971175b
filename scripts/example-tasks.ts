import { fileURLToPath } from 'node:url';
import { type LocalTask, loadTask, taskNames } from '../cli/task-files.ts';
import type { AdminApi } from '../contract/client.ts';

const FOLDER = fileURLToPath(new URL('../tasks-examples/', import.meta.url));

export type PushedTask = { taskId: number; versionId: number; outcome: 'created' | 'new version' | 'unchanged' };

export function exampleNames(): Promise<string[]> {
  return taskNames(FOLDER);
}

export function loadExample(name: string): Promise<LocalTask> {
  return loadTask(FOLDER, name);
}

/** Makes the task, or gives the one of this name a new version where the example differs from the current one. */
export async function pushExample(client: AdminApi, name: string): Promise<PushedTask> {
  const { name: title, description, source_code, permissions, parameters } = await loadExample(name);
  const { tasks } = await client.ai_tasks.list({ search: title, limit: 200 });
  const known = tasks.find((task) => task.name === title);
  if (!known) {
    const made = await client.ai_tasks.create({ name: title, description, source_code, permissions, parameters });
    return { taskId: made.task_id, versionId: made.version_id, outcome: 'created' };
  }
  const { current_version: current } = await client.ai_tasks.get(known.id);
  const isSame =
    current?.source_code === source_code &&
    current.permissions === JSON.stringify(permissions) &&
    current.parameters === JSON.stringify(parameters);
  if (isSame) return { taskId: known.id, versionId: current.id, outcome: 'unchanged' };
  const made = await client.ai_tasks.create_version(known.id, { source_code, permissions, parameters });
  return { taskId: known.id, versionId: made.version_id, outcome: 'new version' };
}
