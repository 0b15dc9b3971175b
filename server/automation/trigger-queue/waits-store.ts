import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';

/** `is_open`: 0 or 1 on SQLite, a boolean on PostgreSQL. */
export type Waiting = { id: number; match: string; run_id: number; is_open: number | boolean };

/** The open waits that are found by one of these texts, of runs that go on or can be resumed. */
export const selectWaiting = statement<{ keys: string }, Waiting>(
  (value, dialect) => sql`
    SELECT p.id, p.match, r.id AS run_id, r.status = 'running' AS is_open FROM run_prompts p JOIN runs r ON r.id = p.asked_by_run_id
    WHERE p.found_by IN (SELECT line FROM ${dialect.linesOf(value('keys'))}) AND p.found_by IS NOT NULL AND p.answered_at IS NULL
      AND r.status IN ('running', 'interrupted') ORDER BY p.id`,
);

const AT_A_TIME = 500;

/** Ends those of these waits that are still open; returns their ids. */
export async function endWaits(db: Db, ids: readonly number[], { answers, at }: { answers: string; at: string }): Promise<number[]> {
  const ended: number[] = [];
  for (let from = 0; from < ids.length; from += AT_A_TIME) {
    const { rows } = await sql<{ id: number }>`
      UPDATE run_prompts SET answers = ${answers}, answered_at = ${at}, wakes = 1,
        answered_claim_id = (SELECT r.claim_id FROM runs r WHERE r.id = run_prompts.asked_by_run_id)
      WHERE id IN (${sql.join(ids.slice(from, from + AT_A_TIME))}) AND answered_at IS NULL RETURNING id`.execute(db);
    ended.push(...rows.map(({ id }) => id));
  }
  return ended;
}
