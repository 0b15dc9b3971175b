import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** Where a store that is soon thrown away lies: in memory, where the system has a folder in it with so much room; else on disk. */
export function memoryFolder(roomBytes: number): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= roomBytes) return MEMORY;
  } catch {
    // There is none here.
  }
  return tmpdir();
}
