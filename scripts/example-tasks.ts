import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AdminApi } from '../contract/client.ts';
import { ParameterDeclaration } from '../contract/tasks.ts';

const FOLDER = fileURLToPath(new URL('../tasks-examples/', import.meta.url));
const META = '.task.json';

const TaskFile = z.strictObject({
  name: z.string(),
  description: z.string(),
  permissions: z.array(z.string()),
  parameters: z.array(ParameterDeclaration),
});

type Example = z.infer<typeof TaskFile> & { source_code: string };
export type PushedTask = { taskId: number; versionId: number; outcome: 'created' | 'new version' | 'unchanged' };

/** The names of the example tasks: the source is `<name>.ts`, what belongs to it `<name>.task.json`. */
export async function exampleNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files.flatMap((file) => (file.endsWith(META) ? [file.slice(0, -META.length)] : [])).sort();
}

export async function loadExample(name: string): Promise<Example> {
  const [meta, source] = await Promise.all([readFile(`${FOLDER}${name}${META}`, 'utf8'), readFile(`${FOLDER}${name}.ts`, 'utf8')]);
  return { ...TaskFile.parse(JSON.parse(meta)), source_code: source };
}

/** Makes the task, or gives the one of this name a new version where the example differs from the current one. */
export async function pushExample(client: AdminApi, name: string): Promise<PushedTask> {
  const { name: title, description, ...version } = await loadExample(name);
  const { tasks } = await client.ai_tasks.list({ search: title, limit: 200 });
  const known = tasks.find((task) => task.name === title);
  if (!known) {
    const made = await client.ai_tasks.create({ name: title, description, ...version });
    return { taskId: made.task_id, versionId: made.version_id, outcome: 'created' };
  }
  const { current_version: current } = await client.ai_tasks.get(known.id);
  const isSame =
    current?.source_code === version.source_code &&
    current.permissions === JSON.stringify(version.permissions) &&
    current.parameters === JSON.stringify(version.parameters);
  if (isSame) return { taskId: known.id, versionId: current.id, outcome: 'unchanged' };
  const made = await client.ai_tasks.create_version(known.id, version);
  return { taskId: known.id, versionId: made.version_id, outcome: 'new version' };
}
