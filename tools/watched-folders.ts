import { watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps: changes within this time are told as one. */
const QUIET_MS = 100;

/** Files that editors and the shop itself leave beside sources. */
const IGNORED = /(^|\/)(\.|node_modules(\/|$))|~$/;

/**
 * Calls `onChange` with the names of the folders in which files changed, until the signal.
 *
 * @param root The folder that has the folders.
 * @param folders Their names. What is below them counts, too.
 */
export function watchFolders(
  root: string,
  folders: readonly string[],
  signal: AbortSignal,
  onChange: (changed: ReadonlySet<string>) => void,
): void {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    const told = changed;
    changed = new Set();
    onChange(told);
  };
  for (const folder of folders) {
    const watcher = watch(join(root, folder), { recursive: true, signal }, (_, name) => {
      if (name !== null && IGNORED.test(name)) return;
      changed.add(folder);
      clearTimeout(timer);
      timer = setTimeout(tell, QUIET_MS);
    });
    // A folder may be removed and come again, as when a branch is changed: what else is watched goes on.
    watcher.on('error', () => undefined);
  }
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
