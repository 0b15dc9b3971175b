import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { statement } from '../../../db/queries/statement.ts';

/** `rank`: the order of moments of one time, and what the other columns hold. `until`: when it was over. */
export type MomentRow = {
  at: string;
  rank: number;
  n: number;
  label: string;
  detail: string | null;
  size: number | null;
  until: string | null;
};

export const RANK = { opened: 0, claimed: 1, call: 2, checkpoint: 3, asked: 4, ended: 5 } as const;

type Page = { runId: number; at: string; rank: number; n: number; limit: number };

/**
 * The moments of a run after one, in their order. The calls of a run are in the order of the log, not of their times, so all moments
 * of the run are sorted for each page; the limits of a run bound them.
 */
export function selectMoments(db: Db, page: Page): Promise<MomentRow[]> {
  return momentsOf(db, page);
}

const momentsOf = statement<Page, MomentRow>(
  (value) => sql`
    WITH moments AS (
      SELECT started_at AS at, 0 AS rank, id AS n, started_by AS label, CAST(restarted_from_epoch AS text) AS detail,
        restarted_from_run_id AS size, NULL AS until
      FROM runs WHERE id = ${value('runId')}
      UNION ALL
      SELECT claimed_at, 1, id, runner_name, NULL, attempt, ended_at FROM run_claims WHERE run_id = ${value('runId')}
      UNION ALL
      SELECT coalesce(call_at, at), 2, call_number, line, NULL, duration_ms, NULL FROM run_events
      WHERE run_id = ${value('runId')} AND call_number IS NOT NULL
      UNION ALL
      SELECT at, 3, epoch, '', NULL, bytes, NULL FROM run_checkpoints WHERE run_id = ${value('runId')}
      UNION ALL
      SELECT p.asked_at, 4, p.id, p.label, NULL, NULL, p.answered_at FROM run_prompts p
      WHERE p.lineage_id = (SELECT lineage_id FROM runs WHERE id = ${value('runId')}) AND p.asked_by_run_id = ${value('runId')}
        AND p.awaits_run_id IS NULL
      UNION ALL
      SELECT finished_at, 5, id, status, end_reason, NULL, NULL FROM runs WHERE id = ${value('runId')} AND finished_at IS NOT NULL
    )
    SELECT * FROM moments WHERE (at, rank, n) > (${value('at')}, CAST(${value('rank')} AS bigint), CAST(${value('n')} AS bigint))
    ORDER BY at, rank, n LIMIT ${value('limit')}`,
);
