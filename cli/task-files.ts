import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Grants } from '../contract/grants.ts';
import { canonicalPermission } from '../contract/permissions.ts';
import { exampleTopics } from '../contract/task-examples.ts';
import { ParameterDeclaration } from '../contract/tasks.ts';
import { bundleTask } from './bundle.ts';
import { saveEditorFiles } from './editor-files.ts';
import { Failure, UsageError } from './failure.ts';
import { refuseLinkOut } from './inside.ts';
import { pulledTasks } from './memory.ts';
import { permissionsModule } from './permission-types.ts';
import { FileSettings } from './task-settings.ts';

/** The content of `<name>.task.json`. A task consists of that file and `<name>.ts`, its source, in the same folder. */
const TaskFile = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** Of an example: where the console's gallery has it. */
  topic: z.enum(exampleTopics).optional(),
  permissions: z.array(z.string()).transform((list) => [...new Set(list.map(canonicalPermission))]),
  parameters: z.array(ParameterDeclaration),
  settings: FileSettings.optional(),
  ...Grants.shape,
});
export type TaskFile = z.infer<typeof TaskFile>;

/** `name` is the task's name on the server, `file` the name of its files. */
export type LocalTask = TaskFile & { file: string; source_code: string };
/** `pulled`: the source came from the server and was not pushed since. */
export type LoadedTask = LocalTask & { pulled: boolean };

/** The tasks to start from, which come with the program. */
export const EXAMPLES = fileURLToPath(new URL('../tasks-examples/', import.meta.url));
const META = '.task.json';
/** The ending of the test's file name, which follows the name of the task's files. */
export const TEST = '.test.ts';
const FILE_NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/i;

/** The names of the files of all tasks in a folder. */
export async function taskNames(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((error) => {
    throw new Failure(`the folder ${folder} cannot be read (${codeOf(error)})`, { cause: error });
  });
  return files.flatMap((file) => (file.endsWith(META) ? [file.slice(0, -META.length)] : [])).sort();
}

/** Loads a task. Everything that its source imports, except from 'backroom', is bundled into the source. */
export async function loadTask(folder: string, file: string): Promise<LoadedTask> {
  const task = await loadMeta(folder, file);
  const { source } = pathsOf(folder, file);
  await refuseLinkOut(folder, source);
  const text = await readText(source);
  const hashes = await pulledTasks(folder);
  const pulled = hashes.has(file);
  // A source that is unchanged since it was pulled is not bundled, so that it stays the server's version.
  if (pulled && hashes.get(file) === hashOf(text)) return { ...task, file, source_code: text, pulled };
  const of = { folder: await realpath(folder), file: `${file}.ts`, text };
  const source_code = await bundleTask({ ...of, pulled: new Set([...hashes.keys()].map((name) => `${name}.ts`)) });
  return { ...task, file, source_code, pulled };
}

export function hashOf(source: string): string {
  return createHash('sha256').update(source).digest('hex');
}

/** Loads `<name>.task.json` only. */
export async function loadMeta(folder: string, file: string): Promise<TaskFile> {
  checkFileName(file);
  const names = await taskNames(folder);
  if (!names.includes(file)) {
    const known = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
    throw new UsageError(`there is no task "${file}" in ${folder} (${file}${META}); ${known}`);
  }
  const { meta } = pathsOf(folder, file);
  const parsed = TaskFile.safeParse(parseJson(await readText(meta), meta));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Failure(`${meta}: ${issue?.path.join('.') || 'the whole file'}: ${issue?.message}`);
  }
  return parsed.data;
}

export async function saveTask(folder: string, { file, source_code, ...meta }: LocalTask): Promise<void> {
  const paths = pathsOf(folder, file);
  await mkdir(folder, { recursive: true });
  for (const path of [paths.meta, paths.source, typesOf(folder, file)]) await refuseLinkOut(folder, path);
  await writeFile(paths.meta, metaText(meta));
  await writeFile(paths.source, source_code);
  await savePermissionTypes(folder, { file, source_code, permissions: meta.permissions });
  await saveEditorFiles(folder);
}

/** Writes the types that the source imports, made from the permissions that the task declares. */
export async function savePermissionTypes(folder: string, task: Pick<LocalTask, 'file' | 'source_code' | 'permissions'>): Promise<void> {
  const path = typesOf(folder, task.file);
  // A bundled source no longer contains its type imports, so the file may be in use although the source does not name it.
  if (!task.source_code.includes(`./${task.file}.permissions.ts`) && !(await exists(path))) return;
  const text = permissionsModule(task.permissions);
  if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) await writeFile(path, text);
}

/** A list of grants without an entry is left out. */
export function metaText({ name, description, topic, permissions, parameters, settings, ...grants }: TaskFile): string {
  const named = Object.entries(grantsOf(grants)).filter(([, list]) => list.length > 0);
  return `${JSON.stringify({ name, description, topic, permissions, ...Object.fromEntries(named), parameters, settings }, null, 2)}\n`;
}

export function grantsOf({ mail_to, http_allow, secrets, may_start }: Grants): Grants {
  return { mail_to, http_allow, secrets, may_start };
}

export function checkFileName(file: string): void {
  if (!FILE_NAME.test(file))
    throw new UsageError(
      `"${file}" is not accepted as the name of a task's files: 1 to 100 letters, digits, - and _ are, beginning with a letter or digit`,
    );
}

export function pathsOf(folder: string, file: string): { meta: string; source: string; test: string } {
  return { meta: join(folder, `${file}${META}`), source: join(folder, `${file}.ts`), test: join(folder, `${file}${TEST}`) };
}

function typesOf(folder: string, file: string): string {
  return join(folder, `${file}.permissions.ts`);
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error) => {
    throw new Failure(`${path} cannot be read (${codeOf(error)})`, { cause: error });
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
