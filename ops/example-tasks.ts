import { type Pushed, pushTask } from '../cli/push.ts';
import { EXAMPLES, type LocalTask, loadTask, taskNames } from '../cli/task-files.ts';
import type { AdminApi } from '../contract/calls.ts';

export function exampleNames(): Promise<string[]> {
  return taskNames(EXAMPLES);
}

export function loadExample(name: string): Promise<LocalTask> {
  return loadTask(EXAMPLES, name);
}

/** Creates the task, or gives the task of this name a new version where the example differs from it. */
export async function pushExample(client: AdminApi, name: string): Promise<Pushed> {
  return pushTask(client, await loadExample(name), { force: true });
}

/** Whether the task sends requests to other systems: these are not there in a check, so it runs dry, answered by its samples. */
export function asksOutside({ permissions }: Pick<LocalTask, 'permissions'>): boolean {
  return permissions.includes('http_request');
}
