import { sql } from 'kysely';
import type { Db } from '../server/db/open.ts';

/** What of a shop's runs is due next. */

/** `atMs`: when the first wait, retry, scheduled, triggered or gathered start is due; `wakes`: a run is about to go on. */
export type Due = { atMs: number | null; wakes: boolean };

export async function nextDue(db: Db): Promise<Due> {
  const { rows } = await sql<{ at_ms: number | null; wakes: number }>`
    SELECT (SELECT min(due) FROM (
        SELECT due_ms AS due FROM run_prompts WHERE due_ms IS NOT NULL AND answered_at IS NULL
        UNION ALL SELECT retry_due_ms FROM runs WHERE retry_due_ms IS NOT NULL
        UNION ALL SELECT due_ms FROM trigger_deliveries
        UNION ALL SELECT due_ms FROM schedules WHERE due_ms IS NOT NULL
        UNION ALL SELECT due_ms FROM gathered_starts WHERE due_ms IS NOT NULL
      )) AS at_ms,
      (SELECT count(*) FROM run_prompts WHERE wakes = 1) AS wakes`.execute(db);
  const [row] = rows;
  return { atMs: row?.at_ms ?? null, wakes: (row?.wakes ?? 0) > 0 };
}
