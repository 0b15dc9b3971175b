import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { Failure } from './failure.ts';

/** The path of a file relative to a folder; undefined for a file outside it. Both are real paths (without symbolic links). */
export function pathInside(realFolder: string, realFile: string): string | undefined {
  const path = relative(realFolder, realFile);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path;
}

/** Throws where `path` is a link that leads out of the folder or to nothing. A file that does not exist is accepted. */
export async function refuseLinkOut(folder: string, path: string): Promise<void> {
  const target = await orMissing(realpath(path), path);
  if (target === undefined ? !(await orMissing(lstat(path), path)) : pathInside(await realpath(folder), target) !== undefined) return;
  const where = target === undefined ? 'is a link to nothing' : `is a link to ${target}, outside the task's folder`;
  throw new Failure(`${path} ${where}: only files in the folder are accepted`);
}

async function orMissing<T>(asked: Promise<T>, path: string): Promise<T | undefined> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Failure(`${path} cannot be read (${error.code})`, { cause: error });
  });
}
