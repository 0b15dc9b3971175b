import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import type { PartUser } from './processes.ts';

/** The users of server, runner and workers. They are different, so that none can read the files, memory or environment of another. */
export type Users = { server: PartUser; runner: PartUser; workerUid: number };

/**
 * Reads `START_USERS=10001,10002,10003`, the user ids of the server, the runner and the workers. Null where it is empty: all
 * then run as the user who starts them.
 */
export function readUsers(text: string | undefined): Users | null | { problem: string } {
  if (!text) return null;
  const ids = /^\d{1,9},\d{1,9},\d{1,9}$/.test(text) ? text.split(',').map(Number) : [];
  const [server = 0, runner = 0, workerUid = 0] = ids;
  if (new Set(ids).size !== 3 || ids.includes(0))
    return {
      problem:
        'START_USERS must be three different user ids (for the server, the runner and the workers), none of them 0, ' +
        'such as 10001,10002,10003',
    };
  if (process.getuid?.() !== 0)
    return {
      problem:
        'START_USERS needs a start as root, which then starts the server and the runner as these users (in a container: no --user); ' +
        'an empty START_USERS runs all as one user',
    };
  return { server: { uid: server, mayBecomeOthers: false }, runner: { uid: runner, mayBecomeOthers: true }, workerUid };
}

/** Makes the folder of the shop's data the property of the server's user; nobody else may read it. */
export function restrictFolderTo({ uid }: PartUser, folder: string): void {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, uid);
  chmodSync(folder, 0o700);
}
