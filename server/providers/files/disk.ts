import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './file-store.ts';

const KEY = /^[0-9a-f]{40}$/;
const SHARD = /^[0-9a-f]{2}$/;
const READ_BYTES = 256 * 1024;

/**
 * Stores files in a folder of this machine, or of a volume that all servers of the shop share; the folder is created when first needed.
 * Keys begin with eight digits of the shop, so that a sweep in a folder of several shops touches only the shop's own files.
 */
export function diskFiles(folder: string, prefix: string): FileStore {
  const drafts = join(folder, 'drafts');
  const pathOf = (key: string): string => join(folder, key.slice(prefix.length, prefix.length + 2), key);
  const isOwn = (key: string): boolean => KEY.test(key) && key.startsWith(prefix);
  return {
    async draft() {
      const key = prefix + randomBytes(16).toString('hex');
      const path = join(drafts, key);
      const kept = pathOf(key);
      await makeFolder(drafts);
      const file = await open(path, 'wx', 0o600);
      return {
        key,
        write: (chunk) => file.appendFile(chunk),
        async keep() {
          await file.sync();
          await file.close();
          await makeFolder(dirname(kept));
          await rename(path, kept);
          await syncFolder(dirname(kept));
        },
        async discard() {
          await file.close();
          await rm(path, { force: true });
          await rm(kept, { force: true });
        },
      };
    },
    async open(key, range) {
      const file = KEY.test(key) ? await unlessAbsent(open(pathOf(key), 'r')) : null;
      if (!file) return null;
      const { start, length } = range ?? { start: 0, length: Number.MAX_SAFE_INTEGER };
      const sizeBytes = Math.max(0, Math.min(length, (await sizeOf(file)) - start));
      return {
        sizeBytes,
        chunks: () => chunksOf(file, start, start + sizeBytes),
        close: () => file.close(),
      };
    },
    async remove(key) {
      if (KEY.test(key)) await rm(pathOf(key), { force: true });
    },
    async *keysBefore(timeMs) {
      for (const shard of (await namesIn(folder)).filter((name) => SHARD.test(name))) {
        yield await namesBefore(join(folder, shard), timeMs, isOwn);
      }
    },
    async removeDraftsBefore(timeMs) {
      for (const name of await namesBefore(drafts, timeMs, isOwn)) await rm(join(drafts, name), { force: true });
    },
  };
}

async function* chunksOf(file: FileHandle, start: number, end: number): AsyncIterable<Buffer> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (let at = start; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, end - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** A new name in a folder is durable only after the folder itself was synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function sizeOf(file: FileHandle): Promise<number> {
  try {
    return (await file.stat()).size;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessAbsent(readdir(folder))) ?? [];
}

async function namesBefore(folder: string, timeMs: number, isOwn: (name: string) => boolean): Promise<string[]> {
  const names: string[] = [];
  for (const name of (await namesIn(folder)).filter(isOwn)) {
    const found = await unlessAbsent(stat(join(folder, name)));
    if (found && found.mtimeMs < timeMs) names.push(name);
  }
  return names;
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
