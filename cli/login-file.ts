import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Failure } from './failure.ts';

const Login = z.object({ server: z.string(), token: z.string() });
export type Login = z.infer<typeof Login>;

/** Stores server and token for later commands. The file is created with mode 0600, so that no other user can ever read it. */
export async function writeLogin(file: string, login: Login): Promise<void> {
  const folder = dirname(file);
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await writeFile(unfinished, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new Failure(`the login cannot be stored in ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export async function readLogin(file: string): Promise<Login | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Failure(`${file} cannot be read (${error.code}): log in again`, { cause: error });
  });
  if (text === undefined) return undefined;
  try {
    return Login.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(`${file} does not hold a login: log in again`, { cause: error });
  }
}
