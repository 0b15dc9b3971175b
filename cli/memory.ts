import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { note } from './command.ts';
import { Failure } from './failure.ts';

const FILE = '.backroom.json';

/**
 * The version of a task that was pulled or pushed last. The hash of its source shows whether the ids still belong to the same
 * database, that of `NAME.task.json` whether the file was changed here since. `pulled`: the source came from the server and was not
 * pushed from this folder since.
 */
const Entry = z.object({
  task_id: z.int(),
  version_id: z.int(),
  source_sha256: z.string().optional(),
  meta_sha256: z.string().optional(),
  pulled: z.literal(true).optional(),
});
export type Entry = z.infer<typeof Entry>;

/** The entries by the server's address, then by the name of the task's files. */
const Memory = z.record(z.string(), z.record(z.string(), Entry));
type Memory = z.infer<typeof Memory>;

/** The entries of a folder for one server, by the names of the tasks' files. */
export async function recallTasks(folder: string, server: string): Promise<Map<string, Entry>> {
  return new Map(Object.entries((await readMemory(folder))[server] ?? {}));
}

/** The names of the tasks whose source came from any server, each with the hash of that source. */
export async function pulledTasks(folder: string): Promise<Map<string, string | undefined>> {
  const entries = Object.values(await readMemory(folder)).flatMap((tasks) => Object.entries(tasks));
  return new Map(entries.flatMap(([name, { pulled, source_sha256 }]) => (pulled ? [[name, source_sha256]] : [])));
}

/** Stores an entry. The entries of other servers for this task lose `pulled`, because the file's text is now this server's or one's own. */
export async function rememberTask(folder: string, server: string, name: string, entry: Entry): Promise<void> {
  const before = await readMemory(folder);
  const memory: Memory = { ...before, [server]: { ...before[server], [name]: entry } };
  for (const [other, tasks] of Object.entries(before)) {
    const known = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (other !== server && known?.pulled) memory[other] = { ...tasks, [name]: { ...known, pulled: undefined } };
  }
  const text = JSON.stringify(memory, null, 2);
  if (text === JSON.stringify(before, null, 2)) return;
  const path = join(folder, FILE);
  try {
    await writeFile(`${path}.${process.pid}`, `${text}\n`);
    await rename(`${path}.${process.pid}`, path);
  } catch (error) {
    note(
      `${path} cannot be written (${error instanceof Error ? error.message : error}): the version that was pulled or pushed is not remembered`,
    );
  }
}

async function readMemory(folder: string): Promise<Memory> {
  const path = join(folder, FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw new Failure(`${path} cannot be read (${error.code})`, { cause: error });
  });
  try {
    return Memory.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(`${path} is damaged: remove it, and pull the tasks again`, { cause: error });
  }
}
