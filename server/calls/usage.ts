import type { Db } from '../db/open.ts';
import { insertUsed, markReported } from './run-store.ts';

/**
 * Notes, once a run, each permission that its calls needed (a reviewer sees what a version could do without), and that
 * the run has reported.
 */
export class UsageNotes {
  readonly #noted = new Set<string>();

  /** Returns what to do once the transaction is committed: a note that was rolled back is made again. */
  async note(db: Db, runId: number, permission: string | null): Promise<() => void> {
    const key = `${runId} ${permission}`;
    if (permission === null || this.#noted.has(key)) return () => undefined;
    await insertUsed(db, runId, permission);
    await markReported(db, runId);
    return () => {
      if (this.#noted.size > 10_000) this.#noted.clear();
      this.#noted.add(key);
    };
  }
}
