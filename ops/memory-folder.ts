import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** The folder for a temporary store: in memory (/dev/shm) where that has `roomBytes` free, else the system's temporary folder. */
export function memoryFolder(roomBytes: number): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= roomBytes) return MEMORY;
  } catch {
    // This system has no such folder.
  }
  return tmpdir();
}
