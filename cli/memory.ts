import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from './failure.ts';

const FILE = '.backroom.json';

/** The version that was pulled or pushed last. Its source tells whether the server is still the one that it was. */
const Entry = z.object({ task_id: z.int(), version_id: z.int(), source_sha256: z.string().optional() });
export type Entry = z.infer<typeof Entry>;

/** By the server's address, then by what the task's files are called. */
const Memory = z.record(z.string(), z.record(z.string(), Entry));
type Memory = z.infer<typeof Memory>;

/** What a folder knows of its tasks on one server. */
export async function recallTasks(folder: string, server: string): Promise<Record<string, Entry>> {
  return (await readMemory(folder))[server] ?? {};
}

export async function rememberTask(folder: string, server: string, name: string, entry: Entry): Promise<void> {
  const memory = await readMemory(folder);
  const known = memory[server]?.[name];
  if (known && JSON.stringify(known) === JSON.stringify(entry)) return;
  const text = JSON.stringify({ ...memory, [server]: { ...memory[server], [name]: entry } }, null, 2);
  const path = join(folder, FILE);
  try {
    await writeFile(`${path}.${process.pid}`, `${text}\n`);
    await rename(`${path}.${process.pid}`, path);
  } catch (error) {
    process.stderr.write(`${path} cannot be written (${error instanceof Error ? error.message : error}): the version is not remembered\n`);
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
