import { type Checked, FAULTS_SHOWN } from '../../db/checks/check.ts';
import type { Store } from '../../db/open.ts';
import type { FileStore } from '../../providers/files/file-store.ts';
import * as store from './store.ts';

/** What `backroom db check` looks for in the files of a shop. */

const PAGE = 500;
/** The sweep removes files that no row names after an hour; it begins anew every hour. */
const ORPHAN_AFTER_MS = 3 * 3_600_000;

/** The prefix of the shop's files; null if none was chosen yet, so that there is no file. */
export async function presentPrefix({ reader }: Pick<Store, 'reader'>): Promise<string | null> {
  return (await store.selectPrefix(reader)) || null;
}

/** Whether each file that a row names is there, with its size. */
export async function checkStoredFiles({ reader }: Pick<Store, 'reader'>, files: FileStore): Promise<Checked> {
  const faults: string[] = [];
  let count = 0;
  for (let after = ''; ; ) {
    const rows = await store.selectObjects(reader, after, PAGE);
    for (const { key, size_bytes } of rows) {
      const found = await sizeOf(files, key);
      // A file that was deleted meanwhile is no longer named by a row.
      if (found === size_bytes || !(await store.selectKnown(reader, [key])).has(key)) continue;
      count += 1;
      if (faults.length < FAULTS_SHOWN)
        faults.push(`file ${key}: ${found === null ? 'is missing' : `has ${found} bytes, not ${size_bytes}`}`);
    }
    const last = rows.at(-1);
    if (!last) return { name: 'every file that was stored is there, whole', count, faults };
    after = last.key;
  }
}

/** Whether each of the shop's files is named by a row. Those of the last hours may be uploads under way, or wait for the sweep. */
export async function checkOrphans({ reader }: Pick<Store, 'reader'>, files: FileStore, nowMs: number = Date.now()): Promise<Checked> {
  const faults: string[] = [];
  let count = 0;
  for await (const keys of files.keysBefore(nowMs - ORPHAN_AFTER_MS)) {
    const known = await store.selectKnown(reader, keys);
    const orphans = keys.filter((key) => !known.has(key));
    count += orphans.length;
    faults.push(...orphans.slice(0, FAULTS_SHOWN - faults.length).map((key) => `file ${key} belongs to nothing`));
  }
  return { name: 'every file belongs to something', count, faults };
}

async function sizeOf(files: FileStore, key: string): Promise<number | null> {
  const found = await files.open(key);
  if (found === null) return null;
  await found.close();
  return found.sizeBytes;
}
