import { execFile, spawnSync } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SIZE = '2g';
const TRIES = 20;

/** A folder on a disk of its own, which can be full. */
export type Disk = { fill(): Promise<void>; free(): Promise<void>; unmount(): Promise<void> };

/** Mounts a disk in memory at the folder; null where this user may not. */
export async function mountDisk(folder: string): Promise<Disk | null> {
  await mkdir(folder, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'backroom-chaos', folder]);
  } catch {
    return null;
  }
  // A process that ends before it has unmounted the disk leaves none behind; what still uses it ends with this process.
  const unmountAtOnce = (): void => void spawnSync('umount', ['--lazy', folder]);
  process.once('exit', unmountAtOnce);
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, folder]);
  return {
    /** The disk shrinks to what is on it, so that no byte more has room. */
    async fill() {
      for (let tries = 1; ; tries += 1) {
        const { blocks, bfree, bsize } = await statfs(folder);
        try {
          // The size 0 would mean that there is no limit.
          return void (await resize(String(Math.max(1, blocks - bfree) * bsize)));
        } catch (error) {
          // More was written between the two calls.
          if (tries === TRIES) throw error;
        }
      }
    },
    free: async () => void (await resize(SIZE)),
    async unmount() {
      await run('umount', [folder]);
      process.off('exit', unmountAtOnce);
    },
  };
}
