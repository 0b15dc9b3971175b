import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

/** Copies an SQLite file as it is at one moment, while others read and write it. The file under the new name is always complete. */
export async function backupSqlite(file: string, target: string): Promise<void> {
  const unfinished = `${target}.${randomUUID()}.part`;
  const source = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    // The copy holds the whole shop, so only its owner may read it.
    await (await open(unfinished, 'wx', 0o600)).close();
    // Copies all pages in one step, because a copy in several steps starts again whenever another process writes.
    await source.backup(unfinished, { progress: () => Number.MAX_SAFE_INTEGER });
    await sync(unfinished);
    await rename(unfinished, target);
    await sync(dirname(target));
  } finally {
    source.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${unfinished}${suffix}`, { force: true });
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
