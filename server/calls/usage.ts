import { sql } from 'kysely';
import type { Db } from '../db/open.ts';

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
    await sql`INSERT INTO run_permissions (run_id, permission) VALUES (${runId}, ${permission}) ON CONFLICT DO NOTHING`.execute(db);
    await sql`UPDATE runs SET reported = 1 WHERE id = ${runId} AND reported = 0`.execute(db);
    return () => {
      if (this.#noted.size > 10_000) this.#noted.clear();
      this.#noted.add(key);
    };
  }
}
