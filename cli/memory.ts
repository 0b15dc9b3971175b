import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { note } from './command.ts';
import { Failure } from './failure.ts';

const FILE = '.backroom.json';

/**
 * The version that was pulled or pushed last. Its source tells whether the server is still the one that it was; `pulled`,
 * whether the file's text is the server's, and nobody here has pushed it since.
 */
const Entry = z.object({ task_id: z.int(), version_id: z.int(), source_sha256: z.string().optional(), pulled: z.literal(true).optional() });
export type Entry = z.infer<typeof Entry>;

/** By the server's address, then by what the task's files are called. */
const Memory = z.record(z.string(), z.record(z.string(), Entry));
type Memory = z.infer<typeof Memory>;

/** What a folder knows of its tasks on one server. */
export async function recallTasks(folder: string, server: string): Promise<Map<string, Entry>> {
  return new Map(Object.entries((await readMemory(folder))[server] ?? {}));
}

/** The tasks whose text came from a server, whichever that was, each with the hash of what came. */
export async function pulledTasks(folder: string): Promise<Map<string, string | undefined>> {
  const entries = Object.values(await readMemory(folder)).flatMap((tasks) => Object.entries(tasks));
  return new Map(entries.flatMap(([name, { pulled, source_sha256 }]) => (pulled ? [[name, source_sha256]] : [])));
}

/** What the file is now, pulled or of one's own, it is for every server. */
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
    note(`${path} cannot be written (${error instanceof Error ? error.message : error}): the version is not remembered`);
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
