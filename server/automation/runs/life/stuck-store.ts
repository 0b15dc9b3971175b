import { sql } from 'kysely';
import type { Dialect } from '../../../db/dialect.ts';
import type { At } from '../../../db/open.ts';
import type { Row } from '../../../db/tables.ts';

const MINUTE_MS = sql.lit(60_000);

/** The latest sign of progress of a run: a line of its log, a checkpoint, its claim, or a call, which its lineage notes. */
const calledMs = sql<number>`(SELECT l.called_ms FROM lineages l WHERE l.id = runs.lineage_id)`;
const lastSignMs = sql<number>`(CASE WHEN ${calledMs} > runs.sign_ms THEN ${calledMs} ELSE runs.sign_ms END)`;
const quietMs = sql<number>`(SELECT t.stuck_minutes FROM tasks t WHERE t.id = runs.task_id) * ${MINUTE_MS}`;

/** A run that waits only for an answer gives its worker back within a minute; what still has a worker after this long does more than wait. */
const ASKED_LATELY_MS = 120_000;

/**
 * Whether a run is at work, as far as anybody can tell, and has given no sign for longer than its task allows; of which nobody was told
 * since that sign. It is not at work while it waits for a runner, for its next attempt or only for an answer, of which a client that drives
 * a run itself need not tell more than the question.
 */
const isStuck = ({ nowMs }: Dialect) => sql<boolean>`runs.status = 'running' AND runs.dry_run = 0 AND runs.replay_of_run_id IS NULL
  AND runs.task_id IN (SELECT w.id FROM tasks w WHERE w.stuck_minutes IS NOT NULL)
  AND runs.sign_ms > 0 AND runs.retry_due_ms IS NULL
  AND (runs.executor = 'external' OR EXISTS (SELECT 1 FROM run_claims c WHERE c.id = runs.claim_id AND c.ended_at IS NULL))
  AND NOT EXISTS (SELECT 1 FROM run_prompts p WHERE p.asked_by_run_id = runs.id AND p.answered_at IS NULL
    AND (runs.executor = 'external' OR p.asked_at > ${new Date(Date.now() - ASKED_LATELY_MS).toISOString()}))
  AND ${lastSignMs} <> runs.stuck_told_ms AND ${lastSignMs} <= ${nowMs} - ${quietMs}`;

/** Reads the open runs of the tasks that are watched, each with its lineage and claim by their keys. */
export async function selectStuck({ db, dialect }: At, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT runs.id FROM runs WHERE ${isStuck(dialect)} LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export type StuckRun = Pick<Row<'runs'>, 'id' | 'task_id' | 'version_id' | 'lineage_id'> & { since_ms: number };

/** Marks the run as told of, unless it gave a sign or somebody else has told of it in the meantime. */
export async function takeStuck({ db, dialect }: At, id: number): Promise<StuckRun | undefined> {
  const { rows } = await sql<StuckRun>`
    UPDATE runs SET stuck_told_ms = ${lastSignMs} WHERE runs.id = ${id} AND ${isStuck(dialect)}
    RETURNING id, task_id, version_id, lineage_id, stuck_told_ms AS since_ms`.execute(db);
  return rows[0];
}

/** Lets runs of which nobody was told have given a sign so lately that at least `graceMs`, or all their time, is left to them. */
export async function extendSigns({ db, dialect: { nowMs } }: At, graceMs: number): Promise<void> {
  const least = sql`${nowMs} - ${quietMs} + CASE WHEN ${quietMs} < ${graceMs} THEN ${quietMs} ELSE ${graceMs} END`;
  await sql`UPDATE runs SET sign_ms = ${least}
    WHERE runs.status = 'running' AND runs.task_id IN (SELECT w.id FROM tasks w WHERE w.stuck_minutes IS NOT NULL)
      AND runs.sign_ms > 0 AND ${lastSignMs} <> runs.stuck_told_ms AND ${lastSignMs} < ${least}`.execute(db);
}
